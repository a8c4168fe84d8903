package vector

import "golang.org/x/sys/cpu"

// wide is whether the processor has AVX2. Tests turn it off to compare.
var wide = cpu.X86.HasAVX2

//go:noescape
func dotAVX2(a, b *int8, n int) int32

//go:noescape
func scanAVX2(first, second *byte, sizes *size, values *int8, terms *term, masks *byte, blocks, pairs, more, shift int)

// dotWidth is the number of values that dotAVX2 takes at a time.
const dotWidth = 32

func dot(a, b []int8) int32 {
	n := len(a) / dotWidth * dotWidth
	if !wide || n == 0 {
		return dotPortable(a, b)
	}
	_ = b[len(a)-1]
	return dotAVX2(&a[0], &b[0], n) + dotPortable(a[n:], b[n:])
}

func scan(heads [2][]byte, sizes []size, p *pass, terms *[together]term, shift uint, masks []byte) {
	if !wide || len(sizes) == 0 {
		scanPortable(heads, sizes, p, terms, shift, masks)
		return
	}
	const pair = pairDims * block
	blocks := len(sizes) / block
	first, more := &heads[0][0], len(heads[1])/blocks/pair
	second := first
	if more > 0 {
		second = &heads[1][0]
	}
	scanAVX2(first, second, &sizes[0], &p.values[0], &terms[0], &masks[0], blocks, len(heads[0])/blocks/pair, more, int(shift))
}

//go:noescape
func productsAVX2(query, rows *int8, places, out *int32, count, dims, n int)

// products are the inner products of a query and the rows at places. ahead more
// places follow those in memory: they are not used but to read ahead.
func products(query Vector, rows []int8, places *[listed + ahead]int32, out []int32) {
	dims := len(query)
	n := dims / dotWidth * dotWidth
	if !wide || n == 0 {
		productsPortable(query, rows, places, out)
		return
	}
	productsAVX2(&query[0], &rows[0], &places[0], &out[0], len(out), dims, n)
	if n == dims {
		return
	}
	for i, place := range places[:len(out)] {
		out[i] += dotPortable(query[n:], rows[int(place)*dims+n:][:dims-n])
	}
}
