package cluster

import "consilience/record"

// Verdicts of the gate about a candidate. Any other verdict is the name of the
// check that refused the pair: the two are related, which moves no number.
const (
	// Join lets the text into the candidate's item.
	Join = "join"
	// Rival says that the two differ in polarity and in nothing else.
	Rival = "rival"
)

// Candidate is an item whose founding text is similar to a text.
type Candidate struct {
	Item record.ItemID
	// Similarity is in ppm of a full match, at least the space's threshold.
	Similarity int32
	// Verdict is Join, Rival, or the name of the check that refused.
	Verdict string
}

// Finder is rule 3 of joining. Merging asks it only about texts that no item holds
// word for word, and tells it of every text that founds one, in log order.
type Finder interface {
	// Similar returns the items of the space that are similar to a text, best
	// first, ties by the lower item id. It compares with founding texts only.
	Similar(space string, text []byte, content record.Content) []Candidate
	// Founded tells that a text founded an item.
	Founded(space string, item record.ItemID, text []byte, content record.Content)
}
