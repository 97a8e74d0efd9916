package langs

import (
	"bytes"
	"go/format"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
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
	got, err := goSource(sample(t, b), inference{gotypes.Options{Type: "Values", Plural: true}, "p"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := format.Source(got)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Source returned\n%s\ngofmt writes (error %v)\n%s", got, err, want)
	}
}
