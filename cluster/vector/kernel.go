package vector

// dotPortable is the reference that every kernel must equal.
func dotPortable(a, b []int8) int32 {
	var sum int32
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

// scanPortable is the reference of the kernel that tries the heads of many blocks, of
// which the second part may be empty. masks has a row of chunk bytes for each query.
func scanPortable(heads [2][]byte, sizes []size, p *pass, terms *[together]term, shift uint, masks []byte) {
	first := len(heads[0]) / len(sizes)
	for b := range len(sizes) / block {
		for q := range together {
			var mask byte
			for item := range block {
				at := b*block + item
				sum := headProduct(heads[0], p.values, first, at, q) + headProduct(heads[1], p.values[first/pairDims*stride:], len(heads[1])/len(sizes), at, q)
				mask |= terms[q].passes(sum, sizes[at], shift) << item
			}
			masks[q*chunk+b] = mask
		}
	}
}

// passes is 1 unless the bound skips an item, by the product of the heads.
func (t term) passes(product int32, s size, shift uint) byte {
	if (product+t.bias)<<shift+int32(t.tail)*int32(s.tail)+int32(t.need)*int32(s.norm) >= 0 {
		return 1
	}
	return 0
}

// headProduct is the product of a part of an item's head, of some width and with its
// offset, and a query's.
func headProduct(heads []byte, values []int8, width, item, query int) int32 {
	const all = group * block // bytes of one group of all items
	var sum int32
	heads = heads[item/block*block*width:]
	for g := range width / group {
		stored := heads[g*all+item%block*group:][:group]
		asked := values[g/2*stride+query*2*all+g%2*all:][:group]
		for i := range group {
			sum += int32(stored[i]) * int32(asked[i])
		}
	}
	return sum
}

// productsPortable is the reference of the kernel that multiplies a query with some
// rows.
func productsPortable(query Vector, rows []int8, places *[listed + ahead]int32, out []int32) {
	for i := range out {
		out[i] = dotPortable(query, rows[int(places[i])*len(query):][:len(query)])
	}
}
