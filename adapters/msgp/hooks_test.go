package msgp

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/adapters/internal/hooktest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	"github.com/tinylib/msgp/msgp"
)

// A point writes an array.
type point struct{ x, y int32 }

func (p *point) EncodeMsg(w *msgp.Writer) error {
	return errors.Join(w.WriteArrayHeader(2), w.WriteInt32(p.x), w.WriteInt32(p.y))
}

func (p *point) DecodeMsg(r *msgp.Reader) (err error) {
	n, err := r.ReadArrayHeader()
	if err != nil {
		return err
	}
	if n != 2 {
		return errors.New("not two elements")
	}
	if p.x, err = r.ReadInt32(); err == nil {
		p.y, err = r.ReadInt32()
	}
	return err
}

// A level writes a string.
type level int

func (l level) EncodeMsg(w *msgp.Writer) error {
	return w.WriteString(strings.Repeat("+", int(l)))
}

func (l *level) DecodeMsg(r *msgp.Reader) error {
	s, err := r.ReadString()
	*l = level(len(s))
	return err
}

// A note has methods for byte slices only.
type note struct{ s string }

func (n *note) MarshalMsg(b []byte) ([]byte, error) { return msgp.AppendString(b, n.s), nil }
func (n *note) UnmarshalMsg(b []byte) (rest []byte, err error) {
	n.s, rest, err = msgp.ReadStringBytes(b)
	return rest, err
}

// A shape writes what generated code for its fields would write.
type shape struct {
	Name   string
	At     point
	Level  level
	Points []*point
	Data   []byte
	N      int64
}

func (s *shape) EncodeMsg(w *msgp.Writer) error {
	err := errors.Join(w.WriteMapHeader(6), w.WriteString("Name"), w.WriteString(s.Name), w.WriteString("At"), s.At.EncodeMsg(w),
		w.WriteString("Level"), s.Level.EncodeMsg(w), w.WriteString("Points"), w.WriteArrayHeader(uint32(len(s.Points))))
	for _, p := range s.Points {
		err = errors.Join(err, p.EncodeMsg(w))
	}
	return errors.Join(err, w.WriteString("Data"), w.WriteBytes(s.Data), w.WriteString("N"), w.WriteInt64(s.N))
}

// A fields has the fields of shape without its methods, so that Octet encodes them.
type fields struct {
	Name   string
	At     point
	Level  level
	Points []*point
	Data   []byte
	N      int64
}

func shapes() []*shape {
	return []*shape{
		{},
		{"s", point{1, -200}, 3, []*point{{4, 5}, {70000, 7}}, []byte{1, 2}, 200},
		{Name: strings.Repeat("long", 10000), Level: 100_000, Data: make([]byte, 5000)},
	}
}

func newCodec(t testing.TB, types ...msgpack.TypeCoder) *msgpack.Codec {
	t.Helper()
	return hooktest.Codec(t, profile.Msgp(), types...)
}

// TestSameBytes checks that types with methods are encoded to the bytes that msgp writes.
// They are encoded by their methods and as fields, as single values and in streams.
func TestSameBytes(t *testing.T) {
	codec := newCodec(t, Hooks())
	var want, got bytes.Buffer
	e := codec.NewEncoder(&got)
	for i, v := range shapes() {
		var data bytes.Buffer
		if err := msgp.Encode(&data, v); err != nil {
			t.Fatal(err)
		}
		want.Write(data.Bytes())
		for _, v := range []any{v, (*fields)(v)} {
			b, err := codec.Marshal(v)
			if err != nil || !bytes.Equal(b, data.Bytes()) {
				t.Errorf("%d, %T: got  % .300x, %v\nwant % .300x", i, v, b, err, data.Bytes())
			}
		}
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("the streams differ: %v", err)
	}
	d := codec.NewDecoder(iotestReader{&want})
	for i, v := range shapes() {
		var back fields
		if err := d.Decode(&back); err != nil {
			t.Fatal(err)
		}
		if v.Points == nil {
			v.Points = []*point{}
		}
		if v.Data == nil {
			v.Data = []byte{}
		}
		if !reflect.DeepEqual(&back, (*fields)(v)) {
			t.Errorf("%d: got %.300v", i, back)
		}
	}
	if d.More() {
		t.Error("there are more values")
	}
}

// An iotestReader reads seven bytes at a time.
type iotestReader struct{ r io.Reader }

func (r iotestReader) Read(p []byte) (int, error) { return r.r.Read(p[:min(7, len(p))]) }

func TestMarshalers(t *testing.T) {
	codec := newCodec(t, Marshalers(), Hooks())
	v := []note{{"a"}, {strings.Repeat("b", 10_000)}}
	want, _ := v[1].MarshalMsg(append([]byte{0x92}, "\xa1a"...))
	got, err := codec.Marshal(v)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got % .100x, %v", got, err)
	}
	var back []note
	if err := codec.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("got %.100v, %v", back, err)
	}
	if err := codec.Unmarshal([]byte("\x91\x92\xa1a\xa1b"), &back); err == nil {
		t.Error("no error for an array")
	}
}

// A script is a type whose methods call functions of a test.
type script struct {
	encode func(w *msgp.Writer) error
	decode func(r *msgp.Reader) error
}

func (s *script) EncodeMsg(w *msgp.Writer) error { return s.encode(w) }
func (s *script) DecodeMsg(r *msgp.Reader) error { return s.decode(r) }

// valid has methods that work.
var valid = hooktest.Sample{Value: point{1, 2}, Data: "\x92\x01\x02"}

func encodeFault(name string, encode func(w *msgp.Writer) error, err error, text string) hooktest.Fault {
	return hooktest.Fault{Name: name, Value: &script{encode: encode}, Err: err, Text: text}
}

func decodeFault(name string, decode func(r *msgp.Reader) error, err error, text string) hooktest.Fault {
	return hooktest.Fault{Name: name, Value: &script{decode: decode}, Err: err, Text: text}
}

// TestEncodeFaults checks the errors for methods that do not encode one value.
func TestEncodeFaults(t *testing.T) {
	codec, errHook := newCodec(t, Hooks()), hooktest.ErrMethod
	hooktest.EncodeFaults(t, codec, valid,
		encodeFault("no value", func(*msgp.Writer) error { return nil }, msgpack.ErrInvalid, "(0 values)"),
		encodeFault("two values", func(w *msgp.Writer) error { return errors.Join(w.WriteInt(1), w.WriteInt(2)) }, msgpack.ErrInvalid, "(2 values)"),
		encodeFault("half a value", func(w *msgp.Writer) error { return w.WriteMapHeader(1) }, msgpack.ErrInvalid, "(it ends inside a value)"),
		encodeFault("reserved", func(w *msgp.Writer) error { return w.Append(0xc1) }, msgpack.ErrInvalid, "(it is malformed)"),
		encodeFault("an error", func(w *msgp.Writer) error { return errors.Join(w.WriteInt(1), errHook) }, errHook, "the method fails"),
		encodeFault("an error after a flush", func(w *msgp.Writer) error { return errors.Join(w.WriteInt(1), w.Flush(), w.WriteInt(2), errHook) }, errHook, "the method fails"),
	)
	hooktest.EncodePanic(t, codec, hooktest.Sample{Value: level(1), Data: "\xa1+"},
		&script{encode: func(w *msgp.Writer) error { w.WriteInt(1); panic("x") }})
}

// TestDecodeFaults checks the errors for methods that do not decode one value.
func TestDecodeFaults(t *testing.T) {
	// The limits of a message do not apply to the next one, which is longer.
	next := hooktest.Sample{Value: level(3), Data: "\xa3+++"}
	hooktest.DecodeFaults(t, newCodec(t, Hooks()), "\x92\x01\x91\x02", next,
		decodeFault("nothing", func(*msgp.Reader) error { return nil }, msgpack.ErrInvalid, "0 of 4 bytes consumed"),
		decodeFault("nothing, after NextType", func(r *msgp.Reader) error { _, err := r.NextType(); return err }, msgpack.ErrInvalid, "0 of 4 bytes consumed"),
		decodeFault("half", func(r *msgp.Reader) error { _, err := r.ReadArrayHeader(); return err }, msgpack.ErrInvalid, "1 of 4 bytes consumed"),
		decodeFault("too much", func(r *msgp.Reader) error { return errors.Join(r.Skip(), r.Skip()) }, nil, "EOF"),
		decodeFault("an error", func(*msgp.Reader) error { return hooktest.ErrMethod }, hooktest.ErrMethod, "the method fails"),
		decodeFault("another type", func(r *msgp.Reader) error { _, err := r.ReadString(); return err }, nil, "attempted to decode"),
		decodeFault("limits", func(r *msgp.Reader) error { r.SetMaxElements(1); r.SetMaxStringLength(1); return r.Skip() }, nil, ""),
	)
}

// TestLimits checks that limits which a method sets do not apply to later calls.
func TestLimits(t *testing.T) {
	for range 20 { // the pool may return another Reader
		if _, err := decode([]byte{1}, &script{decode: func(r *msgp.Reader) error {
			r.SetMaxElements(1)
			r.SetMaxStringLength(1)
			r.SetMaxRecursionDepth(1)
			return r.Skip()
		}}); err != nil {
			t.Fatal(err)
		}
		var got any
		if _, err := decode([]byte("\x92\x91\x91\x01\xa2ab"), &script{decode: func(r *msgp.Reader) (err error) {
			got, err = r.ReadIntf()
			return err
		}}); err != nil {
			t.Fatal(got, err)
		}
	}
}

// TestPoolsReleaseLongValues checks that the Writers and Readers in the pools do not keep the
// memory of long values.
func TestPoolsReleaseLongValues(t *testing.T) {
	const size = 10 << 20
	b, err := encode(nil, &script{encode: func(w *msgp.Writer) error { return w.WriteBytes(make([]byte, size)) }})
	if err != nil || len(b) < size {
		t.Fatal(len(b), err)
	}
	read := func(r *msgp.Reader) error {
		next, err := r.R.Next(len(b)) // the Reader gets a buffer for all of it
		if len(next) != len(b) {
			t.Errorf("got %d bytes", len(next))
		}
		return err
	}
	if n, err := decode(b, &script{decode: read}); n != len(b) || err != nil {
		t.Fatal(n, err)
	}
	for range 100 {
		w, r := writers.Get().(*writer), readers.Get().(*reader)
		if n := r.BufferSize(); n > 2*bufferSize {
			t.Errorf("a Reader keeps %d bytes", n)
		}
		if w.buf != nil || r.r.Size() != 0 || w.Writer.Buffered() != bufferSize {
			t.Errorf("%d, %d and %d bytes of messages are kept", cap(w.buf), r.r.Size(), bufferSize-w.Writer.Buffered())
		}
	}
}

// TestHostile decodes messages that differ from a valid one, and headers that are refused.
func TestHostile(t *testing.T) {
	codec := newCodec(t, Hooks())
	data, err := codec.Marshal(shapes()[1])
	if err != nil {
		t.Fatal(err)
	}
	hooktest.Hostile(t, data, func(data []byte) {
		codec.Unmarshal(data, new(fields))
		codec.Unmarshal(data, &script{decode: func(r *msgp.Reader) error { _, err := r.ReadIntf(); return err }})
	})
	hooktest.Headers(t, codec, &script{decode: func(r *msgp.Reader) error { return r.Skip() }}, new(point))
}

// TestConcurrency uses one Codec from several goroutines.
func TestConcurrency(t *testing.T) {
	var values []*fields
	var want [][]byte
	for _, v := range shapes() {
		var data bytes.Buffer
		if err := msgp.Encode(&data, v); err != nil {
			t.Fatal(err)
		}
		values, want = append(values, (*fields)(v)), append(want, data.Bytes())
	}
	hooktest.Concurrently(t, newCodec(t, Hooks()), values, want, func(a, b *fields) bool { return a.At == b.At && a.Level == b.Level })
}
