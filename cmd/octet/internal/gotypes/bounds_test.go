package gotypes

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestBounds samples a map with very many keys.
func TestBounds(t *testing.T) {
	const keys = 200_000
	data := wire.AppendMapHeader(nil, keys)
	for i := range keys {
		data = wire.AppendString(data, fmt.Sprint("key ", i))
		data = append(data, 0x81, 0xa1, 'x', byte(i%100))
	}
	var c Sampler
	if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
		t.Fatal(err)
	}
	s, _ := c.Schema(Options{Type: "T"})
	if root := s.Root.Type; root.Kind != msgpack.FormMap || root.Elem.Type.Kind != msgpack.FormStruct || c.shapes > 2*maxFields+10 {
		t.Errorf("%d shapes: %s", c.shapes, s)
	}
}

// TestFoldIsLinear puts a value with many shapes into maps that become Go maps, one inside
// the other. Each of them joins its values, after those inside it.
func TestFoldIsLinear(t *testing.T) {
	inner := []byte{0x01}
	for range 50 {
		const keys = 100
		level := wire.AppendMapHeader(nil, keys)
		for i := range keys - 1 {
			level = append(wire.AppendString(level, fmt.Sprint("k", i)), 1)
		}
		inner = append(append(level, 0xa1, 'z'), inner...)
	}
	allocated := func(maps int) float64 {
		data := bytes.Repeat([]byte{0x82, 0xa1, 'm'}, maps)
		data = append(append(data, inner...), bytes.Repeat([]byte{7, 8}, maps)...) // keys that are no names
		return testing.AllocsPerRun(1, func() {
			var c Sampler
			if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := allocated(2), allocated(200); many > 2*few {
		t.Errorf("%.0f allocations for 2 maps around the same value, %.0f for 200", few, many)
	}
}

// TestMergeCounts joins structs that together have more fields than a struct may have,
// and requires that each value is counted once.
func TestMergeCounts(t *testing.T) {
	var data []byte
	const keys = 200
	data = wire.AppendMapHeader(data, 2)
	for i := range 2 {
		data = wire.AppendMapHeader(append(data, 0xa3, 'm', '/', 'a'+byte(i)), keys)
		for k := range keys {
			data = append(wire.AppendString(data, fmt.Sprint(max(k-100, 0)*i, " ", k)), 7)
		}
	}
	var c Sampler
	if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
		t.Fatal(err)
	}
	c.Root.fold()
	inner := c.Root.value
	if inner.value == nil || inner.maps != 2 || inner.key.texts != 2*keys || inner.value.ints != 2*keys {
		t.Errorf("%d maps, keys %+v, values %+v", inner.maps, inner.key, inner.value)
	}
}

// TestMalformedTimestamp requires the error that decoding into a variable of type any returns.
func TestMalformedTimestamp(t *testing.T) {
	for _, value := range []string{"\xd4\xff\x01", "\xd7\xff\xff\xff\xff\xff\x00\x00\x00\x00", "\xd8\xff0123456789abcdef"} {
		var c Sampler
		if err := c.Add(scan.New(strings.NewReader("\x01\x91"+value), 0)); !errors.Is(err, wire.ErrTimestamp) || strings.Contains(err.Error(), "found 1 bytes") {
			t.Errorf("% x: %v", value, err)
		}
	}
	var c Sampler
	if err := c.Add(scan.New(strings.NewReader("\xd6\xff0123\xd4\x05a"), 0)); err != nil || c.Root.times != 1 || c.Root.exts != 1 {
		t.Errorf("%v, %+v", err, c.Root)
	}
}
