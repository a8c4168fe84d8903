package main

import (
	"testing"

	"consilience/reason"
)

// A model behind an endpoint is taken on trust: the operator's machine need not
// reach it. What no build could use is refused.
func TestModelsOfAPolicy(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]reason.Code{
		"none": "", "minilm-words-256": "", "openai:nomic-embed-text@768": "",
		"minilm-words-999": reason.PolicyInvalid, "openai:nomic-embed-text": reason.PolicyInvalid,
		"openai:@768": reason.PolicyInvalid, "openai:nomic-embed-text@99999999": reason.PolicyInvalid,
	} {
		if err := checkModel(name); reason.Of(err) != want {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
