package msgp

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

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
	c := profile.Msgp()
	c.Types = append(c.Types, types...)
	codec, err := msgpack.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return codec
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

var errHook = errors.New("the method fails")

// TestEncodeFaults checks the errors for methods that do not encode one value.
func TestEncodeFaults(t *testing.T) {
	codec := newCodec(t, Hooks())
	for _, c := range []struct {
		name   string
		encode func(w *msgp.Writer) error
		err    error
		text   string
	}{
		{"no value", func(*msgp.Writer) error { return nil }, msgpack.ErrInvalid, "(0 values)"},
		{"two values", func(w *msgp.Writer) error { return errors.Join(w.WriteInt(1), w.WriteInt(2)) }, msgpack.ErrInvalid, "(2 values)"},
		{"half a value", func(w *msgp.Writer) error { return w.WriteMapHeader(1) }, msgpack.ErrInvalid, "(it ends inside a value)"},
		{"reserved", func(w *msgp.Writer) error { return w.Append(0xc1) }, msgpack.ErrInvalid, "(it is malformed)"},
		{"an error", func(w *msgp.Writer) error { return errors.Join(w.WriteInt(1), errHook) }, errHook, "the method fails"},
		{"an error after a flush", func(w *msgp.Writer) error { return errors.Join(w.WriteInt(1), w.Flush(), w.WriteInt(2), errHook) }, errHook, "the method fails"},
	} {
		_, err := codec.Marshal([]*script{{encode: c.encode}})
		if err == nil || c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text) || !strings.Contains(err.Error(), "[0]") {
			t.Errorf("%s: %v", c.name, err)
		}
		// Later messages must not contain what the failed method wrote.
		if b, err := codec.Marshal(point{1, 2}); err != nil || string(b) != "\x92\x01\x02" {
			t.Errorf("after %s: % x, %v", c.name, b, err)
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic")
			}
		}()
		codec.Marshal(&script{encode: func(w *msgp.Writer) error { w.WriteInt(1); panic("x") }})
	}()
	if b, err := codec.Marshal(level(1)); err != nil || string(b) != "\xa1+" {
		t.Errorf("after a panic: % x, %v", b, err)
	}
}

// TestDecodeFaults checks the errors for methods that do not decode one value.
func TestDecodeFaults(t *testing.T) {
	codec := newCodec(t, Hooks())
	data := []byte("\x92\x01\x91\x02")
	for _, c := range []struct {
		name   string
		decode func(r *msgp.Reader) error
		err    error
		text   string
	}{
		{"nothing", func(*msgp.Reader) error { return nil }, msgpack.ErrInvalid, "0 of 4 bytes consumed"},
		{"nothing, after NextType", func(r *msgp.Reader) error { _, err := r.NextType(); return err }, msgpack.ErrInvalid, "0 of 4 bytes consumed"},
		{"half", func(r *msgp.Reader) error { _, err := r.ReadArrayHeader(); return err }, msgpack.ErrInvalid, "1 of 4 bytes consumed"},
		{"too much", func(r *msgp.Reader) error { return errors.Join(r.Skip(), r.Skip()) }, nil, "EOF"},
		{"an error", func(*msgp.Reader) error { return errHook }, errHook, "the method fails"},
		{"another type", func(r *msgp.Reader) error { _, err := r.ReadString(); return err }, nil, "attempted to decode"},
		{"limits", func(r *msgp.Reader) error { r.SetMaxElements(1); r.SetMaxStringLength(1); return r.Skip() }, nil, ""},
	} {
		err := codec.Unmarshal(data, &script{decode: c.decode})
		if (err == nil) != (c.text == "") || err != nil && (c.err != nil && !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.text)) {
			t.Errorf("%s: %v", c.name, err)
		}
		var l level // the limits of the last message do not apply
		if err := codec.Unmarshal([]byte("\xa3+++"), &l); err != nil || l != 3 {
			t.Errorf("after %s: %v, %v", c.name, l, err)
		}
	}
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

// TestHostile decodes messages that differ from a valid one by one byte or end early.
func TestHostile(t *testing.T) {
	codec := newCodec(t, Hooks())
	valid, err := codec.Marshal(shapes()[1])
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	try := func(data []byte) {
		runtime.ReadMemStats(&before)
		var s fields
		codec.Unmarshal(data, &s)
		codec.Unmarshal(data, &script{decode: func(r *msgp.Reader) error { _, err := r.ReadIntf(); return err }})
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
	if err := codec.Unmarshal(deep, &script{decode: func(r *msgp.Reader) error { return r.Skip() }}); !errors.Is(err, msgpack.ErrDepth) {
		t.Errorf("nested too deeply: %v", err)
	}
	if err := codec.Unmarshal([]byte("\xdd\xff\xff\xff\xff\x01"), new(point)); !errors.Is(err, msgpack.ErrTruncated) {
		t.Errorf("false count: %v", err)
	}
}

// TestConcurrency uses one Codec from several goroutines.
func TestConcurrency(t *testing.T) {
	codec := newCodec(t, Hooks())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				for _, v := range shapes() {
					var want bytes.Buffer
					msgp.Encode(&want, v)
					got, err := codec.Marshal((*fields)(v))
					if err != nil || !bytes.Equal(got, want.Bytes()) {
						t.Errorf("% .100x, %v", got, err)
					}
					var back fields
					if err := codec.Unmarshal(got, &back); err != nil || back.At != v.At || back.Level != v.Level {
						t.Errorf("%.100v, %v", back, err)
					}
				}
			}
		})
	}
	group.Wait()
}
