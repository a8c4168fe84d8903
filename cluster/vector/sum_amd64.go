package vector

//go:noescape
func sumAVX2(heads *byte, sizes *size, values *int8, t *term, sums *int32, masks *byte, blocks, pairs, shift int)

func sum(heads []byte, sizes []size, values []int8, t *term, shift uint, sums []int32, masks []byte) {
	if !wide || len(masks) == 0 {
		sumPortable(heads, sizes, values, t, shift, sums, masks)
		return
	}
	n := len(masks) * block
	_, _, _ = heads[n*len(values)-1], sizes[n-1], sums[n-1]
	sumAVX2(&heads[0], &sizes[0], &values[0], t, &sums[0], &masks[0], len(masks), len(values)/pairDims, int(shift))
}
