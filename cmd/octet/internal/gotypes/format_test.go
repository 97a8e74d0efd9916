package gotypes

import (
	"bytes"
	"go/format"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestFormatted checks that Source has the form that gofmt writes.
func TestFormatted(t *testing.T) {
	var b []byte
	for i := range 3 {
		b = wire.AppendMapHeader(b, uint32(3+i))
		for n, key := range []string{"id", "größe-long name", "a", "sometimes", "-"}[:3+i] {
			b = wire.AppendString(b, key)
			switch n {
			case 1:
				b = wire.AppendTimestamp(b, 1, 0)
			case 2:
				b = wire.AppendExt(wire.AppendArrayHeader(b, 1), 5, []byte{1})
			default:
				b = wire.AppendInt(b, int64(n))
			}
		}
	}
	var c Sampler
	if err := c.Add(scan.New(bytes.NewReader(b), 0)); err != nil {
		t.Fatal(err)
	}
	got, err := c.Source(Options{Package: "p", Type: "Values", Plural: true})
	if err != nil {
		t.Fatal(err)
	}
	want, err := format.Source(got)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Source returned\n%s\ngofmt writes (error %v)\n%s", got, err, want)
	}
}
