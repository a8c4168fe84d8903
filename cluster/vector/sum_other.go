//go:build !amd64

package vector

func sum(heads []byte, sizes []size, values []int8, t *term, shift uint, sums []int32, masks []byte) {
	sumPortable(heads, sizes, values, t, shift, sums, masks)
}
