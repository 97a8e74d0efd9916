package binary

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/octet-go/octet/internal/reference/vectors"
)

type platformHeader struct {
	Magic  [3]byte
	Flags  bool
	Length uint32
	Offset int64
	Ratio  float32
	Parts  [2]struct {
		ID   int16
		_    uint8
		Kind uint8
	}
}

// TestPlatforms compares results and errors with a file that is the same on every platform.
func TestPlatforms(t *testing.T) {
	header := []byte("abc\x01\x00\x00\x01\x2c\xff\xff\xff\xff\xff\xff\xff\xfe\x3f\xc0\x00\x00\x01\x02\x00\x09\xff\xfe\x00\x05")
	inputs := []vectors.Input{
		{Name: "header", Bytes: header, Changes: 100},
		{Name: "longer", Bytes: append(header, 1, 2, 3), Changes: 10},
		{Name: "varint", Bytes: []byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x05"), Changes: 40},
		{Name: "chain", Bytes: []byte("\x00\x02hi\x00\x00\x00\x01\x00\x07\x81\x01abc"), Changes: 80},
	}
	vectors.Check(t, "testdata/platforms.txt", inputs, func(_ string, b []byte) string {
		var text string
		for _, order := range []ByteOrder{BigEndian, LittleEndian} {
			var decoded, read platformHeader
			n, err := Decode(b, order, &decoded)
			text += fmt.Sprintf("%d %v %v; ", n, err, decoded)
			r := bytes.NewReader(b)
			if err := Read(r, order, &read); err != nil || read != decoded {
				text += fmt.Sprintf("read %v %v; ", err, read)
			}
			numbers := make([]uint32, 3)
			n, err = GetSlice(b, order, numbers)
			text += fmt.Sprintf("%d %v %d; ", n, err, numbers)
		}
		u, n := Uvarint(b)
		i, m := Varint(b)
		text += fmt.Sprintf("%d %d %d %d; ", u, n, i, m)
		r := NewReader(bytes.NewReader(b), BigEndian)
		s, list, size := r.Uint16String(), r.Uint16Slice(int(r.Uint32()%1000)), r.Uvarint()
		rest := r.ByteSlice(int(size % 1000))
		n, err := r.End()
		return text + fmt.Sprintf("%q %d %d %x %d %v", s, list, size, rest, n, err)
	})
}
