// Package embed turns texts into vectors. An [Embedder] is one model: built in and
// the same on every machine (package static), or behind an endpoint ([Remote]).
// Vectors of different models are never compared, which is why a model has a name
// that the policy of a space writes down.
package embed

import (
	"context"

	"consilience/cluster/vector"
)

// None is the name of no model: texts join by their content only.
const None = "none"

// Embedder makes vectors. It MUST NOT look at more than the text: one text has one
// vector. It is safe for concurrent use.
type Embedder interface {
	// Model names the model; another name is another model.
	Model() string
	// Dims is the number of dimensions of every vector.
	Dims() int
	// Fixed reports that the model gives the same vector on every machine, so that
	// a replay may compute what is not stored.
	Fixed() bool
	// Embed returns a vector for each text, in order. A text of which nothing is
	// known has a vector of zeros.
	Embed(ctx context.Context, texts []string) ([]vector.Vector, error)
}
