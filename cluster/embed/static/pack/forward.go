package main

import (
	"fmt"
	"math"
)

// The shape of all-MiniLM-L6-v2 (config.json of the package).
const (
	vocabulary = 30522
	hidden     = 384
	inner      = 1536
	layers     = 6
	heads      = 12
	headSize   = hidden / heads
	classToken = 101
	endToken   = 102
	normFloor  = 1e-12
)

// A token is run as the text "[CLS] token [SEP]".
const positions = 3

// batch is the number of tokens of one run.
const batch = 64

// norm is a layer normalisation.
type norm struct{ weight, bias []float32 }

// layer is a layer of the transformer.
type layer struct {
	query, key, value, mixed matrix
	attentionNorm            norm
	widen, narrow            matrix
	outputNorm               norm
}

// Model is the transformer.
type Model struct {
	words, places, kind []float32
	embeddingNorm       norm
	layers              [layers]layer
}

func newModel(t map[string][]float32) (*Model, error) {
	var missing error
	get := func(name string, size int) []float32 {
		if len(t[name]) != size {
			missing = fmt.Errorf("tensor %s has %d values, not %d", name, len(t[name]), size)
			return make([]float32, size)
		}
		return t[name]
	}
	linear := func(name string, in, out int) matrix {
		return newMatrix(get(name+".weight", in*out), get(name+".bias", out), in, out)
	}
	normal := func(name string) norm {
		return norm{get(name+".LayerNorm.weight", hidden), get(name+".LayerNorm.bias", hidden)}
	}
	m := &Model{
		words:         get("embeddings.word_embeddings.weight", vocabulary*hidden),
		places:        get("embeddings.position_embeddings.weight", 512*hidden),
		kind:          get("embeddings.token_type_embeddings.weight", 2*hidden)[:hidden],
		embeddingNorm: normal("embeddings"),
	}
	for i := range m.layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		m.layers[i] = layer{
			query:         linear(at+"attention.self.query", hidden, hidden),
			key:           linear(at+"attention.self.key", hidden, hidden),
			value:         linear(at+"attention.self.value", hidden, hidden),
			mixed:         linear(at+"attention.output.dense", hidden, hidden),
			attentionNorm: normal(at + "attention.output"),
			widen:         linear(at+"intermediate.dense", hidden, inner),
			narrow:        linear(at+"output.dense", inner, hidden),
			outputNorm:    normal(at + "output"),
		}
	}
	return m, missing
}

// tokens returns the model's output for the tokens from first to, not with, end:
// the mean over the positions, at length one.
func (m *Model) tokens(first, end int) [][]float32 {
	n := end - first
	x := make([]float32, (n*positions+3)/4*4*hidden) // product4 takes four rows at a time
	for i := range n {
		for p, id := range [positions]int{classToken, first + i, endToken} {
			row := x[(i*positions+p)*hidden:][:hidden]
			for d := range row {
				row[d] = float32(m.words[id*hidden+d]+m.kind[d]) + m.places[p*hidden+d]
			}
		}
	}
	m.embeddingNorm.apply(x)
	for i := range m.layers {
		x = m.layers[i].apply(x, n)
	}
	out := make([][]float32, n)
	for i := range out {
		out[i] = unit(x[i*positions*hidden : (i+1)*positions*hidden])
	}
	return out
}

func (l *layer) apply(x []float32, texts int) []float32 {
	q, k, v := l.query.apply(x), l.key.apply(x), l.value.apply(x)
	seen := make([]float32, len(x))
	for t := range texts {
		for h := range heads {
			attend(seen, q, k, v, t*positions, h*headSize)
		}
	}
	y := l.mixed.apply(seen)
	add(y, x)
	l.attentionNorm.apply(y)
	wide := l.widen.apply(y)
	for i, w := range wide {
		wide[i] = gelu(w)
	}
	z := l.narrow.apply(wide)
	add(z, y)
	l.outputNorm.apply(z)
	return z
}

// attend mixes the values of one text, from row first, for the head at offset.
func attend(seen, q, k, v []float32, first, offset int) {
	for p := range positions {
		var weight [positions]float64
		var sum float64
		query := q[(first+p)*hidden+offset:][:headSize]
		for o := range positions {
			var dot float32
			for d, key := range k[(first+o)*hidden+offset:][:headSize] {
				dot += float32(query[d] * key)
			}
			weight[o] = exp(float64(dot) / math.Sqrt(headSize))
			sum += weight[o]
		}
		out := seen[(first+p)*hidden+offset:][:headSize]
		for o := range positions {
			w := float32(weight[o] / sum)
			for d, value := range v[(first+o)*hidden+offset:][:headSize] {
				out[d] += float32(w * value)
			}
		}
	}
}

func add(y, x []float32) {
	for i := range y {
		y[i] += x[i]
	}
}

func (n norm) apply(x []float32) {
	for ; len(x) > 0; x = x[hidden:] {
		var mean, variance float64
		for _, v := range x[:hidden] {
			mean += float64(v)
		}
		mean /= hidden
		for _, v := range x[:hidden] {
			d := float64(v) - mean
			variance += float64(d * d)
		}
		scale := 1 / math.Sqrt(variance/hidden+normFloor)
		for i, v := range x[:hidden] {
			x[i] = float32(float32((float64(v)-mean)*scale)*n.weight[i]) + n.bias[i]
		}
	}
}

// unit is the mean of the rows of x at length one.
func unit(x []float32) []float32 {
	out := make([]float32, hidden)
	for ; len(x) > 0; x = x[hidden:] {
		add(out, x[:hidden])
	}
	var sum float64
	for _, v := range out {
		sum += float64(float64(v) * float64(v))
	}
	for i, v := range out {
		out[i] = float32(float64(v) / math.Sqrt(sum))
	}
	return out
}
