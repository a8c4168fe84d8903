package vector

// dotPortable is the reference that every kernel must equal.
func dotPortable(a, b []int8) int32 {
	var sum int32
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

// scanPortable is the reference of the sketch's kernel. masks has a row of chunk
// bytes for each query.
func scanPortable(heads []byte, tails, norms []int32, p *pass, head int, shift uint, masks []byte) {
	for b := range len(tails) / block {
		for q, t := range p.terms {
			var mask byte
			for item := range block {
				sum := headProduct(heads[b*block*head:], p.values, head, item, q) - t.bias
				if (sum+t.tail*tails[b*block+item])<<shift >= t.need*norms[b*block+item] {
					mask |= 1 << item
				}
			}
			masks[q*chunk+b] = mask
		}
	}
}

// headProduct is the product of an item's head, with its offset, and a query's.
func headProduct(heads []byte, values []int8, head, item, query int) int32 {
	const width = group * block // bytes of one group of all items
	var sum int32
	for g := range head / group {
		stored := heads[g*width+item*group:][:group]
		asked := values[(g/2*together+query)*2*width+g%2*width:][:group]
		for i := range group {
			sum += int32(stored[i]) * int32(asked[i])
		}
	}
	return sum
}
