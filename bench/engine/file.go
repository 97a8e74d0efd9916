package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// store writes v as JSON to path and creates its directory. compact shortens the text.
func store(path string, v any, compact func(text []byte) []byte) error {
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	if err := os.WriteFile(path, append(compact(text), '\n'), 0o666); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// load reads what store has written. The error of check is for content that no run writes, so that other JSON files are not
// mistaken for results.
func load[T any](path string, check func(*T) error) (*T, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	v := new(T)
	if err := json.Unmarshal(text, v); err != nil {
		return nil, fmt.Errorf("bench: %s: %w", path, err)
	}
	if err := check(v); err != nil {
		return nil, fmt.Errorf("bench: %s: %w", path, err)
	}
	return v, nil
}
