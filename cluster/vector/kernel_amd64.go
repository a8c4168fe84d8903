package vector

import "golang.org/x/sys/cpu"

// wide is whether the processor has AVX2. Tests turn it off to compare.
var wide = cpu.X86.HasAVX2

//go:noescape
func dotAVX2(a, b *int8, n int) int32

//go:noescape
func scanAVX2(heads *byte, sizes *size, values *int8, terms *term, masks *byte, blocks, pairs, shift int)

//go:noescape
func boundAVX2(short, more *byte, sizes *size, shortValues, moreValues *int8, terms *term, masks *byte, shortPairs, morePairs, shift int)

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

func bound(short, more []byte, sizes []size, p *pass, shift uint, masks []byte) {
	if !wide {
		boundPortable(short, more, sizes, p, shift, masks)
		return
	}
	const width = pairDims * block
	_, _ = sizes[block-1], masks[(together-1)*chunk]
	boundAVX2(&short[0], &more[0], &sizes[0], &p.values[0][0], &p.values[1][0], &p.terms[1][0], &masks[0], len(short)/width, len(more)/width, int(shift))
}
