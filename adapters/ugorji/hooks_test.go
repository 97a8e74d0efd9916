package ugorji

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/octet-go/octet/adapters/internal/hooktest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	"github.com/ugorji/go/codec"
)

// A point writes an array, with methods with pointer receivers.
type point struct{ x, y int32 }

func (p *point) CodecEncodeSelf(e *codec.Encoder) { e.MustEncode([]int32{p.x, p.y}) }
func (p *point) CodecDecodeSelf(d *codec.Decoder) {
	var list []int32
	d.MustDecode(&list)
	if len(list) != 2 {
		panic(errors.New("not two elements"))
	}
	p.x, p.y = list[0], list[1]
}

// A level writes a string.
type level int

func (l *level) CodecEncodeSelf(e *codec.Encoder) { e.MustEncode(strings.Repeat("+", int(*l))) }
func (l *level) CodecDecodeSelf(d *codec.Decoder) {
	var s string
	d.MustDecode(&s)
	*l = level(len(s))
}

// A wrapped encodes a struct with methods by the Encoder that it is given.
type wrapped struct{ p point }

type wrappedForm struct {
	P *point
	L level
}

func (w *wrapped) CodecEncodeSelf(e *codec.Encoder) { e.MustEncode(&wrappedForm{&w.p, 3}) }
func (w *wrapped) CodecDecodeSelf(d *codec.Decoder) {
	f := wrappedForm{P: &w.p}
	d.MustDecode(&f)
}

type shape struct {
	Name   string
	At     point
	Level  level
	Ptr    *point
	Nil    *point
	Levels []level
	Points []*point
	ByName map[string]level
	Inner  wrapped
	Bytes  []byte
	N      int64
}

func shapes() []*shape {
	return []*shape{
		{},
		{
			"s", point{1, -2}, 3, &point{4, 5}, nil, []level{1, 0, 40}, []*point{{6, 7}, nil}, map[string]level{"k": 2},
			wrapped{point{8, 9}}, []byte{1}, 200,
		},
		{Name: strings.Repeat("long", 10000), Level: 100_000},
	}
}

// handles are handles with the profiles that write their bytes.
func handles() map[string]struct {
	handle *codec.MsgpackHandle
	config msgpack.Options
	hooks  msgpack.TypeCoder
} {
	ext := new(codec.MsgpackHandle)
	ext.WriteExt = true
	return map[string]struct {
		handle *codec.MsgpackHandle
		config msgpack.Options
		hooks  msgpack.TypeCoder
	}{
		"default":  {new(codec.MsgpackHandle), profile.Ugorji(), Hooks()},
		"WriteExt": {ext, profile.UgorjiExt(), HooksWith(ext)},
	}
}

// TestSameBytes checks that both libraries encode types with methods to the same bytes,
// and decode them to the same values, alone and in streams.
func TestSameBytes(t *testing.T) {
	for name, h := range handles() {
		t.Run(name, func(t *testing.T) {
			ours := hooktest.Codec(t, h.config, h.hooks)
			var want, got bytes.Buffer
			theirs, e := codec.NewEncoder(&want, h.handle), ours.NewEncoder(&got)
			for i, v := range shapes() {
				var data []byte
				if err := codec.NewEncoderBytes(&data, h.handle).Encode(v); err != nil {
					t.Fatal(err)
				}
				b, err := ours.Marshal(v)
				if err != nil || !bytes.Equal(b, data) {
					t.Errorf("%d: got  % .500x, %v\nwant % .500x", i, b, err, data)
				}
				back, other := shape{Level: 9}, shape{Level: 9}
				if err := ours.Unmarshal(data, &back); err != nil {
					t.Errorf("%d: %v", i, err)
				}
				if err := codec.NewDecoderBytes(data, h.handle).Decode(&other); err != nil {
					t.Errorf("%d: %v", i, err)
				}
				if !reflect.DeepEqual(back, other) {
					t.Errorf("%d: octet decodes %+v, ugorji %+v", i, back, other)
				}
				if err := errors.Join(theirs.Encode(v), e.Encode(v)); err != nil {
					t.Fatal(err)
				}
			}
			if err := e.Flush(); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("the streams differ: %v", err)
			}
			r, other := ours.NewDecoder(&want), codec.NewDecoder(&got, h.handle)
			for range shapes() {
				var a, b shape
				if err := errors.Join(r.Decode(&a), other.Decode(&b)); err != nil || !reflect.DeepEqual(a, b) {
					t.Errorf("octet decodes %.200v, ugorji %.200v, %v", a, b, err)
				}
			}
			if r.More() {
				t.Error("octet finds more values")
			}
		})
	}
}

// A script is a type whose methods call functions of a test.
type script struct {
	encode func(e *codec.Encoder)
	decode func(d *codec.Decoder)
}

func (s *script) CodecEncodeSelf(e *codec.Encoder) { s.encode(e) }
func (s *script) CodecDecodeSelf(d *codec.Decoder) { s.decode(d) }

// valid has methods that work.
var valid = hooktest.Sample{Value: &point{1, 2}, Data: "\x92\x01\x02"}

func encodeFault(name string, encode func(e *codec.Encoder), err error, text string) hooktest.Fault {
	return hooktest.Fault{Name: name, Value: &script{encode: encode}, Err: err, Text: text}
}

func decodeFault(name string, decode func(d *codec.Decoder), err error, text string) hooktest.Fault {
	return hooktest.Fault{Name: name, Value: &script{decode: decode}, Err: err, Text: text}
}

// TestEncodeFaults checks the errors for methods that do not encode one value.
func TestEncodeFaults(t *testing.T) {
	hooktest.EncodeFaults(t, hooktest.Codec(t, profile.UgorjiExt(), Hooks()), valid,
		encodeFault("no value", func(*codec.Encoder) {}, msgpack.ErrInvalid, "(0 values)"),
		encodeFault("two values", func(e *codec.Encoder) { e.MustEncode(1); e.MustEncode(2) }, msgpack.ErrInvalid, "(2 values)"),
		encodeFault("half a value", func(e *codec.Encoder) { e.MustEncode(codec.Raw{0x81}) }, nil, "Raw"),
		encodeFault("a panic", func(e *codec.Encoder) { e.MustEncode(1); panic(hooktest.ErrMethod) }, nil, "the method fails"),
		encodeFault("a runtime panic", func(e *codec.Encoder) { e.MustEncode(1); _ = []int{}[len(t.Name())-len(t.Name())] }, nil, "index out of range"),
		encodeFault("unsupported", func(e *codec.Encoder) { e.MustEncode(complex(1, 2)) }, nil, "complex"),
	)
	raw := new(codec.MsgpackHandle)
	raw.Raw = true
	hooktest.EncodeFaults(t, hooktest.Codec(t, profile.UgorjiExt(), HooksWith(raw)), valid,
		encodeFault("half a value", func(e *codec.Encoder) { e.MustEncode(codec.Raw{0x81}) }, msgpack.ErrInvalid, "(it ends inside a value)"))
}

// TestDecodeFaults checks the errors for methods that do not decode one value.
func TestDecodeFaults(t *testing.T) {
	ours := hooktest.Codec(t, profile.Ugorji(), Hooks())
	nothing := func(*codec.Decoder) {}
	hooktest.DecodeFaults(t, ours, "\x92\x01\x91\x02", valid,
		decodeFault("nothing", nothing, msgpack.ErrInvalid, "1 of 4 bytes consumed"), // the Decoder has read this byte
		decodeFault("too much", func(d *codec.Decoder) { d.MustDecode(new(any)); d.MustDecode(new(any)) }, nil, "unexpected EOF"),
		decodeFault("a panic", func(*codec.Decoder) { panic(hooktest.ErrMethod) }, nil, "the method fails"),
		decodeFault("another type", func(d *codec.Decoder) { d.MustDecode(new(bool)) }, nil, "decode error"),
	)
	hooktest.DecodeFaults(t, ours, "\x05", valid, decodeFault("nothing of one byte", nothing, msgpack.ErrInvalid, "0 of 1 byte consumed"))
}

// TestPoolsReleaseLongValues checks that the Encoders and Decoders in the pools do not keep
// long values.
func TestPoolsReleaseLongValues(t *testing.T) {
	const size = 10 << 20
	live := func() uint64 {
		runtime.GC()
		runtime.GC() // the pools of package codec, which keep a key, are empty after two
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	h := new(codec.MsgpackHandle)
	h.Canonical = true // encodes keys to buffers, to sort them
	k := newHooks(h)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // nothing leaves the pools before Get
	type key struct{ S string }
	b, err := k.append(nil, &script{encode: func(e *codec.Encoder) { e.MustEncode(map[key]int{{strings.Repeat("x", size)}: 1}) }})
	if err != nil || len(b) < size {
		t.Fatal(len(b), err)
	}
	b = b[bytes.IndexByte(b, 0xdb):] // the string
	var back any
	if n, err := k.decode(b[:len(b)-1], &script{decode: func(d *codec.Decoder) { d.MustDecode(&back) }}); n != len(b)-1 || err != nil {
		t.Fatal(n, err)
	}
	back, b = nil, nil
	var pooled []any
	for range 10 {
		pooled = append(pooled, k.encoders.Get(), k.decoders.Get())
	}
	if n := live(); n > before+size/2 {
		t.Errorf("%d bytes are live after a value of %d, %d before", n, size, before)
	}
	runtime.KeepAlive(pooled)
}

// TestHostile decodes messages that differ from a valid one, and headers that are refused.
func TestHostile(t *testing.T) {
	ours := hooktest.Codec(t, profile.Ugorji(), Hooks())
	data, err := ours.Marshal(shapes()[1])
	if err != nil {
		t.Fatal(err)
	}
	hooktest.Hostile(t, data, func(data []byte) { ours.Unmarshal(data, new(shape)) })
	hooktest.Headers(t, ours, &script{decode: func(d *codec.Decoder) { d.MustDecode(new(any)) }}, new(point))
}

// TestConcurrency uses one Codec from several goroutines.
func TestConcurrency(t *testing.T) {
	ours := hooktest.Codec(t, profile.Ugorji(), Hooks())
	var want [][]byte
	for _, v := range shapes() {
		b, err := ours.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, b)
	}
	hooktest.Concurrently(t, ours, shapes(), want, func(a, b *shape) bool { return a.At == b.At && a.Level == b.Level })
}
