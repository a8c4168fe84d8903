package vector

// dotPortable is the reference that every kernel must equal.
func dotPortable(a, b []int8) int32 {
	var sum int32
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

// scanPortable is the reference of the kernel that tries the short heads of many
// blocks. masks has a row of chunk bytes for each query.
func scanPortable(heads []byte, sizes []size, p *pass, head int, shift uint, masks []byte) {
	for b := range len(sizes) / block {
		for q := range together {
			var mask byte
			for item := range block {
				sum := headProduct(heads[b*block*head:], p.values[0], head, item, q)
				mask |= p.terms[0][q].passes(sum, sizes[b*block+item], shift) << item
			}
			masks[q*chunk+b] = mask
		}
	}
}

// boundPortable is the reference of the kernel that tries the long heads of one
// block: short heads, and what long ones have besides. It takes what can be skipped
// from the first byte of each query's row of masks.
func boundPortable(short, more []byte, sizes []size, p *pass, shift uint, masks []byte) {
	for q := range together {
		var mask byte
		for item := range block {
			sum := headProduct(short, p.values[0], len(short)/block, item, q) + headProduct(more, p.values[1], len(more)/block, item, q)
			mask |= p.terms[1][q].passes(sum, sizes[item], shift) << item
		}
		masks[q*chunk] &= mask
	}
}

// passes is 1 unless the bound skips an item, by the product of the heads.
func (t term) passes(product int32, s size, shift uint) byte {
	if (product+t.bias)<<shift+int32(t.tail)*int32(s.tail)+int32(t.need)*int32(s.norm) >= 0 {
		return 1
	}
	return 0
}

// headProduct is the product of an item's head, with its offset, and a query's.
func headProduct(heads []byte, values []int8, head, item, query int) int32 {
	const width = group * block // bytes of one group of all items
	var sum int32
	for g := range head / group {
		stored := heads[g*width+item*group:][:group]
		asked := values[g/2*stride+query*2*width+g%2*width:][:group]
		for i := range group {
			sum += int32(stored[i]) * int32(asked[i])
		}
	}
	return sum
}
