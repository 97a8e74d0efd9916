package page

import (
	"bytes"
	"encoding/json"
	"io"
)

// WriteElement writes a script for other web pages. It defines the element
// octet-inspector, which shows a page without data in a frame and gives it the file that
// its attribute src names.
func WriteElement(w io.Writer) error {
	var page bytes.Buffer
	if err := Write(&page, "", nil); err != nil {
		return err
	}
	text, err := json.Marshal(page.String())
	if err != nil {
		return err
	}
	code, err := web.ReadFile("web/element.js")
	if err != nil {
		return err
	}
	for _, part := range [][]byte{[]byte("(() => {\nconst page = "), text, []byte(";\n"), code, []byte("})();\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
