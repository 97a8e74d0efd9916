package console

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// FuzzJSONPainter colors any bytes, at once and byte by byte. Without the colors
// they are the same.
func FuzzJSONPainter(f *testing.F) {
	f.Add([]byte("{\"a\\\"\":1.5e+3,\"b\":[\"c\",-2,null,{\"d\":true}],\"e\":{}}\n\"f\"\n7\n"))
	f.Add([]byte("]}\"\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.IndexByte(text, 0x1b) >= 0 {
			return
		}
		p := NewPalette(true)
		var whole, parts bytes.Buffer
		heaptest.AtMost(t, 200*len(text)+2<<20, func() {
			if n, err := NewJSONPainter(&whole, p).Write(text); n != len(text) || err != nil {
				t.Fatal(n, err)
			}
		})
		w := NewJSONPainter(&parts, p)
		for i := range text {
			if _, err := w.Write(text[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(whole.Bytes(), parts.Bytes()) {
			t.Errorf("at once %q, in parts %q", &whole, &parts)
		}
		if bare := escapes.ReplaceAll(whole.Bytes(), nil); !bytes.Equal(bare, text) {
			t.Errorf("%q became %q", text, bare)
		}
	})
}
