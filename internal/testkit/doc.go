// Package testkit is what tests share: real servers, faults, and the files beside
// the repository. It is imported by tests only.
//
// The tour: postgres.go gives a fresh database of one private server in some
// milliseconds, nats.go a NATS server or a cluster of three, proxy.go cuts
// connections at a chosen moment, process.go runs a built command to kill it,
// clock.go is a clock that a test moves, shared.go finds vectors.
package testkit
