package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/faulty"
	"github.com/octet-go/octet/msgpack"
)

// A faultyValue has fields whose encodings differ in length.
type faultyValue struct {
	ID    uint64
	Name  string
	Data  []byte
	Tags  map[string]int
	Times []time.Time
	Any   any
}

func faultyExample() faultyValue {
	return faultyValue{1 << 40, strings.Repeat("é", 20), make([]byte, 300), map[string]int{"a": -1}, []time.Time{time.Unix(1, 5).UTC()}, []any{int64(1), "x", nil, true}}
}

// stream returns the encodings of the values, one after the other.
func stream(t *testing.T, values ...any) []byte {
	t.Helper()
	var all []byte
	for _, v := range values {
		b, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
	}
	return all
}

// TestFaultySources calls every function that reads from a reader with readers
// that fail at every position.
func TestFaultySources(t *testing.T) {
	example := faultyExample()
	one := stream(t, &example)
	long := stream(t, strings.Repeat("long ", 40_000))
	config, err := msgpack.New(msgpack.Options{RejectUnknown: true, RejectDuplicates: true})
	if err != nil {
		t.Fatal(err)
	}
	trailing, err := msgpack.New(msgpack.Options{AllowTrailing: true})
	if err != nil {
		t.Fatal(err)
	}
	unmarshal := func(read func(r io.Reader, v any) error) func(r io.Reader) (any, error) {
		return func(r io.Reader) (any, error) {
			var v faultyValue
			err := read(r, &v)
			return v, err
		}
	}
	// decode makes an entry for a method of Decoder. The method reads a value that stands between two strings.
	decode := func(name string, value any, call func(d *msgpack.Decoder) (any, error)) faulty.Source {
		return faulty.Source{Name: "Decoder." + name, Input: stream(t, "before", value, "behind"), Read: func(r io.Reader) (any, error) {
			d := msgpack.NewDecoder(r)
			if s, err := d.ReadString(); err != nil || s != "before" {
				return s, err
			}
			v, err := call(d)
			if err != nil {
				return v, err
			}
			s, err := d.ReadString()
			return []any{v, s}, err
		}}
	}
	anything := func(read func(r io.Reader, v any) error) func(r io.Reader) (any, error) {
		return func(r io.Reader) (any, error) {
			var v any
			err := read(r, &v)
			return v, err
		}
	}
	sources := []faulty.Source{
		{Name: "UnmarshalRead", Input: one, Read: unmarshal(msgpack.UnmarshalRead), ToEnd: true},
		{Name: "UnmarshalRead long", Input: long, Read: anything(msgpack.UnmarshalRead), ToEnd: true},
		{Name: "Codec.UnmarshalRead", Input: one, Read: unmarshal(config.UnmarshalRead), ToEnd: true},
		{Name: "Codec.UnmarshalRead without the end", Input: one, Read: unmarshal(trailing.UnmarshalRead)},
		{Name: "NewDecoder", Input: one, Read: unmarshal(func(r io.Reader, v any) error { return msgpack.NewDecoder(r).Decode(v) })},
		{Name: "Codec.NewDecoder", Input: one, Read: unmarshal(func(r io.Reader, v any) error { return config.NewDecoder(r).Decode(v) })},
		{Name: "Values", Input: stream(t, 1, 200, 1<<20, -5), Read: func(r io.Reader) (any, error) {
			var list []int
			for v, err := range msgpack.Values[int](msgpack.NewDecoder(r)) {
				if err != nil {
					return list, err
				}
				list = append(list, v)
			}
			return list, nil
		}, ToEnd: true, Prefixes: true},
		{Name: "Decoder.Reset", Input: one, Read: unmarshal(func(r io.Reader, v any) error {
			d := msgpack.NewDecoder(strings.NewReader("\x93\x01"))
			if _, err := d.ReadArrayHeader(); err != nil {
				return err
			}
			d.Reset(r)
			return d.Decode(v)
		})},
		decode("Decode", example, func(d *msgpack.Decoder) (any, error) { var v faultyValue; err := d.Decode(&v); return v, err }),
		decode("Tail", example, func(d *msgpack.Decoder) (any, error) {
			d.Tail(false)
			var v faultyValue
			err := d.Decode(&v)
			return v, err
		}),
		decode("More", 1, func(d *msgpack.Decoder) (any, error) {
			if !d.More() {
				return nil, d.Decode(new(any))
			}
			return d.ReadInt()
		}),
		// A loop that ignores errors ends, and the next call returns the error.
		{Name: "Decoder.More loop", Input: stream(t, 1, "two", []int{3, 4}, 5), Read: func(r io.Reader) (any, error) {
			d := msgpack.NewDecoder(r)
			var list []any
			for calls := 0; d.More(); calls++ {
				var v any
				if err := d.Decode(&v); err == nil {
					list = append(list, v)
				}
				if calls > len(list)+10 {
					return list, errors.New("the loop does not end")
				}
			}
			if err := d.Decode(new(any)); err != io.EOF {
				return list, err
			}
			return list, nil
		}, ToEnd: true, Prefixes: true},
		decode("PeekKind", 1, func(d *msgpack.Decoder) (any, error) {
			k, err := d.PeekKind()
			if err != nil {
				return nil, err
			}
			return k, d.Skip()
		}),
		decode("Skip", example, func(d *msgpack.Decoder) (any, error) { return nil, d.Skip() }),
		decode("ReadArrayHeader", []int{1, 2}, func(d *msgpack.Decoder) (any, error) {
			if n, err := d.ReadArrayHeader(); err != nil || n != 2 {
				return n, err
			}
			a, err := d.ReadInt()
			if err != nil {
				return nil, err
			}
			b, err := d.ReadInt()
			return []int64{a, b}, err
		}),
		decode("ReadMapHeader", map[string]int{"k": 300}, func(d *msgpack.Decoder) (any, error) {
			if n, err := d.ReadMapHeader(); err != nil || n != 1 {
				return n, err
			}
			k, err := d.ReadString()
			if err != nil {
				return nil, err
			}
			v, err := d.ReadInt()
			return []any{k, v}, err
		}),
		decode("ReadNil", nil, func(d *msgpack.Decoder) (any, error) { return nil, d.ReadNil() }),
		decode("ReadBool", true, func(d *msgpack.Decoder) (any, error) { return d.ReadBool() }),
		decode("ReadInt", int64(-1)<<40, func(d *msgpack.Decoder) (any, error) { return d.ReadInt() }),
		decode("ReadUint", uint64(1)<<63, func(d *msgpack.Decoder) (any, error) { return d.ReadUint() }),
		decode("ReadFloat", 1.5, func(d *msgpack.Decoder) (any, error) { return d.ReadFloat() }),
		decode("ReadString", strings.Repeat("text", 100), func(d *msgpack.Decoder) (any, error) { return d.ReadString() }),
		decode("ReadBytes", make([]byte, 300), func(d *msgpack.Decoder) (any, error) { return d.ReadBytes() }),
		decode("ReadTime", time.Unix(1, 2), func(d *msgpack.Decoder) (any, error) { return d.ReadTime() }),
		decode("ReadExt", &msgpack.Ext{Type: 5, Data: []byte("data")}, func(d *msgpack.Decoder) (any, error) { return d.ReadExt() }),
		decode("ReadRaw", example, func(d *msgpack.Decoder) (any, error) { return d.ReadRaw() }),
		decode("ReadPayload", strings.Repeat("text", 100), func(d *msgpack.Decoder) (any, error) {
			_, r, err := d.ReadPayload()
			if err != nil {
				return nil, err
			}
			b := make([]byte, 400)
			for n := 0; n < len(b); { // io.ReadFull would not notice an invalid count of r
				m, err := r.Read(b[n:])
				if n += m; err != nil && n < len(b) {
					return nil, err
				}
			}
			return b, nil
		}),
		decode("ReadPayload skipped", strings.Repeat("text", 2000), func(d *msgpack.Decoder) (any, error) {
			h, _, err := d.ReadPayload()
			return h, err
		}),
		decode("Buffered", nil, func(d *msgpack.Decoder) (any, error) {
			if err := d.Skip(); err != nil {
				return nil, err
			}
			b, err := io.ReadAll(d.Buffered())
			if !strings.HasPrefix("\xa6behind", string(b)) {
				t.Errorf("Buffered: %q", b)
			}
			return nil, err
		}),
	}
	faulty.TestSources(t, sources)
	faulty.Complete(t, reflect.TypeFor[*msgpack.Decoder](), faulty.Names(sources), "InputOffset")
}

// TestFaultySinks calls every function that writes to a writer with writers that
// fail at every position.
func TestFaultySinks(t *testing.T) {
	example := faultyExample()
	codec, err := msgpack.New(msgpack.Options{StructAsArray: true})
	if err != nil {
		t.Fatal(err)
	}
	text, long := strings.Repeat("text", 6000), make([]byte, 60_000)
	texts := slices.Repeat([]string{text[:100]}, 400) // long strings, because each element takes time and the sequence must be longer than the buffer
	// encode makes an entry for a method of Encoder. The entry writes so much that the buffer is flushed several times.
	encode := func(name string, call func(e *msgpack.Encoder) error) faulty.Sink {
		return faulty.Sink{Name: name, Write: func(w io.Writer) error {
			e := msgpack.NewEncoder(w)
			for range 3 {
				if err := call(e); err != nil {
					return err
				}
				if err := e.Encode(text); err != nil {
					return err
				}
			}
			return e.Flush()
		}}
	}
	sinks := []faulty.Sink{
		{Name: "MarshalWrite", Write: func(w io.Writer) error { return msgpack.MarshalWrite(w, &example) }},
		{Name: "Codec.MarshalWrite", Write: func(w io.Writer) error { return codec.MarshalWrite(w, &example) }},
		{Name: "NewEncoder", Write: func(w io.Writer) error {
			e := msgpack.NewEncoder(w)
			if err := e.Encode(&example); err != nil {
				return err
			}
			return e.Flush()
		}},
		{Name: "Codec.NewEncoder", Write: func(w io.Writer) error {
			e := codec.NewEncoder(w)
			if err := e.Encode(&example); err != nil {
				return err
			}
			return e.Flush()
		}},
		{Name: "Encoder.Reset", Write: func(w io.Writer) error {
			e := msgpack.NewEncoder(io.Discard)
			if err := e.Encode("lost"); err != nil {
				return err
			}
			e.Reset(w)
			if err := e.Encode(&example); err != nil {
				return err
			}
			return e.Flush()
		}},
		{Name: "Encoder.AutoFlush", Write: func(w io.Writer) error {
			e := msgpack.NewEncoder(w)
			e.AutoFlush(true)
			for range 3 {
				if err := e.Encode(&example); err != nil {
					return err
				}
			}
			return nil
		}},
		encode("EncodeSeq", func(e *msgpack.Encoder) error {
			return msgpack.EncodeSeq(e, len(texts), slices.Values(texts))
		}),
		encode("EncodeSeq2", func(e *msgpack.Encoder) error {
			return msgpack.EncodeSeq2(e, len(texts), slices.All(texts))
		}),
		encode("Encoder.Encode", func(e *msgpack.Encoder) error { return e.Encode(&example) }),
		encode("Encoder.Flush", func(e *msgpack.Encoder) error { return e.Flush() }),
		encode("Encoder.WriteArrayHeader", func(e *msgpack.Encoder) error { return e.WriteArrayHeader(1) }),
		encode("Encoder.WriteMapHeader", func(e *msgpack.Encoder) error {
			if err := e.WriteMapHeader(1); err != nil {
				return err
			}
			return e.WriteString("key")
		}),
		encode("Encoder.WriteNil", func(e *msgpack.Encoder) error { return e.WriteNil() }),
		encode("Encoder.WriteBool", func(e *msgpack.Encoder) error { return e.WriteBool(true) }),
		encode("Encoder.WriteInt", func(e *msgpack.Encoder) error { return e.WriteInt(-1 << 40) }),
		encode("Encoder.WriteUint", func(e *msgpack.Encoder) error { return e.WriteUint(1 << 63) }),
		encode("Encoder.WriteFloat", func(e *msgpack.Encoder) error { return e.WriteFloat(1.5) }),
		encode("Encoder.WriteString", func(e *msgpack.Encoder) error { return e.WriteString("text") }),
		encode("Encoder.WriteBytes", func(e *msgpack.Encoder) error { return e.WriteBytes(long[:40<<10]) }),
		encode("Encoder.WriteTime", func(e *msgpack.Encoder) error { return e.WriteTime(time.Unix(1, 2)) }),
		encode("Encoder.WriteExt", func(e *msgpack.Encoder) error { return e.WriteExt(msgpack.Ext{Type: 5, Data: []byte("data")}) }),
		encode("Encoder.WriteRaw", func(e *msgpack.Encoder) error { return e.WriteRaw(msgpack.Raw{0xc3}) }),
		encode("Encoder.WriteStringHeader", func(e *msgpack.Encoder) error { return e.WriteStringHeader(0) }),
		encode("Encoder.WriteBytesHeader", func(e *msgpack.Encoder) error {
			if err := e.WriteBytesHeader(3); err != nil {
				return err
			}
			_, err := e.Write([]byte("abc"))
			return err
		}),
		encode("Encoder.WriteExtHeader", func(e *msgpack.Encoder) error {
			if err := e.WriteExtHeader(5, 3); err != nil {
				return err
			}
			_, err := e.Write([]byte("abc"))
			return err
		}),
		encode("Encoder.Write", func(e *msgpack.Encoder) error {
			if err := e.WriteStringHeader(60_000); err != nil {
				return err
			}
			_, err := e.Write(long)
			return err
		}),
	}
	faulty.TestSinks(t, sinks)
	faulty.Complete(t, reflect.TypeFor[*msgpack.Encoder](), faulty.Names(sinks))
}

// A partialWriter accepts every third write. Of the others it accepts a third of the
// bytes, with an error or, in every third write, without one.
type partialWriter struct {
	bytes.Buffer
	calls int
}

func (w *partialWriter) Write(b []byte) (int, error) {
	if w.calls++; w.calls%3 == 0 {
		return w.Buffer.Write(b)
	}
	n, _ := w.Buffer.Write(b[:len(b)/3])
	if w.calls%3 == 1 {
		return n, nil
	}
	return n, faulty.Err
}

// TestEncoderContinues repeats each Flush until the writer has accepted everything. No byte may be lost or written twice.
func TestEncoderContinues(t *testing.T) {
	example := faultyExample()
	one := stream(t, &example)
	var w partialWriter
	e := msgpack.NewEncoder(&w)
	for range 50 {
		if err := e.Encode(&example); err != nil {
			t.Fatal(err)
		}
		for err := error(io.ErrShortWrite); err != nil; {
			if !errors.Is(err, io.ErrShortWrite) && !errors.Is(err, faulty.Err) {
				t.Fatal(err)
			}
			err = e.Flush()
		}
	}
	if !bytes.Equal(w.Bytes(), bytes.Repeat(one, 50)) {
		t.Errorf("%d bytes arrived, want %d", w.Len(), 50*len(one))
	}
}
