package output

import (
	"bytes"
	"encoding/json"
	"io"
)

// JSONLines returns an encoder that writes each value on a line. It does not escape
// <, > and &, because the output is no part of a web page. Bytes of a string that are
// not UTF-8, and the character U+FFFD, become the escape \ufffd.
func JSONLines(w io.Writer) *json.Encoder {
	e := json.NewEncoder(replacing{w})
	e.SetEscapeHTML(false)
	return e
}

// replacing writes the replacement character as an escape. Package json writes it for
// bytes that are not UTF-8, as an escape in Go 1.26 and as it is since Go 1.27. A json.Encoder
// passes whole values, so no character is divided between two calls.
type replacing struct{ w io.Writer }

func (r replacing) Write(b []byte) (int, error) {
	if !bytes.Contains(b, []byte("\ufffd")) {
		return r.w.Write(b)
	}
	if _, err := r.w.Write(bytes.ReplaceAll(b, []byte("\ufffd"), []byte(`\ufffd`))); err != nil {
		return 0, err
	}
	return len(b), nil
}
