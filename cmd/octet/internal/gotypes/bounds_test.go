package gotypes

import (
	"bytes"
	"fmt"
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
