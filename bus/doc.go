// Package bus is the log: one JetStream stream that holds everything that decides
// what the store becomes, and the core messages around it.
//
// The tour: stream.go makes and checks the stream, entry.go is what lies on it,
// publish.go and batch.go put entries there, reader.go gives them back in log order
// and position.go proves that it is still the same log. api.go answers requests,
// outcome.go carries outcomes, contributor.go is the other side's narrow connection.
//
// Nothing is ever acknowledged to JetStream: the position of a reader lies in the
// store, so that no acknowledgement can lose an entry. No Nats-Msg-Id is ever set:
// deduplication is stream-wide, so one user could make the server swallow another's
// command; ids are unique in the store instead, and publishing twice is harmless.
package bus
