package arrays

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
)

// A Description is what the header of an array says, for JSON.
type Description struct {
	Name    string `json:"name,omitempty"`
	Format  string `json:"format"`
	Version string `json:"version,omitempty"`
	Type    string `json:"type"`
	Order   string `json:"order,omitempty"`
	Shape   []int  `json:"shape"`
	Fortran bool   `json:"fortran"`
	Len     int    `json:"elements"`
	Offset  int64  `json:"offset"`
	Bytes   int64  `json:"bytes"`
}

// Describe returns the Description of an array. The name is empty, unless the array is
// in a .npz file.
func Describe(name string, i array.Info) Description {
	d := Description{
		Name: name, Format: i.Format.String(), Type: i.Kind.String(), Shape: i.Shape, Fortran: i.Fortran,
		Len: i.Len, Offset: i.Offset, Bytes: int64(i.Len) * int64(i.ElementSize()),
	}
	if i.Format.String() == NPY {
		d.Version = fmt.Sprintf("%d.%d", i.Version[0], i.Version[1])
	}
	if i.ElementSize() > 1 {
		d.Order = "little"
		if i.Order == binary.ByteOrder(binary.BigEndian) {
			d.Order = "big"
		}
	}
	return d
}

// Text returns a line for each field.
func (d Description) Text() string {
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "%-9s %s\n", name, value) }
	if d.Name != "" {
		line("name", d.Name)
	}
	line("format", strings.TrimSpace(d.Format+" "+d.Version))
	kind := d.Type
	if d.Order != "" {
		kind += ", " + d.Order + "-endian"
	}
	line("type", kind)
	shape := strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Shape), " ", " × "), "[]")
	switch {
	case len(d.Shape) == 0:
		shape = "a single element"
	case len(d.Shape) > 1 && d.Fortran:
		shape += ", Fortran order"
	case len(d.Shape) > 1:
		shape += ", C order"
	}
	line("shape", shape)
	line("elements", humanize.Comma(int64(d.Len)))
	line("bytes", fmt.Sprintf("%s from offset %d", humanize.Comma(d.Bytes), d.Offset))
	return b.String()
}
