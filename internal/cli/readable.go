package cli

import (
	"encoding/json"
	"fmt"
	"strings"
)

// claim is a structured content that says one thing (merge rule 4).
type claim struct {
	Subject   string          `json:"subject"`
	Predicate string          `json:"predicate"`
	Value     json.RawMessage `json:"value"`
	Scope     string          `json:"scope"`
}

// Readable shows a content to a person: a claim as "payments-db port = 5432",
// anything else as it is.
func Readable(content string) string {
	var c claim
	d := json.NewDecoder(strings.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil || d.More() || c.Subject == "" || c.Predicate == "" || len(c.Value) == 0 {
		return content
	}
	value := string(c.Value)
	var text string
	if c.Value[0] == '"' && json.Unmarshal(c.Value, &text) == nil {
		value = text
	}
	if c.Scope != "" {
		c.Predicate += " in " + c.Scope
	}
	return fmt.Sprintf("%s %s = %s", c.Subject, c.Predicate, value)
}
