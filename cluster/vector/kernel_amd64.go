package vector

import "golang.org/x/sys/cpu"

// wide is whether the processor has AVX2. Tests turn it off to compare.
var wide = cpu.X86.HasAVX2

//go:noescape
func dotAVX2(a, b *int8, n int) int32

//go:noescape
func scanAVX2(heads *byte, sizes *size, values *int8, terms *term, masks *byte, blocks, pairs, shift int)

//go:noescape
func boundAVX2(short, more *byte, sizes *size, shortValues, moreValues *int8, t *term, shortPairs, morePairs, shift int) byte

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

func scan(heads []byte, sizes []size, p *pass, head int, shift uint, masks []byte) {
	if !wide || len(sizes) == 0 {
		scanPortable(heads, sizes, p, head, shift, masks)
		return
	}
	scanAVX2(&heads[0], &sizes[0], &p.values[0][0], &p.terms[0][0], &masks[0], len(sizes)/block, head/pairDims, int(shift))
}

func bound(short, more []byte, sizes []size, p *pass, query int, shift uint) byte {
	if !wide {
		return boundPortable(short, more, sizes, p, query, shift)
	}
	const width = pairDims * block
	_ = sizes[block-1]
	return boundAVX2(&short[0], &more[0], &sizes[0], &p.values[0][query*width], &p.values[1][query*width],
		&p.terms[1][query], len(short)/width, len(more)/width, int(shift))
}
