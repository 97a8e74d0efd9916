package msgpack_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzUnion decodes unions in both forms. Encoding the result again must give
// stable bytes, and the position of the tag must not matter.
func FuzzUnion(f *testing.F) {
	codecs := map[string]*msgpack.Codec{"": shapeCodec(f, ""), "t": shapeCodec(f, "t")}
	for _, c := range shapeCases {
		f.Add([]byte(c.array))
		f.Add([]byte(c.tagged))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for form, c := range codecs {
			var s shape
			var err error
			heaptest.AtMost(t, (int(reflect.TypeFor[wide]().Size())+anyFactor)*len(data)+1<<20, func() {
				s = nil
				err = c.Unmarshal(data, &s)
			})
			if err != nil {
				var e *msgpack.Error
				if !errors.As(err, &e) || e.Offset < 0 || int(e.Offset) > len(data) {
					t.Errorf("%q: % x: %v", form, data, err)
				}
				continue
			}
			if err := msgpack.Valid(data); err != nil {
				t.Errorf("%q: % x is accepted, but %v", form, data, err)
			}
			again, err := c.Marshal(&s)
			if err != nil {
				t.Errorf("%q: % x: encoded again: %v", form, data, err)
				continue
			}
			var back shape
			if err := c.Unmarshal(again, &back); err != nil || !reflect.DeepEqual(s, back) {
				t.Errorf("%q: % x: % x: got %v, %v, want %v", form, data, again, back, err, s)
			}
			if form == "" {
				continue
			}
			if turned := tagsLast(again); !reflect.DeepEqual(decodedShape(t, c, turned), s) {
				t.Errorf("% x turned to % x decodes to something else", again, turned)
			}
		}
	})
}

func decodedShape(t *testing.T, c *msgpack.Codec, data []byte) (s shape) {
	if err := c.Unmarshal(data, &s); err != nil {
		t.Errorf("% x: %v", data, err)
	}
	return s
}

// tagsLast moves the first entry of every map to its end.
func tagsLast(data []byte) []byte {
	out, _ := turned(nil, data)
	return out
}

func turned(dst, src []byte) (out, rest []byte) {
	h, size, err := wire.ConsumeHeader(src)
	if err != nil {
		panic(err)
	}
	switch n := h.Values(); {
	case h.Format.Kind() == wire.KindMap && n > 0:
		first, rest := turned(nil, src[size:])
		first, rest = turned(first, rest)
		dst = append(dst, src[:size]...)
		for range n - 2 {
			dst, rest = turned(dst, rest)
		}
		return append(dst, first...), rest
	case h.Format.Kind() == wire.KindArray:
		dst, rest = append(dst, src[:size]...), src[size:]
		for range n {
			dst, rest = turned(dst, rest)
		}
		return dst, rest
	}
	n, err := wire.Skip(src, 0)
	if err != nil {
		panic(err)
	}
	return append(dst, src[:n]...), src[n:]
}
