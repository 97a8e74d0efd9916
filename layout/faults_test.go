package layout_test

import (
	"io"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
	"github.com/octet-go/octet/layout"
)

// TestFaultySources reads every message of the tests.
func TestFaultySources(t *testing.T) {
	c := codec(t)
	var sources []faulty.Source
	for _, m := range messages {
		b, err := c.Marshal(m.value)
		if err != nil {
			t.Fatal(err)
		}
		s := faulty.Source{Name: "Codec.Read " + m.name, Input: b, Read: func(r io.Reader) (any, error) {
			v := reflect.New(reflect.TypeOf(m.value).Elem())
			err := c.Read(r, v.Interface())
			return v.Interface(), err
		}}
		switch m.name {
		case "png", "list", "sizes", "elf unknown": // they take all there is
			s.ToEnd, s.Prefixes = true, true
		}
		sources = append(sources, s)
	}
	typed, err := layout.For[chunk](c)
	if err != nil {
		t.Fatal(err)
	}
	frames, err := c.Marshal(&chunk{Data: []byte("data")})
	if err != nil {
		t.Fatal(err)
	}
	four := limited(t, c, 4)
	sources = append(sources,
		faulty.Source{Name: "Read", Input: []byte{0, 1, 2, 3}, Read: func(r io.Reader) (any, error) {
			var v struct{ A, B uint16 }
			err := layout.Read(r, &v)
			return v, err
		}},
		faulty.Source{Name: "Read long", Input: append([]byte{0, 3, 0, 0}, make([]byte, 3<<16)...), Read: func(r io.Reader) (any, error) {
			var v struct {
				Data []byte `layout:"prefix=u32"`
			}
			err := layout.Read(r, &v)
			return v, err
		}},
		faulty.Source{Name: "Read limit", Input: []byte{1, 2, 3, 4}, Read: func(r io.Reader) (any, error) {
			var v struct{ Data []byte }
			err := four.Read(r, &v)
			return v, err
		}, ToEnd: true, Prefixes: true},
		faulty.Source{Name: "Typed.Frames", Input: append(frames, frames...), Read: func(r io.Reader) (any, error) {
			var list []chunk
			for v, err := range typed.Frames(r) {
				if err != nil {
					return list, err
				}
				list = append(list, v)
			}
			return list, nil
		}, ToEnd: true, Prefixes: true},
	)
	faulty.TestSources(t, sources)
}

func TestFaultySinks(t *testing.T) {
	c := codec(t)
	faulty.TestSinks(t, []faulty.Sink{
		{Name: "Write", Write: func(w io.Writer) error { return layout.Write(w, framesValue()) }},
		{Name: "Codec.Write", Write: func(w io.Writer) error { return c.Write(w, framesValue()) }},
	})
}
