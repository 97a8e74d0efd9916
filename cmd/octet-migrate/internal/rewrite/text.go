package rewrite

import (
	"fmt"
	"go/format"
	"go/token"
)

// Files returns the new text of the files that change, formatted like gofmt.
func (r Result) Files(fset *token.FileSet, read func(name string) ([]byte, error)) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, edits := range r.Edits {
		old, err := read(name)
		if err != nil {
			return nil, err
		}
		var text []byte
		at := 0
		for _, e := range edits {
			from, to := fset.PositionFor(e.Start, false).Offset, fset.PositionFor(e.End, false).Offset
			text = append(append(text, old[at:from]...), e.Text...)
			at = to
		}
		text = append(text, old[at:]...)
		formatted, err := format.Source(text)
		if err != nil {
			return nil, fmt.Errorf("%s: the result is not Go: %w", name, err)
		}
		files[name] = formatted
	}
	for name, text := range r.New {
		files[name] = []byte(text)
	}
	return files, nil
}
