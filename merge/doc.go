// Package merge is the reconciler's decision: an entry of the log and the state
// of its space go in, a plan of what changes comes out.
//
// A space's state is a function of the log. The package is pure: no clock, no
// network, no files, no SQL, no randomness, and no order of a Go map reaches a
// result. The contract is docs/merge.md; the draft is
// draft-ruvalcaba-nhe-memory-00, sections 3 to 6.
//
// The tour:
//
//   - [Entry] and its bodies are what the log says (entry.go);
//   - [State] is the working set of one space: what was loaded, and what changed
//     since (state.go, drain.go). [State.Needs] names what an entry will look at
//     and is not loaded, so that a merge costs what it changes;
//   - [State.Apply] merges one entry: it checks (check.go), joins records to
//     items (join.go), keeps statements, gives evidence (evidence.go) and
//     recomputes the items touched (recompute.go, count.go);
//   - a lock, a mask or a policy touches items without number: Apply then returns
//     a [Sweep], and the caller feeds them to [State.Recompute];
//   - [State.Drain] hands over the [Plan] that storage writes;
//   - numbers.go and authority.go are the formulas, [Digest] the fingerprint of a
//     space that a replay must reach again.
//
// Confidences, strengths and reputations are integers in millionths (ppm), rounded
// down, so that two machines agree.
package merge
