package layout_test

import (
	"encoding/binary"
	"fmt"
	"reflect"

	"github.com/octet-go/octet/layout"
)

// sample is a type with functions as octet-gen writes them, which count their calls. They leave what is not usual, here
// values above 99, to the plan.
type sample struct {
	Value uint16 `layout:"be"`
}

var sampleAppends, sampleDecodes int

func (*sample) OctetLayout() layout.Generated[sample] {
	return layout.Generated[sample]{
		Fingerprint: sampleFingerprint,
		Append: func(dst []byte, v *sample) ([]byte, bool) {
			sampleAppends++
			if v.Value > 99 {
				return append(dst, "garbage"...), false
			}
			return append(dst, 0, byte(v.Value)), true
		},
		Decode: func(data []byte, v *sample) int {
			sampleDecodes++
			if len(data) < 2 || binary.BigEndian.Uint16(data) > 99 {
				return -1
			}
			v.Value = uint16(data[1])
			return 2
		},
	}
}

// sampleFingerprint is that of sample.
const sampleFingerprint = "bb6d3541c9684a86"

func ExampleCodec_Outline() {
	type header struct {
		Length uint16 `layout:"be,len=Text"`
		Text   string
	}
	m, err := (*layout.Codec)(nil).Outline(reflect.TypeFor[header]())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range m.Root.Fields {
		fmt.Println(f.Selector, f.Go, f.Width, f.TakesRest)
	}
	// Output:
	// Length uint16 2 false
	// Text string 0 false
}

// A checksum of the predefined ones, over a message that contains it.
func ExampleChecksum() {
	header := []byte{0x45, 0, 0, 28, 0, 1, 0, 0, 64, 17, 0x66, 0xce, 10, 0, 0, 1, 10, 0, 0, 2}
	inet := layout.Checksum("inet")
	fmt.Printf("%#x\n", inet(header, 10, 2))
	// Output: 0x66ce
}
