package record

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	platforms "github.com/octet-go/octet/internal/reference/vectors"
)

// TestPlatforms compares records and errors with a file that is the same on every platform.
func TestPlatforms(t *testing.T) {
	file := markedFile(t, vectorMarker, Options{}, []byte{1}, []byte{0xa1, 'a'}, []byte("\x93\x01\x02\x03"))
	inputs := []platforms.Input{{Name: "file", Bytes: file, Changes: 2 * len(file)}}
	result := func(err error) string {
		var e *Error
		if errors.As(err, &e) {
			return fmt.Sprintf("at %d, record %d: %v", e.Offset, e.Record, err)
		}
		return fmt.Sprint(err)
	}
	platforms.Check(t, "testdata/platforms.txt", inputs, func(_ string, b []byte) string {
		text := "scan"
		s := NewScanner(bytes.NewReader(b), nil)
		for s.Scan() {
			text += fmt.Sprintf(" %x", []byte(s.Raw()))
		}
		text += " " + result(s.Err()) + "; file"
		f, err := NewFile(bytes.NewReader(b), int64(len(b)), nil)
		if err != nil {
			return text + " " + result(err)
		}
		for v, err := range All[any](f) {
			if err != nil {
				return text + " " + result(err)
			}
			text += fmt.Sprintf(" %v", v)
		}
		return text
	})
}
