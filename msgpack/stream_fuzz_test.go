package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzStream compares decoding from streams with decoding from the slice.
func FuzzStream(f *testing.F) {
	f.Fuzz(func(t *testing.T, typ uint16, seed uint64, data []byte) {
		types := fuzzTypes()
		target := types[int(typ)%len(types)]
		checkStream(t, target, data, seed)
		var err error
		var v any
		var d *msgpack.Decoder
		heaptest.AtMost(t, int(memoryBound(target, len(data)))+4*len(data)+1<<20, func() {
			v, d = reflect.New(target).Interface(), msgpack.NewDecoder(hideLen(data))
			err = d.Decode(v)
		})
		// After Reset, the Decoder is as new.
		d.Reset(hideLen(data))
		again := reflect.New(target)
		if e := d.Decode(again.Interface()); fmt.Sprint(e) != fmt.Sprint(err) || err == nil && show(again) != show(reflect.ValueOf(v)) {
			t.Errorf("% x into %v: %v, after Reset %v", data, target, err, e)
		}
		// With Tail, the Decoder continues when more bytes are there.
		r := &growing{data, 1 + int(seed%7)}
		d = msgpack.NewDecoder(r)
		d.Tail(true)
		for {
			again = reflect.New(target)
			e := d.Decode(again.Interface())
			if len(r.rest) > 0 && (e == io.EOF || errors.Is(e, msgpack.ErrTruncated)) {
				continue
			}
			if fmt.Sprint(e) != fmt.Sprint(err) || err == nil && show(again) != show(reflect.ValueOf(v)) {
				t.Errorf("% x into %v: %v, as it grows %v", data, target, err, e)
			}
			break
		}
	})
}

// A growing reader returns io.EOF after every few bytes, and then continues, like a
// file that another program extends.
type growing struct {
	rest []byte
	step int
}

func (r *growing) Read(b []byte) (int, error) {
	n := copy(b, r.rest[:min(r.step, len(r.rest))])
	r.rest = r.rest[n:]
	return n, io.EOF
}

// FuzzTokens reads a stream with methods that the input selects, and writes the
// results with the methods of the Encoder. The values must be the same, and the
// offsets must add up.
func FuzzTokens(f *testing.F) {
	f.Fuzz(func(t *testing.T, decisions []byte, seed uint64, data []byte) {
		var d *msgpack.Decoder
		var e *msgpack.Encoder
		var b bytes.Buffer
		var failed bool
		// The bound includes the buffers of both sides.
		heaptest.AtMost(t, 2*int(memoryBound(reflect.TypeFor[any](), len(data)))+1<<20, func() {
			b, failed = bytes.Buffer{}, false
			d, e = msgpack.NewDecoder(newDrip(data, seed)), msgpack.NewEncoder(&b)
			for i := 0; ; i++ {
				before := d.InputOffset()
				k, err := d.PeekKind()
				if err == nil {
					decision := byte(0)
					if i < len(decisions) {
						decision = decisions[i]
					}
					err = copyToken(t, d, e, k, decision)
				}
				if err == nil && d.InputOffset() <= before {
					t.Fatal("a value has no bytes")
				}
				if err != nil {
					failed = err != io.EOF
					return
				}
			}
		})
		if d.InputOffset() > int64(len(data)) {
			t.Errorf("at %d of %d bytes", d.InputOffset(), len(data))
		}
		err := e.Flush()
		if failed {
			return
		}
		if err != nil {
			t.Fatalf("% x: the whole input was read, but %v", data, err)
		}
		// Both have the same values, but the formats may differ.
		want, got := data, b.Bytes()
		for len(want) > 0 {
			var a, c any
			n, err1 := msgpack.UnmarshalPrefix(want, &a)
			m, err2 := msgpack.UnmarshalPrefix(got, &c)
			if (err1 == nil) != (err2 == nil) {
				t.Fatalf("% x became % x: %v, %v", want, got, err1, err2)
			}
			if err1 != nil { // a key that cannot be the key of a Go map
				return
			}
			if x, y := show(reflect.ValueOf(&a)), show(reflect.ValueOf(&c)); x != y {
				t.Fatalf("% x became % x", want, got)
			}
			want, got = want[n:], got[m:]
		}
		if len(got) > 0 {
			t.Errorf("% x became longer: % x", data, got)
		}
	})
}

// copyToken copies the next token or the next value.
func copyToken(t *testing.T, d *msgpack.Decoder, e *msgpack.Encoder, k wire.Kind, decision byte) error {
	if decision%4 == 1 {
		raw, err := d.ReadRaw()
		if err == nil {
			succeed(t, e.WriteRaw(raw))
		}
		return err
	}
	switch k {
	case wire.KindNil:
		succeed(t, e.WriteNil())
		return d.ReadNil()
	case wire.KindBool:
		v, err := d.ReadBool()
		succeed(t, e.WriteBool(v))
		return err
	case wire.KindInt:
		v, err := d.ReadInt()
		if errors.Is(err, msgpack.ErrRange) {
			u, err := d.ReadUint()
			succeed(t, e.WriteUint(u))
			return err
		}
		succeed(t, e.WriteInt(v))
		return err
	case wire.KindArray:
		n, err := d.ReadArrayHeader()
		if err == nil {
			succeed(t, e.WriteArrayHeader(n))
		}
		return err
	case wire.KindMap:
		n, err := d.ReadMapHeader()
		if err == nil {
			succeed(t, e.WriteMapHeader(n))
		}
		return err
	case wire.KindStr, wire.KindBin, wire.KindExt:
		if decision%4 == 2 {
			return copyPayload(t, d, e)
		}
	}
	var v any
	switch k {
	case wire.KindStr:
		s, err := d.ReadString()
		succeed(t, e.WriteString(s))
		return err
	case wire.KindBin:
		b, err := d.ReadBytes()
		succeed(t, e.WriteBytes(b))
		return err
	}
	err := d.Decode(&v)
	succeed(t, e.Encode(v))
	return err
}

func copyPayload(t *testing.T, d *msgpack.Decoder, e *msgpack.Encoder) error {
	h, r, err := d.ReadPayload()
	if err != nil {
		return err
	}
	if h.Ext == wire.TimestampType {
		b, err := io.ReadAll(r)
		succeed(t, e.WriteExt(msgpack.Ext{Type: h.Ext, Data: b}))
		return err
	}
	switch h.Format.Kind() {
	case wire.KindStr:
		succeed(t, e.WriteStringHeader(h.Payload))
	case wire.KindBin:
		succeed(t, e.WriteBytesHeader(h.Payload))
	default:
		succeed(t, e.WriteExtHeader(h.Ext, h.Payload))
	}
	_, err = io.Copy(e, r)
	return err
}

func succeed(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
