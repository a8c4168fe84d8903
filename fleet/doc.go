// Package fleet folds the fleet's facts: who may sign, which spaces and policies
// there are, which contributors are known, under which keys, derived from whom,
// retired or quarantined.
//
// [State.Apply] takes the facts in log order, opens and verifies each and either
// applies it or refuses it and changes nothing. Facts are never overwritten: each
// keeps the sequence that set it, and [State.At] gives the [View] that the entry
// at a sequence has, which is the facts below it and no other. That is what makes
// a replay see the fleet as the first run saw it.
//
// The trust root is the store id, the hash of the genesis payload: a log whose
// first fact is another genesis is another store.
package fleet
