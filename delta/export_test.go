package delta

// Encode is the payload of d, unchecked.
func Encode(d Delta) []byte { return d.encode() }
