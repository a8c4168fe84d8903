package vector

// sumPortable is the reference of the kernel that takes one part of some blocks for one
// query: it adds the part's products to sums, and takes the vectors that the bound
// skips from masks.
func sumPortable(heads []byte, sizes []size, values []int8, t *term, shift uint, sums []int32, masks []byte) {
	width := len(values)
	for b := range masks {
		var mask byte
		for item := range block {
			at := b*block + item
			sums[at] += t.bias
			for g := range width / group {
				stored := heads[b*block*width+g*group*block+item*group:][:group]
				for i, x := range stored {
					sums[at] += int32(x) * int32(values[g*group+i])
				}
			}
			mask |= term{tail: t.tail, need: t.need}.passes(sums[at], sizes[at], shift) << item
		}
		masks[b] &= mask
	}
}
