package ugorji

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

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

func newCodec(t testing.TB, c msgpack.Options, types ...msgpack.TypeCoder) *msgpack.Codec {
	t.Helper()
	c.Types = append(c.Types, types...)
	codec, err := msgpack.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return codec
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
			ours := newCodec(t, h.config, h.hooks)
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

// TestEncodeFaults checks the errors for methods that do not encode one value.
func TestEncodeFaults(t *testing.T) {
	ours := newCodec(t, profile.UgorjiExt(), Hooks())
	for _, c := range []struct {
		name   string
		encode func(e *codec.Encoder)
		err    error
		text   string
	}{
		{"no value", func(*codec.Encoder) {}, msgpack.ErrInvalid, "(0 values)"},
		{"two values", func(e *codec.Encoder) { e.MustEncode(1); e.MustEncode(2) }, msgpack.ErrInvalid, "(2 values)"},
		{"half a value", func(e *codec.Encoder) { e.MustEncode(codec.Raw{0x81}) }, nil, "Raw"},
		{"a panic", func(e *codec.Encoder) { e.MustEncode(1); panic(errors.New("the method fails")) }, nil, "the method fails"},
		{"a runtime panic", func(e *codec.Encoder) { e.MustEncode(1); _ = []int{}[len(t.Name())-len(t.Name())] }, nil, "index out of range"},
		{"unsupported", func(e *codec.Encoder) { e.MustEncode(complex(1, 2)) }, nil, "complex"},
	} {
		_, err := ours.Marshal([]*script{{encode: c.encode}})
		if err == nil || c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "[0]") {
			t.Errorf("%s: %v", c.name, err)
		}
		// Later messages must not contain what the failed method wrote.
		if b, err := ours.Marshal(&point{1, 2}); err != nil || string(b) != "\x92\x01\x02" {
			t.Errorf("after %s: % x, %v", c.name, b, err)
		}
	}
	raw := new(codec.MsgpackHandle)
	raw.Raw = true
	ours = newCodec(t, profile.UgorjiExt(), HooksWith(raw))
	_, err := ours.Marshal(&script{encode: func(e *codec.Encoder) { e.MustEncode(codec.Raw{0x81}) }})
	if !errors.Is(err, msgpack.ErrInvalid) || !strings.Contains(err.Error(), "(it ends inside a value)") {
		t.Errorf("half a value: %v", err)
	}
}

// TestDecodeFaults checks the errors for methods that do not decode one value.
func TestDecodeFaults(t *testing.T) {
	ours := newCodec(t, profile.Ugorji(), Hooks())
	data := []byte("\x92\x01\x91\x02")
	for _, c := range []struct {
		name   string
		decode func(d *codec.Decoder)
		err    error
		text   string
	}{
		{"nothing", func(*codec.Decoder) {}, msgpack.ErrInvalid, "1 of 4 bytes consumed"}, // the Decoder has read this byte
		{"too much", func(d *codec.Decoder) { d.MustDecode(new(any)); d.MustDecode(new(any)) }, nil, "unexpected EOF"},
		{"a panic", func(*codec.Decoder) { panic(errors.New("the method fails")) }, nil, "the method fails"},
		{"another type", func(d *codec.Decoder) { d.MustDecode(new(bool)) }, nil, "decode error"},
	} {
		err := ours.Unmarshal(data, &script{decode: c.decode})
		if err == nil || c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
		var p point
		if err := ours.Unmarshal([]byte{5}, &script{decode: func(*codec.Decoder) {}}); !errors.Is(err, msgpack.ErrInvalid) || !strings.Contains(err.Error(), "0 of 1 bytes") {
			t.Errorf("nothing of one byte: %v", err)
		}
		if err := ours.Unmarshal([]byte("\x92\x03\x04"), &p); err != nil || p != (point{3, 4}) {
			t.Errorf("after %s: %v, %v", c.name, p, err)
		}
	}
}

// TestPoolsReleaseLongValues checks that the Encoders and Decoders in the pools do not keep
// long values.
func TestPoolsReleaseLongValues(t *testing.T) {
	const size = 10 << 20
	live := func() uint64 {
		runtime.GC() // once: a second one would empty the pools
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	before := live()
	h := new(codec.MsgpackHandle)
	h.Canonical = true // encodes keys to buffers, to sort them
	k := newHooks(h)
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
	if n := live(); n > before+size/2 {
		t.Errorf("%d bytes are live after a value of %d, %d before", n, size, before)
	}
	runtime.KeepAlive(k)
}

// TestHostile decodes messages that differ from a valid one by one byte or end early.
func TestHostile(t *testing.T) {
	ours := newCodec(t, profile.Ugorji(), Hooks())
	valid, err := ours.Marshal(shapes()[1])
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	try := func(data []byte) {
		runtime.ReadMemStats(&before)
		var s shape
		ours.Unmarshal(data, &s)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("% .100x: %d bytes allocated", data, used)
		}
	}
	for i := range valid {
		try(valid[:i])
		for _, b := range []byte{0, 0x7f, 0x80, 0x8f, 0x9f, 0xa0, 0xc0, 0xc1, 0xc4, 0xc9, 0xd9, 0xdb, 0xdc, 0xdd, 0xdf, 0xff} {
			data := bytes.Clone(valid)
			data[i] = b
			try(data)
		}
	}
	deep := append(bytes.Repeat([]byte{0x91}, 1_000_000), 0xc0)
	if err := ours.Unmarshal(deep, &script{decode: func(d *codec.Decoder) { d.MustDecode(new(any)) }}); !errors.Is(err, msgpack.ErrDepth) {
		t.Errorf("nested too deeply: %v", err)
	}
	if err := ours.Unmarshal([]byte("\xdd\xff\xff\xff\xff\x01"), new(point)); !errors.Is(err, msgpack.ErrTruncated) {
		t.Errorf("false count: %v", err)
	}
}

// TestConcurrency uses one Codec from several goroutines.
func TestConcurrency(t *testing.T) {
	ours := newCodec(t, profile.Ugorji(), Hooks())
	var want [][]byte
	for _, v := range shapes() {
		b, err := ours.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, b)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				for i, v := range shapes() {
					got, err := ours.Marshal(v)
					if err != nil || !bytes.Equal(got, want[i]) {
						t.Errorf("% .100x, %v", got, err)
					}
					var back shape
					if err := ours.Unmarshal(got, &back); err != nil || back.At != v.At || back.Level != v.Level {
						t.Errorf("%.100v, %v", back, err)
					}
				}
			}
		})
	}
	group.Wait()
}
