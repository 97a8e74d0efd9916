package formats

import (
	"bytes"
	"testing"

	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/layout/formats"
)

// codec returns a codec for the types of package formats.
func codec(t testing.TB) *layout.Codec {
	t.Helper()
	c, err := layout.New(formats.Options())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// messages returns all messages of a file and checks that they encode to the same
// bytes.
func messages(t *testing.T, name string, f formats.Format, data []byte) []formats.Message {
	t.Helper()
	var list []formats.Message
	for m, err := range f.Messages(data) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return list
		}
		got, err := m.Codec().Marshal(m.Value)
		if err != nil || !bytes.Equal(got, m.Data) {
			t.Errorf("%s: %s at offset %d: %v\n got % x\nwant % x", name, m.Name, m.Offset, err, got, m.Data)
		}
		list = append(list, m)
	}
	return list
}

func marshal(t *testing.T, c *layout.Codec, v any) []byte {
	t.Helper()
	data, err := c.Marshal(v)
	if err != nil {
		t.Fatalf("%+v: %v", v, err)
	}
	return data
}
