package arrays

import (
	"bytes"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

// FuzzWrite converts any bytes of every format to every other. What is written is
// read again and written as the same bytes, and the memory is bounded.
func FuzzWrite(f *testing.F) {
	formats := []string{NPY, Raw, CSV, JSON, Msgpack, ""}
	kinds := []string{"float64", "uint8", "int64", "bool", "complex64"}
	for i := range formats {
		for _, s := range []string{"", "1,2\n3,4\n", "[[1,2],[3,4]]", "\x92\x01\x02", "\x93NUMPY\x01\x00\x46\x00{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }          \n\x01\x02\x03\x04"} {
			f.Add([]byte(s), uint8(i), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which, typ uint8) {
		from_, kind := formats[int(which)%len(formats)], kinds[int(typ)%len(kinds)]
		for _, to := range []string{NPY, Raw, CSV, JSON, Msgpack} {
			var out []byte
			var err error
			heaptest.AtMost(t, 200*len(data)+8<<20, func() { out, err = converted(data, from_, kind, to) })
			if err != nil {
				if err.Error() == "" {
					t.Error("an error without a text")
				}
				continue
			}
			if to == NPY {
				again, err := converted(out, NPY, kind, NPY)
				if err != nil || !bytes.Equal(again, out) {
					t.Fatalf("%q became %q, then %q, %v", data, out, again, err)
				}
			}
		}
		open := func() (*Input, error) { return from(data, from_, kind).Open(false) }
		if o, err := Calculate(open, 4); err == nil && o.Text(60) == "" {
			t.Error("no statistics")
		}
	})
}
