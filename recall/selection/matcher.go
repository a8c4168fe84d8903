package selection

import "strings"

// How candidates were looked for, by name and version, as a [Policy] states it.
const (
	MatcherWords   = "words-v1"
	MatcherClaim   = "claim-key-v1"
	MatcherSimilar = "similar-v1/" // the name of the space's model follows
)

// answeredBy reports whether a matcher looks for this kind of query, in any version:
// how it does is the store's business.
func (q Query) answeredBy(matcher string) bool {
	if q.Similar != "" {
		version, model, _ := strings.Cut(matcher, "/")
		return model != "" && strings.HasPrefix(version, "similar-v")
	}
	kind := "words-v"
	if q.Claim != nil {
		kind = "claim-key-v"
	}
	return strings.HasPrefix(matcher, kind)
}
