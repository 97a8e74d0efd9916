package index

import (
	"bytes"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzIndex looks up every byte of any bytes, and compares with the tokens that a
// scanner returns.
func FuzzIndex(f *testing.F) {
	for _, s := range []string{
		"", "\xc0\xc3", "\x82\xa1a\x92\x01\xcd\x01\x00\x05\xc0", "\x93\x01", "\xdd\xff\xff\xff\xff", "\xdb\xff\xff\xff\xffab", "\xdf\x80\x00\x00\x00\x01\x02", "\xc1",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			return
		}
		var x *Index
		heaptest.AtMost(t, 100*len(data)+1<<20, func() { x = of(data) })
		if x.End > len(data) || x.Fault == nil && x.End != len(data) {
			t.Fatalf("End %d of %d, fault %v", x.End, len(data), x.Fault)
		}
		s := scan.New(bytes.NewReader(data), 0)
		tokens := int64(0)
		for {
			want, err := s.Next()
			if err != nil {
				break
			}
			path := s.Path()
			if payload := int64(want.Payload); want.Offset+int64(want.Size)+payload > int64(x.End) {
				break // cut off
			}
			tokens++
			c, ok := x.At(int(want.Offset))
			if !ok || c.Token().Offset != int(want.Offset) || c.Token().Depth != want.Depth || c.Token().Role != want.Role {
				t.Fatalf("At(%d) of % x is %v, want %+v", want.Offset, data, ok, want)
			}
			if got := x.Path(c.Steps()); got != path {
				t.Fatalf("the path at %d of % x is %s, want %s", want.Offset, data, got, path)
			}
			token := *c.Token()
			size := x.Size(&token)
			if n, err := wire.Skip(data[want.Offset:], wire.MaxDepth); err == nil && size != n || size > len(data)-int(want.Offset) {
				t.Fatalf("the size at %d of % x is %d, want %d", want.Offset, data, size, n)
			}
			x.Count(&token)
			x.BeforeLine(token.Line)
			if token.IsContainer() {
				x.Child(&token, 0).Next()
				x.Child(&token, token.Header.Values()-1).Next()
			}
			x.Skip(c)
		}
		if tokens > x.Tokens {
			t.Fatalf("%d tokens, want %d", x.Tokens, tokens)
		}
		for offset := range len(data) {
			if c, ok := x.At(offset); ok && (c.Token().Offset > offset || offset >= x.End) {
				t.Fatalf("At(%d) of % x is at %d, end %d", offset, data, c.Token().Offset, x.End)
			}
		}
	})
}
