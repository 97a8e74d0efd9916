package output

import (
	"encoding/json"
	"io"
)

// JSONLines returns an encoder that writes each value on a line. It does not escape
// <, > and &, because the output is no part of a web page.
func JSONLines(w io.Writer) *json.Encoder {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e
}
