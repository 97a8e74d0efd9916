package parquet_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/transcode"
)

type (
	shape  interface{ isShape() }
	circle struct {
		Radius float64  `msgpack:"radius"`
		Tags   []string `msgpack:"tags"`
	}
	square struct {
		Side  int32 `msgpack:"side"`
		Inner shape `msgpack:"inner"`
	}
	empty   struct{}
	drawing struct {
		Name   string           `msgpack:"name"`
		First  shape            `msgpack:"first"`
		All    []shape          `msgpack:"all"`
		ByName map[string]shape `msgpack:"by_name"`
	}
)

func (circle) isShape()  {}
func (*square) isShape() {}
func (empty) isShape()   {}

// drawings are values of a union and of structs with unions, for each form of a union.
func drawings(t *testing.T, do func(t *testing.T, c *msgpack.Codec)) {
	for name, u := range map[string]msgpack.TypeCoder{
		"array":   msgpack.Union[shape]("", msgpack.VariantOf[circle]("circle"), msgpack.VariantOf[*square]("square"), msgpack.VariantOf[empty]("empty")),
		"numbers": msgpack.Union[shape]("", msgpack.VariantOf[circle](1), msgpack.VariantOf[*square](-2), msgpack.VariantOf[empty](3)),
		"map":     msgpack.Union[shape]("type", msgpack.VariantOf[circle]("circle"), msgpack.VariantOf[*square]("square"), msgpack.VariantOf[empty]("Circle")),
	} {
		t.Run(name, func(t *testing.T) {
			c, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{u}})
			if err != nil {
				t.Fatal(err)
			}
			do(t, c)
		})
	}
}

func TestUnion(t *testing.T) {
	drawings(t, func(t *testing.T, c *msgpack.Codec) {
		s, err := schema.Of[drawing](c)
		if err != nil {
			t.Fatal(err)
		}
		var stream, roots []byte
		shapes := []shape{circle{1.5, []string{"a", "b"}}, &square{7, nil}, empty{}, &square{8, circle{2, nil}}, (*square)(nil), nil, circle{}}
		for i := range shapes {
			d := drawing{fmt.Sprint(i), shapes[i], shapes[:i], map[string]shape{"x": shapes[i]}}
			if stream, err = c.MarshalAppend(stream, d); err != nil {
				t.Fatal(err)
			}
			if roots, err = c.MarshalAppend(roots, &shapes[i]); err != nil {
				t.Fatal(err)
			}
		}
		report := check(t, parquet.Options{Schema: s}, stream)
		if len(report.Lost) > 0 || strings.Contains(fmt.Sprint(report.JSON), "first ") {
			t.Error(report)
		}
		root, err := schema.Of[shape](c)
		if err != nil {
			t.Fatal(err)
		}
		check(t, parquet.Options{Schema: root}, roots)
		text, err := transcode.AppendJSONValues(nil, stream, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkJSON(t, text, s)
		step := 1
		if few() {
			step = 5
		}
		for n := 0; n < len(stream); n += step { // must not panic
			o := parquet.Options{Schema: s, Format: parquet.MessagePack}
			broken := bytes.Clone(stream)
			broken[n] ^= 0x55
			_, _ = parquet.Export(new(bytes.Buffer), bytes.NewReader(broken), &o)
		}
	})
}

// TestUnionLost reports values that are no variant.
func TestUnionLost(t *testing.T) {
	drawings(t, func(t *testing.T, c *msgpack.Codec) {
		s, err := schema.Of[drawing](c)
		if err != nil {
			t.Fatal(err)
		}
		var stream []byte
		for _, first := range []any{5, []any{"other", 1}, []any{1.5, 1}, []any{"circle"}, map[string]any{"type": "other"}, map[string]any{"radius": 1}} {
			stream, _ = msgpack.MarshalAppend(stream, map[string]any{"first": first})
		}
		report := check(t, parquet.Options{Schema: s}, stream)
		if n := report.LostValues(); n != 6 {
			t.Errorf("%d values: %v", n, report.Lost)
		}
	})
}

// TestUnionNames requires a column for the tag and one for each variant, and the tag
// wherever it is in the map.
func TestUnionNames(t *testing.T) {
	c, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Union[shape]("type", msgpack.VariantOf[circle]("circle"), msgpack.VariantOf[empty]("Type"))}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Of[shape](c)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	lines := `{"radius":1.5,"type":"circle","tags":[]}` + "\n" + `{"type":"Type"}`
	report, err := parquet.Export(&out, strings.NewReader(lines), &parquet.Options{Format: parquet.JSON, Schema: s})
	if err != nil || len(report.Lost) > 0 {
		t.Fatal(report, err)
	}
	rows, names := readBack(t, out.Bytes())
	if got, want := fmt.Sprintf("%v %v", names, rows), `[type circle Type_2] [[circle [1.5 []] <nil>] [Type <nil> {"type":"Type"}]]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
