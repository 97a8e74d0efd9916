package msgpack_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// FuzzUnmarshalRead compares UnmarshalRead with Unmarshal, and the values and errors
// of Values with those of UnmarshalPrefix.
func FuzzUnmarshalRead(f *testing.F) {
	for i, s := range []string{"", "\xc0", "\xc0\xc0", "\x92\x01", "\x81\xa1a\x93\x01\x02\x03", "\xdb\x7f\xff\xff\xffabc", "\xdd\x00\x10\x00\x00\x01"} {
		f.Add(uint64(i), []byte(s))
	}
	f.Fuzz(func(t *testing.T, seed uint64, data []byte) {
		var want, got any
		wantErr := msgpack.Unmarshal(data, &want)
		var err error
		heaptest.AtMost(t, (anyFactor+8)*len(data)+1<<20, func() {
			got = nil
			err = msgpack.UnmarshalRead(newDrip(data, seed), &got)
		})
		if (err == nil) != (wantErr == nil) {
			t.Errorf("% x: UnmarshalRead %v, Unmarshal %v", data, err, wantErr)
		} else if err == nil {
			if diff := randtype.Diff(want, got); diff != "" {
				t.Errorf("% x: %s", data, diff)
			}
		}

		rest := data
		for v, err := range msgpack.Values[any](msgpack.NewDecoder(newDrip(data, seed))) {
			var want any
			n, wantErr := msgpack.UnmarshalPrefix(rest, &want)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("% x: Values %v, UnmarshalPrefix %v", rest, err, wantErr)
			}
			if err != nil {
				return
			}
			if diff := randtype.Diff(want, v); diff != "" {
				t.Errorf("% x: %s", rest, diff)
			}
			rest = rest[n:]
		}
		if len(rest) > 0 {
			t.Errorf("Values left % x", rest)
		}
	})
}

// methods holds the methods of a Decoder that read or skip something.
var methods = []struct {
	name string
	call func(d *msgpack.Decoder) (any, error)
}{
	{"ReadNil", func(d *msgpack.Decoder) (any, error) { return nil, d.ReadNil() }},
	{"ReadBool", func(d *msgpack.Decoder) (any, error) { return d.ReadBool() }},
	{"ReadInt", func(d *msgpack.Decoder) (any, error) { return d.ReadInt() }},
	{"ReadUint", func(d *msgpack.Decoder) (any, error) { return d.ReadUint() }},
	{"ReadFloat", func(d *msgpack.Decoder) (any, error) { return d.ReadFloat() }},
	{"ReadString", func(d *msgpack.Decoder) (any, error) { return d.ReadString() }},
	{"ReadBytes", func(d *msgpack.Decoder) (any, error) { return d.ReadBytes() }},
	{"ReadExt", func(d *msgpack.Decoder) (any, error) { return d.ReadExt() }},
	{"ReadTime", func(d *msgpack.Decoder) (any, error) { return d.ReadTime() }},
	{"ReadRaw", func(d *msgpack.Decoder) (any, error) { return d.ReadRaw() }},
	{"ReadArrayHeader", func(d *msgpack.Decoder) (any, error) { return d.ReadArrayHeader() }},
	{"ReadMapHeader", func(d *msgpack.Decoder) (any, error) { return d.ReadMapHeader() }},
	{"Skip", func(d *msgpack.Decoder) (any, error) { return nil, d.Skip() }},
	{"Decode", func(d *msgpack.Decoder) (v any, err error) { return v, d.Decode(&v) }},
	{"ReadPayload", func(d *msgpack.Decoder) (any, error) {
		h, r, err := d.ReadPayload()
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(r)
		return fmt.Sprintf("%+v % x", h, b), err
	}},
	{"ReadPayload, a part", func(d *msgpack.Decoder) (any, error) {
		h, r, err := d.ReadPayload()
		if err != nil {
			return nil, err
		}
		b := make([]byte, h.Payload/2%64)
		_, err = io.ReadFull(r, b)
		return fmt.Sprintf("%+v % x", h, b), err
	}},
	{"More", func(d *msgpack.Decoder) (any, error) { return d.More(), nil }},
	{"PeekKind", func(d *msgpack.Decoder) (any, error) { return d.PeekKind() }},
}

// FuzzMethods calls the methods of a Decoder in an order that the fuzzer chooses,
// whether or not they fit the next value. The results must not depend on how the
// bytes arrive, and a Decoder must continue after an error.
func FuzzMethods(f *testing.F) {
	all := make([]byte, len(methods))
	for i := range all {
		all[i] = byte(i)
	}
	for i, s := range []string{"", "\xc0\xc3\x05\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xca\x00\x00\x00\x00\xa1a\xc4\x01b\xd4\x01c\xd6\xff\x00\x00\x00\x01\x92\x01\x02\x81\x01\x02", "\x93\xc0", "\xdb\xff\xff\xff\xffab", "\xc1"} {
		f.Add(all, uint64(i), []byte(s))
	}
	f.Fuzz(func(t *testing.T, calls []byte, seed uint64, data []byte) {
		if len(calls) > 50 {
			calls = calls[:50]
		}
		var results [2]string
		for i, open := range []func() io.Reader{func() io.Reader { return hideLen(data) }, func() io.Reader { return newDrip(data, seed) }} {
			heaptest.AtMost(t, (len(calls)+1)*(anyFactor+8)*len(data)+1<<20, func() {
				d := msgpack.NewDecoder(open())
				for _, c := range calls {
					_, _ = methods[int(c)%len(methods)].call(d)
				}
			})
			d := msgpack.NewDecoder(open())
			last := int64(0)
			var text []byte
			for _, c := range calls {
				m := methods[int(c)%len(methods)]
				v, err := m.call(d)
				at := d.InputOffset()
				if at < last || at > int64(len(data)) {
					t.Fatalf("%s: from %d to %d of %d bytes", m.name, last, at, len(data))
				}
				var e *msgpack.Error
				if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(data))) {
					t.Fatalf("%s: %v", m.name, err)
				}
				if err != nil {
					v = nil
				}
				text = fmt.Appendf(text, "%s %s %v %d\n", m.name, show(reflect.ValueOf(&v)), err, at)
				last = at
			}
			results[i] = string(text)
		}
		if results[0] != results[1] {
			t.Errorf("% x at once:\n%s\nin pieces:\n%s", data, results[0], results[1])
		}
	})
}

// TestMismatchInPieces reads values of the wrong kind that arrive in pieces or end
// early. FuzzMethods found that the error said how many bytes had arrived.
func TestMismatchInPieces(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"\xdb00000", "msgpack: unmarshal at offset 0: found str 32 of 808464432 bytes, want bool: value does not fit the Go type"},
		{"\xc7\x05\x0100", "msgpack: unmarshal at offset 0: found ext 8 of type 1 and 5 bytes, want bool: value does not fit the Go type"},
		{"\xcd\x12\x34", "msgpack: unmarshal at offset 0: found uint 16 4660, want bool: value does not fit the Go type"},
		{"\xcd\x12", "msgpack: unmarshal at offset 0: found uint 16, 1 byte left: truncated input"},
	} {
		for name, r := range map[string]io.Reader{"at once": hideLen([]byte(c.data)), "in pieces": iotest.OneByteReader(strings.NewReader(c.data))} {
			if _, err := msgpack.NewDecoder(r).ReadBool(); err == nil || err.Error() != c.want {
				t.Errorf("% x %s: %v, want %s", c.data, name, err, c.want)
			}
		}
	}
}

// FuzzNumber calls the methods of a Number that holds arbitrary bytes.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"", "\x05", "\xff", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xca\x7f\xc0\x00\x00", "\xcb\x43\xf0\x00\x00\x00\x00\x00\x00", "\xcd\x00", "\xc0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := msgpack.Number(s)
		i, isInt := n.Int64()
		u, isUint := n.Uint64()
		_, isFloat := n.Float64()
		if n.String() == "" || isInt && isUint && uint64(i) != u {
			t.Errorf("%q is %q, %d %v, %d %v", s, n, i, isInt, u, isUint)
		}
		if b, err := msgpack.Marshal(n); err == nil {
			var back msgpack.Number
			if err := msgpack.Unmarshal(b, &back); err != nil {
				t.Errorf("%q became % x: %v", s, b, err)
			} else if j, ok := back.Int64(); ok != isInt || ok && j != i {
				t.Errorf("%q became % x", s, b)
			}
		} else if isInt || isUint || isFloat {
			t.Errorf("%q is not written: %v", s, err)
		}
	})
}
