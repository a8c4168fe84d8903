// Package projection makes and verifies Memory Projection Records: signed
// statements of which exact bytes a memory adapter emitted, from which source
// objects, under which request, policy and trust state
// (draft-ferro-schrock-memory-projection-record-01).
//
// The tour, in the order in which a record lives:
//
//   - [Record] is the closed record; [Parse] reads it strictly, [Record.Canonical]
//     writes its one RFC 8785 form, both by hand for exactly this record.
//   - A [Source] is a source profile: it opens objects and derives trust, so that
//     this package holds no trust logic. projection/apertomemory and
//     projection/nhe are two of them. A [Frame] turns an opened object into the
//     bytes that a model reads.
//   - A [Producer] selects, frames and signs (section 7 of the draft).
//   - A [Verifier] checks under the [Policy] of a relying party (section 8).
//     [Verifier.Envelope] needs the record only and says so in its result's type;
//     [Verifier.Full] recomputes every commitment and refuses when material is
//     missing.
//   - A [Registry] makes a projection single-use; projection/registry has them.
//
// A record never states that anybody received, read, used or acted on the bytes.
// No type of this package can say so either; docs/projection.md explains why.
package projection
