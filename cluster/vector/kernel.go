package vector

// dotPortable is the reference that every kernel must equal.
func dotPortable(a, b []int8) int32 {
	var sum int32
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

func dot(a, b []int8) int32 { return dotPortable(a, b) }
