package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/layout/formats"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzRun shows any bytes in every form. How they arrive makes no difference, each
// line of JSON is JSON, and a fault is where wire.Skip finds one.
func FuzzRun(f *testing.F) {
	for _, s := range []string{
		"", "\xc0", "\x82\xa1a\x92\x01\xcd\x01\x00\xa1a\xc4\x03\x92\x01\x02", "\xd6\xff\x00\x00\x00\x01", "\xc7\x03\x05\x81\xa0\x01", "\xc1",
		"\xdd\xff\xff\xff\xff\x01", "\xdb\x00\x00\x01\x00abc", "\xa2\xff\xfe", "\xd9\x04\x1b[2J", "\x91\x91\x91\x91\xc0",
	} {
		f.Add([]byte(s), "", uint8(60))
		f.Add([]byte(s), "a[1]", uint8(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, text string, width uint8) {
		path, err := locate.Parse(text)
		if err != nil {
			path = nil
		}
		var end int
		var fault error
		for end < len(data) && fault == nil {
			var n int
			n, fault = wire.Skip(data[end:], wire.MaxDepth)
			end += n
		}
		for _, o := range []Options{all, {JSON: true, Depth: -1, Limit: -1, Width: 80, Palette: console.NewPalette(false)},
			{Nested: true, Depth: int64(width % 5), Limit: 2, Width: int(width), Palette: console.NewPalette(true), Path: path}} {
			var whole, parts bytes.Buffer
			var result Result
			var err error
			heaptest.AtMost(t, 2000*len(data)+4<<20, func() {
				whole = bytes.Buffer{}
				result, err = Run(&whole, bytes.NewReader(data), 0, o)
			})
			_, partsErr := Run(&parts, iotest.OneByteReader(bytes.NewReader(data)), 0, o)
			if !bytes.Equal(whole.Bytes(), parts.Bytes()) || (err == nil) != (partsErr == nil) {
				t.Fatalf("at once %v:\n%s\nin parts %v:\n%s", err, &whole, partsErr, &parts)
			}
			if whole.Len() > 200*len(data)*(40+int(width))+4096 {
				t.Errorf("%d bytes are shown as %d", len(data), whole.Len())
			}
			if len(o.Path) > 0 || o.Limit >= 0 || o.Depth >= 0 {
				continue
			}
			var place *scan.Fault
			if errors.Is(fault, wire.ErrTimestamp) { // Run goes on after it
				if err == nil && result.Findings == 0 {
					t.Fatalf("% x: no finding, Skip %v", data, fault)
				}
			} else if (err == nil) != (fault == nil) || err != nil && !errors.As(err, &place) {
				t.Fatalf("% x: %v, Skip %v", data, err, fault)
			}
			if o.JSON {
				for d := json.NewDecoder(&whole); ; {
					var v any
					if err := d.Decode(&v); err == io.EOF {
						break
					} else if err != nil {
						t.Fatal(err)
					}
				}
			} else if place != nil && Explain(place, o.Palette, 80) == "" {
				t.Error("no explanation")
			}
		}
	})
}

// FuzzMessages shows any bytes as the messages of each format.
func FuzzMessages(f *testing.F) {
	names := formats.Names()
	f.Add(uint8(0), []byte("\x02\x00\x00\x00\x00"))
	for i := range names {
		f.Add(uint8(i), []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x00IEND\xae\x42\x60\x82"))
		f.Add(uint8(i), []byte("\x30\x05\x00\x01aXY\xc0\x00"))
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		format, _ := formats.Lookup(names[int(i)%len(names)])
		var tree, lines bytes.Buffer
		var err error
		heaptest.AtMost(t, 2000*len(data)+8<<20, func() {
			tree = bytes.Buffer{}
			_, err = Messages(&tree, data, format, all)
		})
		o := all
		o.JSON = true
		_, jsonErr := Messages(&lines, data, format, o)
		if (err == nil) != (jsonErr == nil) {
			t.Fatalf("tree %v, JSON %v", err, jsonErr)
		}
		for d := json.NewDecoder(&lines); ; {
			var v any
			if err := d.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}
