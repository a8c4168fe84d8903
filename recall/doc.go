// Package recall answers the verb recall: memory leaves the store as a projection
// with a signed Memory Projection Record, and in no other form.
//
// The tour: [Service.Answer] resolves a request to a selection policy (package
// recall/selection), finds candidates (by words, by claim key, or through a
// [Searcher]) and reads them from the [Store] in one snapshot, freezes the trust
// state of that snapshot, and lets a projection.Producer open, filter, order, frame
// and sign. Every candidate is delivered or counted under one reason. What is
// delivered is on the log as shown before the reply leaves.
//
// Words are taken beside the merge ([Service.Run]): words.go makes numbers of a
// content's words, the store keeps them. Similar texts are found by a [Similarity]
// over the vectors that the merge keeps: vectors.go holds and searches those of a
// space, best.go keeps what is nearest, beside.go reads them beside the recalls, budget.go
// bounds what all of them take, and find_similar.go says how many are looked at.
package recall
