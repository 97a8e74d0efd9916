package array

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/reference/vectors"
)

// TestPlatforms compares arrays and errors with a file that is the same on every platform.
func TestPlatforms(t *testing.T) {
	var inputs []vectors.Input
	add := func(name string, write func(b *bytes.Buffer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, vectors.Input{Name: name, Bytes: b.Bytes(), Changes: b.Len()})
	}
	add("int32", func(b *bytes.Buffer) error {
		return Write(b, []int32{1, -2, 3, 1 << 30, 5, 6}, NPY.WithOrder(binary.BigEndian).WithShape(2, 3))
	})
	add("float64", func(b *bytes.Buffer) error {
		return Write(b, []float64{1.5, -2}, NPY.WithOrder(binary.LittleEndian))
	})
	vectors.Check(t, "testdata/platforms.txt", inputs, func(name string, b []byte) string {
		var values any
		var info Info
		var err error
		if name == "int32" {
			values, info, err = Read[int32](bytes.NewReader(b))
		} else {
			values, info, err = Read[float64](bytes.NewReader(b))
		}
		var e *Error
		if errors.As(err, &e) {
			return fmt.Sprintf("at %d: %v", e.Offset, err)
		}
		return fmt.Sprint(values, " ", info, " ", err)
	})
}
