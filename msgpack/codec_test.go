package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

func newCodec(t testing.TB, c msgpack.Options) *msgpack.Codec {
	t.Helper()
	codec, err := msgpack.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return codec
}

// checkCodec encodes a value with the methods of a Codec and decodes it.
func checkCodec(t *testing.T, c *msgpack.Codec, v any, want []byte) {
	t.Helper()
	got, err := c.Marshal(v)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("Marshal:\ngot  % x, %v\nwant % x", got, err, want)
	}
	for _, room := range []int{0, 1, 2, len(want), len(want) + 100} {
		got, err := c.MarshalAppend(make([]byte, 1, 1+room), v)
		if err != nil || !bytes.Equal(got[1:], want) {
			t.Errorf("MarshalAppend with room for %d bytes:\ngot  % x, %v\nwant 00 % x", room, got, err, want)
		}
	}
}

// TestNewRefuses checks that New refuses each invalid field of Options with an
// error that names it.
func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name   string
		config msgpack.Options
		want   string
	}{
		{"negative depth", msgpack.Options{MaxDepth: -1}, "MaxDepth"},
		{"depth out of range", msgpack.Options{MaxDepth: deepest() + 1}, "MaxDepth"},
		{"elements below 0", msgpack.Options{MaxElements: -1}, "MaxElements"},
		{"bytes below 0", msgpack.Options{MaxBytes: -1}, "MaxBytes"},
		{"total below 0", msgpack.Options{MaxTotal: -1}, "MaxTotal"},
		{"no form of times", msgpack.Options{Time: msgpack.TimeUnixNano + 1}, "Time is 6"},
		{"no kind of map", msgpack.Options{AnyMap: msgpack.AnyMapPairs + 1}, "AnyMap"},
		{"no kind of number", msgpack.Options{AnyNumber: msgpack.AnyNumberSignFloat + 1}, "AnyNumber"},
		{"canonical, but wide", msgpack.Options{Canonical: true, TypedInts: true}, "TypedInts"},
		{"canonical with trailing bytes", msgpack.Options{Canonical: true, AllowTrailing: true}, "AllowTrailing"},
		{"a key of tags twice", msgpack.Options{TagKeys: []string{"json", "json"}}, "TagKeys"},
		{"own key of tags twice", msgpack.Options{TagKeys: []string{"msgpack", "msgpack"}}, "TagKeys"},
		{"an empty key of tags", msgpack.Options{TagKeys: []string{""}}, "TagKeys"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := msgpack.New(test.config)
			if c != nil || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v, want an error that names %s", c, err, test.want)
			}
		})
	}
}

// TestOptionsNeedFieldNames checks that the first field of Options and of Compat is
// blank. A literal without field names then does not compile in another package, so
// fields can be reordered and added.
func TestOptionsNeedFieldNames(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[msgpack.Options](), reflect.TypeFor[msgpack.Compat]()} {
		if f := typ.Field(0); f.Name != "_" || f.IsExported() || f.Type.Size() > 0 {
			t.Errorf("the first field of %v is %v", typ, f)
		}
	}
}

// deepest returns the greatest MaxDepth.
func deepest() int {
	if runtime.GOARCH == "wasm" {
		return 1000
	}
	return 10_000
}

// TestCodecDepth checks that MaxDepth levels are accepted and one more is not,
// when encoding, decoding and validating.
func TestCodecDepth(t *testing.T) {
	for _, depth := range []int{1, 3, 511, 512, 513, deepest()} {
		c := newCodec(t, msgpack.Options{MaxDepth: depth})
		nested := []byte(strings.Repeat("\x91", depth) + "\x01")
		deeper := append([]byte{0x91}, nested...)
		var v, w any
		if err := c.Unmarshal(nested, &v); err != nil {
			t.Errorf("depth %d: %v", depth, err)
		}
		if b, err := c.Marshal(v); err != nil || string(b) != string(nested) {
			t.Errorf("depth %d: got % x, %v", depth, b, err)
		}
		if err := c.Valid(nested); err != nil {
			t.Errorf("depth %d: valid: %v", depth, err)
		}
		for name, err := range map[string]error{
			"unmarshal": c.Unmarshal(deeper, &w), "valid": c.Valid(deeper),
			"marshal": func() error { _, err := c.Marshal([]any{v}); return err }(),
		} {
			if !errors.Is(err, msgpack.ErrDepth) {
				t.Errorf("depth %d, one more: %s: %v, want ErrDepth", depth, name, err)
			}
		}
	}
}

// TestTyped checks that a Typed encodes and decodes like its Codec, with the same
// errors.
func TestTyped(t *testing.T) {
	type point struct{ X, Y int }
	p, err := msgpack.For[point](nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Append([]byte("before"), &point{1, -1})
	if want := "before\x82\xa1X\x01\xa1Y\xff"; err != nil || string(b) != want {
		t.Errorf("got %q, %v, want %q", b, err, want)
	}
	var got point
	if err := p.Unmarshal(b[6:], &got); err != nil || got != (point{1, -1}) {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := p.Unmarshal(append(b[6:], 0), &got); !errors.Is(err, msgpack.ErrTrailing) {
		t.Errorf("with one more byte: %v, want ErrTrailing", err)
	}
	if err := p.Unmarshal(b[6:], nil); !errors.Is(err, msgpack.ErrTarget) {
		t.Errorf("into nil: %v, want ErrTarget", err)
	}
	if b, err := p.Append(nil, nil); err != nil || string(b) != "\xc0" {
		t.Errorf("nil: got %q, %v", b, err)
	}
	if _, err := msgpack.For[chan int](nil); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("chan: %v, want ErrUnsupported", err)
	}
	tiny := newCodec(t, msgpack.Options{MaxDepth: 1})
	nested, err := msgpack.For[[][]int](tiny)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := nested.Append([]byte("x"), &[][]int{{1}}); !errors.Is(err, msgpack.ErrDepth) || string(b) != "x" {
		t.Errorf("too deep: got %q, %v, want ErrDepth", b, err)
	}
	anything, err := msgpack.For[any](nil)
	if err != nil {
		t.Fatal(err)
	}
	var v any = map[string]any{"a": int64(1)}
	b, err = anything.Append(nil, &v)
	if err != nil || string(b) != "\x81\xa1a\x01" {
		t.Errorf("any: got %q, %v", b, err)
	}
	var w any
	if err := anything.Unmarshal(b, &w); err != nil || fmt.Sprint(w) != fmt.Sprint(v) {
		t.Errorf("any: got %v, %v", w, err)
	}
}

func ExampleNew() {
	codec, err := msgpack.New(msgpack.Options{MaxDepth: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = codec.Marshal([][][]int{{{1}}})
	fmt.Println(err)
	// Output: msgpack: marshal [0][0]: found []int: nested too deeply
}

func ExampleFor() {
	type Point struct{ X, Y int }
	points, err := msgpack.For[Point](nil) // once
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := points.Append(nil, &Point{3, 4})
	fmt.Printf("% x %v\n", b, err)
	var p Point
	err = points.Unmarshal(b, &p)
	fmt.Println(p, err)
	// Output:
	// 82 a1 58 03 a1 59 04 <nil>
	// {3 4} <nil>
}

// TestPanicInNaming uses a Codec after a naming policy has panicked during the
// compilation of a type. The type and its parts must be compiled again.
func TestPanicInNaming(t *testing.T) {
	type inner struct{ A int }
	type outer struct {
		In   inner
		List []inner
		Bad  int
	}
	panics := true
	c := newCodec(t, msgpack.Options{Naming: func(name string) string {
		if panics && name == "Bad" {
			panic("bad name")
		}
		return strings.ToLower(name)
	}})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic did not reach the caller")
			}
		}()
		c.Marshal(outer{})
	}()
	panics = false
	want := []byte("\x83\xa2in\x81\xa1a\x01\xa4list\x91\x81\xa1a\x02\xa3bad\x03")
	checkCodec(t, c, outer{inner{1}, []inner{{2}}, 3}, want)
	var got outer
	if err := c.Unmarshal(want, &got); err != nil || got.In.A != 1 || got.List[0].A != 2 || got.Bad != 3 {
		t.Errorf("got %+v, %v", got, err)
	}
	checkCodec(t, c, []inner{{2}}, []byte("\x91\x81\xa1a\x02"))
}
