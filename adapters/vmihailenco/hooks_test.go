package vmihailenco

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/adapters/internal/hooktest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// A point has methods with pointer receivers, and writes an array.
type point struct{ x, y int32 }

func (p *point) EncodeMsgpack(e *vmihailenco.Encoder) error {
	if err := e.EncodeArrayLen(2); err != nil {
		return err
	}
	return e.EncodeMulti(p.x, p.y)
}

func (p *point) DecodeMsgpack(d *vmihailenco.Decoder) error {
	n, err := d.DecodeArrayLen()
	if err != nil {
		return err
	}
	if n != 2 {
		return errors.New("not two elements")
	}
	return d.DecodeMulti(&p.x, &p.y)
}

// A level has a method with a value receiver, and writes a string.
type level int

func (l level) EncodeMsgpack(e *vmihailenco.Encoder) error {
	return e.EncodeString(strings.Repeat("+", int(l)))
}

func (l *level) DecodeMsgpack(d *vmihailenco.Decoder) error {
	s, err := d.DecodeString()
	*l = level(len(s))
	return err
}

// Tags and names are nil without a call.
type (
	tags  map[string]bool
	names []string
)

func (t tags) EncodeMsgpack(e *vmihailenco.Encoder) error {
	if len(t) != 1 {
		return errors.New("not one tag")
	}
	for k := range t {
		return e.EncodeString(k)
	}
	return nil
}

func (t *tags) DecodeMsgpack(d *vmihailenco.Decoder) error {
	s, err := d.DecodeString()
	*t = tags{s: true}
	return err
}

func (n names) EncodeMsgpack(e *vmihailenco.Encoder) error {
	return e.EncodeString(strings.Join(n, " "))
}

func (n *names) DecodeMsgpack(d *vmihailenco.Decoder) error {
	s, err := d.DecodeString()
	*n = strings.Fields(s)
	return err
}

// A labels is nil, but its method has a pointer receiver, so it is called.
type labels []string

func (l *labels) EncodeMsgpack(e *vmihailenco.Encoder) error { return e.EncodeInt(int64(len(*l))) }
func (l *labels) DecodeMsgpack(d *vmihailenco.Decoder) error {
	n, err := d.DecodeInt()
	*l = make(labels, max(0, min(n, 10)))
	return err
}

// A shape has fields with all kinds of hooks, and values that the hooks encode with
// Encode.
type shape struct {
	Name   string
	At     point
	Level  level
	Ptr    *point
	Nil    *point
	Levels []level
	Points []*point
	ByName map[string]level
	Tags   tags
	None   tags
	Names  names
	NoName names
	Labels labels
	Any    any
	Inner  wrapped
	Since  time.Time
	N      int64
}

// A wrapped encodes a struct with hooks by the Encoder that it is given.
type wrapped struct{ p point }

type wrappedForm struct {
	P *point
	L level
}

func (w *wrapped) EncodeMsgpack(e *vmihailenco.Encoder) error {
	return e.Encode(&wrappedForm{&w.p, level(3)})
}

func (w *wrapped) DecodeMsgpack(d *vmihailenco.Decoder) error {
	f := wrappedForm{P: &w.p}
	return d.Decode(&f)
}

func shapes() []*shape {
	return []*shape{
		{},
		{
			"s", point{1, -2}, 3, &point{4, 5}, nil, []level{1, 0, 40}, []*point{{6, 7}, nil}, map[string]level{"k": 2},
			tags{"t": true}, nil, names{"a", "b"}, nil, labels{"x"}, level(2), wrapped{point{8, 9}}, time.Unix(1, 0).UTC(), 10,
		},
		{Name: strings.Repeat("long", 10000), Names: names{strings.Repeat("n", 100_000)}},
	}
}

func newCodec(t testing.TB, types ...msgpack.TypeCoder) *msgpack.Codec {
	t.Helper()
	return hooktest.Codec(t, profile.Vmihailenco(), types...)
}

// same reports whether a and b are equal except for the zones of their times.
func same(a, b shape) bool {
	a.Since, b.Since = a.Since.UTC(), b.Since.UTC()
	return reflect.DeepEqual(a, b)
}

// TestSameBytes checks that both libraries encode types with methods to the same bytes,
// and decode them to the same values.
func TestSameBytes(t *testing.T) {
	codec := newCodec(t, Hooks())
	for i, v := range shapes() {
		want, err := vmihailenco.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.Marshal(v)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d: got  % .500x, %v\nwant % .500x", i, got, err, want)
		}
		ours, theirs := shape{Level: 9, Ptr: new(point), Tags: tags{}}, shape{Level: 9, Ptr: new(point), Tags: tags{}}
		if err := codec.Unmarshal(want, &ours); err != nil {
			t.Errorf("%d: %v", i, err)
		}
		if err := vmihailenco.Unmarshal(want, &theirs); err != nil {
			t.Errorf("%d: %v", i, err)
		}
		if !same(ours, theirs) {
			t.Errorf("%d: octet decodes %+v, vmihailenco %+v", i, ours, theirs)
		}
	}
}

// TestStreams checks that both libraries write and read the same streams.
func TestStreams(t *testing.T) {
	codec := newCodec(t, Hooks())
	var want, got bytes.Buffer
	theirs, ours := vmihailenco.NewEncoder(&want), codec.NewEncoder(&got)
	for range 3 {
		for _, v := range shapes() {
			if err := theirs.Encode(v); err != nil {
				t.Fatal(err)
			}
			if err := ours.Encode(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := ours.Flush(); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("the streams differ: %v", err)
	}
	reader := codec.NewDecoder(&want)
	other := vmihailenco.NewDecoder(&got)
	count := 0
	for ; reader.More(); count++ {
		var a, b shape
		if err := reader.Decode(&a); err != nil {
			t.Fatal(err)
		}
		if err := other.Decode(&b); err != nil {
			t.Fatal(err)
		}
		if !same(a, b) {
			t.Fatalf("value %d: octet decodes %.200v, vmihailenco %.200v", count, a, b)
		}
	}
	if count != 9 {
		t.Errorf("%d values, want 9", count)
	}
}

// A script is a type whose methods call functions of a test.
type script struct {
	encode func(e *vmihailenco.Encoder) error
	decode func(d *vmihailenco.Decoder) error
}

func (s *script) EncodeMsgpack(e *vmihailenco.Encoder) error { return s.encode(e) }
func (s *script) DecodeMsgpack(d *vmihailenco.Decoder) error { return s.decode(d) }

// valid has methods that work.
var valid = hooktest.Sample{Value: point{1, 2}, Data: "\x92\xd2\x00\x00\x00\x01\xd2\x00\x00\x00\x02"}

func encodeFault(name string, encode func(e *vmihailenco.Encoder) error, err error, text string) hooktest.Fault {
	return hooktest.Fault{Name: name, Value: &script{encode: encode}, Err: err, Text: text}
}

func decodeFault(name string, decode func(d *vmihailenco.Decoder) error, err error, text string) hooktest.Fault {
	return hooktest.Fault{Name: name, Value: &script{decode: decode}, Err: err, Text: text}
}

// TestEncodeFaults checks the errors for methods that do not encode one value.
func TestEncodeFaults(t *testing.T) {
	codec, errHook := newCodec(t, Hooks()), hooktest.ErrMethod
	hooktest.EncodeFaults(t, codec, valid,
		encodeFault("no value", func(*vmihailenco.Encoder) error { return nil }, msgpack.ErrInvalid, "(0 values)"),
		encodeFault("two values", func(e *vmihailenco.Encoder) error { return e.EncodeMulti(1, 2) }, msgpack.ErrInvalid, "(2 values)"),
		encodeFault("half a value", func(e *vmihailenco.Encoder) error { return e.EncodeMapLen(1) }, msgpack.ErrInvalid, "(it ends inside a value)"),
		encodeFault("one and a half", func(e *vmihailenco.Encoder) error { return errors.Join(e.EncodeInt(1), e.EncodeMapLen(1)) }, msgpack.ErrInvalid, "(1 value and more)"),
		encodeFault("reserved", func(e *vmihailenco.Encoder) error { _, err := e.Writer().Write([]byte{0xc1}); return err }, msgpack.ErrInvalid, "(it is malformed)"),
		encodeFault("an error", func(e *vmihailenco.Encoder) error { return errors.Join(e.EncodeInt(1), errHook) }, errHook, "the method fails"),
		encodeFault("unsupported", func(e *vmihailenco.Encoder) error { return e.Encode(make(chan int)) }, nil, "unsupported chan int"),
	)
	for range 3 {
		hooktest.EncodePanic(t, codec, hooktest.Sample{Value: level(1), Data: "\xa1+"},
			&script{encode: func(e *vmihailenco.Encoder) error { e.EncodeInt(1); panic("x") }})
	}
}

// TestDecodeFaults checks the errors for methods that do not decode one value.
func TestDecodeFaults(t *testing.T) {
	hooktest.DecodeFaults(t, newCodec(t, Hooks()), "\x92\x01\x91\x02", valid,
		decodeFault("nothing", func(*vmihailenco.Decoder) error { return nil }, msgpack.ErrInvalid, "0 of 4 bytes consumed"),
		decodeFault("half", func(d *vmihailenco.Decoder) error { _, err := d.DecodeArrayLen(); return err }, msgpack.ErrInvalid, "1 of 4 bytes consumed"),
		decodeFault("too much", func(d *vmihailenco.Decoder) error { return errors.Join(d.Skip(), d.Skip()) }, nil, "EOF"),
		decodeFault("an error", func(*vmihailenco.Decoder) error { return hooktest.ErrMethod }, hooktest.ErrMethod, "the method fails"),
		decodeFault("another type", func(d *vmihailenco.Decoder) error { _, err := d.DecodeString(); return err }, nil, "invalid code"),
	)
}

// TestOptions checks that options which a method sets do not apply to later calls, and that those of
// HooksWith are set for all methods.
func TestOptions(t *testing.T) {
	wide := "\xd3\x00\x00\x00\x00\x00\x00\x00\x01"
	plain := func(e *vmihailenco.Encoder) error { return e.Encode(int64(1)) }
	codec := newCodec(t, Hooks())
	for _, c := range []struct {
		encode func(e *vmihailenco.Encoder) error
		want   string
	}{
		{plain, wide},
		{func(e *vmihailenco.Encoder) error { e.UseCompactInts(true); return e.Encode(int64(1)) }, "\x01"},
		{plain, wide},
	} {
		if b, err := codec.Marshal(&script{encode: c.encode}); err != nil || string(b) != c.want {
			t.Errorf("got % x, %v, want % x", b, err, c.want)
		}
	}
	with := newCodec(t, HooksWith(func(e *vmihailenco.Encoder) { e.UseCompactInts(true) },
		func(d *vmihailenco.Decoder) { d.UseLooseInterfaceDecoding(true) }))
	if b, err := with.Marshal(&script{encode: plain}); err != nil || string(b) != "\x01" {
		t.Errorf("got % x, %v", b, err)
	}
	var got any
	err := with.Unmarshal([]byte{1}, &script{decode: func(d *vmihailenco.Decoder) (err error) { got, err = d.DecodeInterface(); return err }})
	if _, ok := got.(int8); !ok || err != nil { // DecodeInterface itself has no options
		t.Errorf("got %T, %v", got, err)
	}
	err = with.Unmarshal([]byte{0x81, 0xa1, 'V', 1}, &script{decode: func(d *vmihailenco.Decoder) error {
		var v struct{ V any }
		err := d.Decode(&v)
		got = v.V
		return err
	}})
	if _, ok := got.(int64); !ok || err != nil {
		t.Errorf("got %T, %v", got, err)
	}
}

// TestPoolsReleaseLongValues checks that the Encoders and Decoders in the pools do not keep
// the memory of long values.
func TestPoolsReleaseLongValues(t *testing.T) {
	const size = 10 << 20
	h := &hooks{}
	long := &script{encode: func(e *vmihailenco.Encoder) error { return e.Encode([size]byte{}) }}
	b, err := h.append(nil, long)
	if err != nil || len(b) < size {
		t.Fatal(len(b), err)
	}
	check := func(v any, message int64) {
		if n := reflect.ValueOf(v).Elem().FieldByName("buf").Cap(); n > 2*maxPooled || message > 0 {
			t.Errorf("%T keeps %d bytes and %d of a message", v, n, message)
		}
	}
	for range 10 { // before the collector empties the pool
		e := encoders.Get().(*encoder)
		check(e.Encoder, int64(cap(e.buf)))
	}
	read := &script{decode: func(d *vmihailenco.Decoder) error { _, err := d.DecodeString(); return err }}
	if _, err := h.decode(b, read); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		d := decoders.Get().(*decoder)
		check(d.Decoder, d.r.Size())
	}
}

// TestHostile decodes messages that differ from a valid one, and headers that are refused.
func TestHostile(t *testing.T) {
	codec := newCodec(t, Hooks())
	data, err := codec.Marshal(shapes()[1])
	if err != nil {
		t.Fatal(err)
	}
	hooktest.Hostile(t, data, func(data []byte) { codec.Unmarshal(data, new(shape)) })
	hooktest.Headers(t, codec, &script{decode: func(d *vmihailenco.Decoder) error { return d.Skip() }}, new(point))
}

// TestConcurrency uses one Codec from several goroutines.
func TestConcurrency(t *testing.T) {
	var want [][]byte
	for _, v := range shapes() {
		data, err := vmihailenco.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, data)
	}
	hooktest.Concurrently(t, newCodec(t, Hooks()), shapes(), want, func(a, b *shape) bool { return a.At == b.At && len(a.Names) == len(b.Names) })
}

// A record has the methods of this adapter, and those of package msgpack from an embedded type.
type record struct {
	stamp
	n int
}

func (r record) EncodeMsgpack(e *vmihailenco.Encoder) error { return e.EncodeInt(int64(r.n)) }
func (r *record) DecodeMsgpack(d *vmihailenco.Decoder) (err error) {
	r.n, err = d.DecodeInt()
	return err
}

type stamp struct{ text string }

func (s stamp) MarshalMsgpack() ([]byte, error) { return vmihailenco.Marshal(s.text) }
func (s *stamp) UnmarshalMsgpack(data []byte) error {
	return vmihailenco.Unmarshal(data, &s.text)
}

// TestOwnMethods checks which methods are called if a type has both kinds.
func TestOwnMethods(t *testing.T) {
	c := hooktest.Codec(t, msgpack.Options{}, Hooks())
	want := record{stamp: stamp{"a"}}
	var got record
	if b, err := c.Marshal(record{stamp{"a"}, 5}); err != nil || string(b) != "\xa1a" || c.Unmarshal(b, &got) != nil || got != want {
		t.Errorf("% x, %v, then %v, want that of the embedded type", b, err, got)
	}
}
