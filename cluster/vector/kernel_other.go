//go:build !amd64

package vector

func dot(a, b []int8) int32 { return dotPortable(a, b) }

func scan(heads []byte, tails, norms []int32, p *pass, head int, shift uint, masks []byte) {
	scanPortable(heads, tails, norms, p, head, shift, masks)
}

func bound(short, more []byte, tails, norms []int32, p *pass, query int, shift uint) byte {
	return boundPortable(short, more, tails, norms, p, query, shift)
}
