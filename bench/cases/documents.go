package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

const packed = ".json.zst"

// documents returns the paths of the JSON files in Go's source tree, or none if the Go installation has no such
// files.
func documents() ([]string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("bench: go env GOROOT: %w", err)
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "src/encoding/json/internal/jsontest/testdata")
	return filepath.Glob(filepath.Join(folder, "*"+packed))
}

// load returns a document as an untyped value.
func load(path string) (any, error) {
	text, err := unpack(path)
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// loadInto stores a document in a value of its Go type.
func loadInto(path string, v any) error {
	text, err := unpack(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("bench: %s: %w", path, err)
	}
	return nil
}

func unpack(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	text, err := d.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("bench: %s: %w", path, err)
	}
	return text, nil
}

// parse returns integers as int64, as a converter from JSON to MessagePack does.
func parse(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return convertNumbers(v)
}

// convertNumbers replaces each json.Number by an int64 if it is an integer, otherwise by a float64.
func convertNumbers(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		return v.Float64()
	case []any:
		for i := range v {
			if v[i], err = convertNumbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for k := range v {
			if v[k], err = convertNumbers(v[k]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
