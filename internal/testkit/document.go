package testkit

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// ValueAt is the value at a path such as "outcomes.0.status" of the one JSON document
// that text holds; the step "len" of an array is its length. More than one document,
// or a path that leads nowhere, is an error.
func ValueAt(text, path string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	if d.More() {
		return "", fmt.Errorf("more than one document")
	}
	for _, step := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			if step == "len" {
				v = json.Number(strconv.Itoa(len(x)))
				continue
			}
			n, err := strconv.Atoi(step)
			if err != nil || n >= len(x) {
				return "", fmt.Errorf("no %s in %s", step, path)
			}
			v = x[n]
		default:
			return "", fmt.Errorf("no %s in %s", step, path)
		}
	}
	return fmt.Sprint(v), nil
}
