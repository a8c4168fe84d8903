//go:build !amd64

package vector

func dot(a, b []int8) int32 { return dotPortable(a, b) }

func scan(heads []byte, sizes []size, p *pass, head int, shift uint, masks []byte) {
	scanPortable(heads, sizes, p, head, shift, masks)
}

func bound(short, more []byte, sizes []size, p *pass, shift uint, masks []byte) {
	boundPortable(short, more, sizes, p, shift, masks)
}
