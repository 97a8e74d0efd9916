package formats

import (
	"bytes"
	"compress/zlib"
	"errors"
	"hash/crc32"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestPNG compares the chunks with image/png, and with a walk by hand.
func TestPNG(t *testing.T) {
	list := files(t, goroot(t, "src", "image", "png", "testdata"), ".png")
	chunks, pixels, broken := 0, 0, 0
	for name, data := range list {
		messages, err := messages(PNG(), data)
		config, oracle := png.DecodeConfig(bytes.NewReader(data))
		if strings.HasPrefix(name, "invalid-") {
			broken++
			want := map[string]error{
				"invalid-crc32.png": layout.ErrChecksum, "invalid-trunc.png": layout.ErrTruncated,
			}[name]
			if want != nil && !errors.Is(err, want) || want == nil && err != nil {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
			continue
		}
		if err != nil || oracle != nil {
			t.Errorf("%s: %v, image/png: %v", name, err, oracle)
			continue
		}
		off := int64(0)
		var compressed []byte
		for i, m := range messages {
			encodes(t, m)
			if m.Offset != off {
				t.Errorf("%s: message %d at offset %d, want %d", name, i, m.Offset, off)
			}
			off += int64(len(m.Data))
			c, ok := m.Value.(*PNGChunk)
			if !ok {
				continue
			}
			chunks++
			if n := len(m.Data); c.CRC != crc32.ChecksumIEEE(m.Data[4:n-4]) || int(c.Length) != n-12 || c.Type.String() != string(m.Data[4:8]) {
				t.Errorf("%s: chunk %d: %+v", name, i, c)
			}
			switch b := c.Body.(type) {
			case *PNGHeader:
				if int(b.Width) != config.Width || int(b.Height) != config.Height {
					t.Errorf("%s: %+v, image/png: %+v", name, b, config)
				}
			case *PNGData:
				compressed = append(compressed, b.Compressed...)
			case layout.Unknown:
				t.Errorf("%s: unknown chunk %s", name, c.Type)
			}
		}
		if off != int64(len(data)) {
			t.Errorf("%s: messages end at %d of %d", name, off, len(data))
		}
		r, err := zlib.NewReader(bytes.NewReader(compressed))
		if err == nil {
			var n int64
			n, err = io.Copy(io.Discard, r)
			pixels += int(n)
		}
		if err != nil {
			t.Errorf("%s: pixels: %v", name, err)
		}
	}
	t.Logf("%d files, %d of them invalid; %d chunks encode to the same bytes; %d bytes of pixels", len(list), broken, chunks, pixels)
}
