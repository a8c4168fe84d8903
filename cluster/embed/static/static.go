// Package static is the built-in embedder: a table of one vector for each word
// piece, distilled from all-MiniLM-L6-v2, and their weighed sum. After the table
// all is integer arithmetic, so a text has one vector on every machine.
//
// weights.bin and vocab.txt are rebuilt byte for byte by package pack; NOTICE names
// their origin and licence. The tour: static.go sums, pieces.go cuts words into
// pieces, normal.go prepares a text as the model was taught to expect it.
package static

import (
	"context"
	_ "embed" // weights.bin, vocab.txt
	"encoding/binary"
	"strings"
	"sync"

	"consilience/cluster/vector"
)

// Name is the model's name in a policy.
const Name = "minilm-words-256"

// Dims is the number of dimensions.
const Dims = 256

// maxPieces is how much of a text counts; the sums stay far inside of int64.
const maxPieces = 4096

//go:embed weights.bin
var weights string

//go:embed vocab.txt
var vocabulary string

// table is the weights: for each piece a scale and a row of int8.
type table struct {
	pieces map[string]int32
	scales string // little-endian uint16
	rows   string // Dims int8 each
}

var load = sync.OnceValue(func() table {
	n := int(binary.LittleEndian.Uint32([]byte(weights[:4])))
	t := table{make(map[string]int32, n), weights[8 : 8+2*n], weights[8+2*n:]}
	id := int32(0)
	for piece := range strings.Lines(vocabulary) {
		t.pieces[strings.TrimSuffix(piece, "\n")] = id
		id++
	}
	return t
})

// Embedder is the built-in model.
type Embedder struct{ table table }

// New returns the built-in model. It is safe for concurrent use.
func New() *Embedder { return &Embedder{load()} }

// Model returns [Name].
func (*Embedder) Model() string { return Name }

// Dims returns [Dims].
func (*Embedder) Dims() int { return Dims }

// Fixed reports true: the vector of a text is a function of the text.
func (*Embedder) Fixed() bool { return true }

// Embed returns the vectors of texts. It returns the context's error and no other.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([]vector.Vector, error) {
	out := make([]vector.Vector, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = e.Vector(t)
	}
	return out, nil
}

// Vector is the vector of one text.
func (e *Embedder) Vector(text string) vector.Vector {
	var sums [Dims]int64
	left := maxPieces
	tokens(text, func(word string) bool {
		e.table.cut(word, func(piece int32) {
			if left--; left >= 0 {
				e.table.add(&sums, int(piece))
			}
		})
		return left > 0
	})
	return scaled(&sums)
}

func (t table) add(sums *[Dims]int64, piece int) {
	scale := int64(t.scales[2*piece]) | int64(t.scales[2*piece+1])<<8
	row := t.rows[piece*Dims : (piece+1)*Dims]
	for d := range sums {
		sums[d] += scale * int64(int8(row[d]))
	}
}

// scaled brings the largest sum to [vector.Peak], each rounded half away from zero.
func scaled(sums *[Dims]int64) vector.Vector {
	var largest int64
	for _, s := range sums {
		largest = max(largest, s, -s)
	}
	v := make(vector.Vector, Dims)
	if largest == 0 {
		return v
	}
	for d, s := range sums {
		half := largest / 2
		if s < 0 {
			half = -half
		}
		v[d] = int8((vector.Peak*s + half) / largest)
	}
	return v
}
