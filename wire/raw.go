package wire

import "github.com/fxamacker/cbor/v2"

// Raw is an encoded item inside another one. Decoding keeps its bytes; they are
// checked when they are decoded in their turn.
type Raw = cbor.RawMessage

// Null is the encoding of null, what a [Raw] holds where nothing is.
var Null = Raw{0xf6}
