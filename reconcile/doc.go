// Package reconcile is the way of a delta from the log into the store.
//
// A [Worker] holds some of the 16 partitions. For each it reads a batch of the
// log in order ([Log], log.go), opens the entries in parallel outside any
// transaction ([Opener], open.go), and merges them in one transaction that ends
// with the partition's position ([Store], store.go; batch.go). After the commit
// the outcomes are published from their table (outcome.go). Facts about the fleet
// are folded by one [Fleet] per process and are in the store before any batch
// that needs them (fleet.go).
//
// Nothing is ever acknowledged to the log. The position in the store decides
// what was merged: a crash anywhere, a lost connection, a paused process that
// wakes, all end in reading the position again and opening the log there.
// A log that is not the one the store has seen stops the partition and is said
// aloud; nothing is skipped, and nothing is set aside because of the error it
// gave.
//
// Beside the way of a delta stand the [Service], which answers mem.api.* requests
// (service.go and one file per verb), and [Replay], which builds a store again
// from its log.
package reconcile

// Partitions is the number of partitions of a log, fixed for its life: a space
// lies in partition FNV-1a-32(space) mod 16, which the server computes.
const Partitions = 16
