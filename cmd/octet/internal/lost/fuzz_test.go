package lost

import (
	"bytes"
	"io"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// FuzzCount compares the counts with those of package transcode.
func FuzzCount(f *testing.F) {
	f.Add([]byte("\x84\x01\x91\xca\x00\x00\x00\x00\xc4\x00\xc4\x01\xff\xd6\xff\x00\x00\x00\x00\xc0\xa1a\xd5\x05\x00\x00"))
	f.Add([]byte("\x92\xc7\x0c\xff\x00\x00\x00\x00\x7f\x00\x00\x00\x00\x00\x00\x00\x80"))
	f.Add([]byte("\x91\x81\x91\x01\x80"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := wire.Skip(data, wire.MaxDepth)
		if err != nil {
			return
		}
		stats, err := transcode.ToJSON(io.Discard, bytes.NewReader(data[:n]), nil)
		var got transcode.Changed
		heaptest.AtMost(t, 64*n+1<<20, func() {
			got = transcode.Changed{}
			Count(&got, data[:n])
		})
		if err == nil && got != stats.Changed {
			t.Errorf("%x: %+v, want %+v", data[:n], got, stats.Changed)
		}
	})
}

func TestText(t *testing.T) {
	got := Text(transcode.Changed{Bins: 1234567, Timestamps: 1, Exts: 1, Floats: 999, Keys: 2})
	want := "JSON has no form for 1,235,570 values (1,234,567 bins, 1 timestamp, 1 ext, 999 float 32s, 2 keys that are not strings)"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
