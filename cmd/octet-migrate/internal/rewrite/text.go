package rewrite

import (
	"bytes"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
)

// Files returns the new text of the files that change, formatted like gofmt if they were.
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
		if files[name], err = likeBefore(old, text); err != nil {
			return nil, fmt.Errorf("%s: the result is not Go: %w", name, err)
		}
	}
	for name, text := range r.New {
		files[name] = []byte(text)
	}
	return files, nil
}

// likeBefore formats text if the old text was formatted, and gives it the same line ends.
func likeBefore(old, text []byte) ([]byte, error) {
	crlf, lf := []byte("\r\n"), []byte("\n")
	windows := bytes.Contains(old, crlf) && bytes.Count(old, crlf) == bytes.Count(old, lf)
	if windows {
		old = bytes.ReplaceAll(old, crlf, lf)
		text = bytes.ReplaceAll(text, crlf, lf)
	}
	if formatted, err := format.Source(old); err != nil || bytes.Equal(formatted, old) {
		if text, err = format.Source(text); err != nil {
			return nil, err
		}
	} else if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); err != nil {
		return nil, err
	}
	if windows {
		text = bytes.ReplaceAll(text, lf, crlf)
	}
	return text, nil
}
