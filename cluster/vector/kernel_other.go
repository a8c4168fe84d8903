//go:build !amd64

package vector

func dot(a, b []int8) int32 { return dotPortable(a, b) }

func scan(heads [2][]byte, sizes []size, p *pass, terms *[together]term, shift uint, masks []byte) {
	scanPortable(heads, sizes, p, terms, shift, masks)
}

func products(query Vector, rows []int8, places *[listed + ahead]int32, out []int32) {
	productsPortable(query, rows, places, out)
}
