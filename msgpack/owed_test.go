package msgpack_test

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestOwedAtEmptyContainers decodes messages that end behind an empty container, although
// further fields are owed. Whatever the type of the container, the error is that of Valid.
func TestOwedAtEmptyContainers(t *testing.T) {
	type inner struct{ X int }
	for _, format := range []byte{0x90, 0x80} {
		data := []byte{0x83, 0xa1, 'A', 0xa5, 'h', 'e', 'l', 'l', 'o', 0xa1, 'B', format}
		want := msgpack.Valid(data).Error()
		want = want[strings.Index(want, "at offset"):]
		targets := map[byte][]any{
			0x90: {&struct {
				A string
				B []int
			}{}, &struct {
				A string
				B []inner
			}{B: []inner{{1}}}, &struct {
				A string
				B []string
			}{}, &struct {
				A string
				B any
			}{}},
			0x80: {&struct {
				A string
				B map[string]int
			}{}, &struct {
				A string
				B inner
			}{}, &struct {
				A string
				B *inner
			}{}, &struct {
				A string
				B any
			}{}},
		}
		for _, v := range targets[format] {
			for range 2 { // into a new value and into a used one
				err := msgpack.Unmarshal(data, v)
				if err == nil || !strings.Contains(err.Error(), strings.TrimSuffix(want, ": truncated input")) {
					t.Errorf("%T: got %v, want an error %s", v, err, want)
				}
			}
		}
	}
}
