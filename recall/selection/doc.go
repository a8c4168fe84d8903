// Package selection is what a recall asks for and what decides its answer: a
// [Request] of a contributor and the [Policy] that a store makes of it. A projection
// record commits to the exact bytes of both.
//
// Both are RFC 8785 JSON. A reader decodes strictly, encodes again and compares.
// [Compile] makes rules of a policy's bytes and of nothing else, so that no setting
// acts that is not committed to; a [Standing] is what the store says of a candidate.
package selection

import "consilience/wire"

// AdapterID is the adapter id of a store's own recalls.
func AdapterID(store [32]byte) string { return "urn:x-consilience:adapter:" + wire.Text(store) }
