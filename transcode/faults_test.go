package transcode_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
	"github.com/octet-go/octet/transcode"
)

// documents returns n JSON documents on lines of their own.
func documents(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"n\":%d,\"text\":\"%0*d\",\"list\":[1.5,true,null]}\n", i, i%40, i)
	}
	return b.Bytes()
}

// TestFaultySources converts streams from readers that fail at every position.
// BytesOut must be what was written.
func TestFaultySources(t *testing.T) {
	json := documents(20)
	packed, err := transcode.AppendMsgpackValues(nil, json, nil)
	if err != nil {
		t.Fatal(err)
	}
	convert := func(stream func(w io.Writer, r io.Reader, o *transcode.Options) (transcode.Stats, error)) func(r io.Reader) (any, error) {
		return func(r io.Reader) (any, error) {
			var out bytes.Buffer
			stats, err := stream(&out, r, nil)
			if stats.BytesOut != int64(out.Len()) {
				t.Errorf("BytesOut is %d of %d bytes", stats.BytesOut, out.Len())
			}
			return out.String(), err
		}
	}
	faulty.TestSources(t, []faulty.Source{
		{Name: "ToMsgpack", Input: json, Read: convert(transcode.ToMsgpack), ToEnd: true, Prefixes: true},
		{Name: "ToJSON", Input: packed, Read: convert(transcode.ToJSON), ToEnd: true, Prefixes: true},
	})
}

// TestFaultySinks converts streams to writers that fail at every position.
func TestFaultySinks(t *testing.T) {
	json := documents(20)
	long := documents(2000)
	packed, err := transcode.AppendMsgpackValues(nil, json, nil)
	if err != nil {
		t.Fatal(err)
	}
	faulty.TestSinks(t, []faulty.Sink{
		{Name: "ToMsgpack", Write: func(w io.Writer) error {
			_, err := transcode.ToMsgpack(w, bytes.NewReader(json), nil)
			return err
		}},
		{Name: "ToMsgpack long", Write: func(w io.Writer) error {
			_, err := transcode.ToMsgpack(w, bytes.NewReader(long), nil)
			return err
		}},
		{Name: "ToJSON", Write: func(w io.Writer) error {
			_, err := transcode.ToJSON(w, bytes.NewReader(packed), nil)
			return err
		}},
	})
}
