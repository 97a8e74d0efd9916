package msgpack_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A tokenMethod calls one Read method and returns its result.
type tokenMethod func(d *msgpack.Decoder) (any, error)

func token[T any](read func(d *msgpack.Decoder) (T, error)) tokenMethod {
	return func(d *msgpack.Decoder) (any, error) { return read(d) }
}

var tokenMethods = map[string]tokenMethod{
	"nil":    func(d *msgpack.Decoder) (any, error) { return nil, d.ReadNil() },
	"bool":   token((*msgpack.Decoder).ReadBool),
	"int":    token((*msgpack.Decoder).ReadInt),
	"uint":   token((*msgpack.Decoder).ReadUint),
	"float":  token((*msgpack.Decoder).ReadFloat),
	"string": token((*msgpack.Decoder).ReadString),
	"bytes":  token((*msgpack.Decoder).ReadBytes),
	"time":   token((*msgpack.Decoder).ReadTime),
	"ext":    token((*msgpack.Decoder).ReadExt),
	"raw":    token((*msgpack.Decoder).ReadRaw),
	"array":  token((*msgpack.Decoder).ReadArrayHeader),
	"map":    token((*msgpack.Decoder).ReadMapHeader),
	"payload": func(d *msgpack.Decoder) (any, error) {
		h, r, err := d.ReadPayload()
		if err != nil {
			return nil, err
		}
		b, err := io.ReadAll(r)
		return fmt.Sprintf("%v %d %d: %s", h.Format.Kind(), h.Ext, h.Payload, b), err
	},
}

// tokens holds the result of each method for a value, or the error. A method that
// is not listed returns ErrMismatch.
var tokens = []struct {
	bytes string
	kind  wire.Kind
	want  map[string]any
}{
	{"c0", wire.KindNil, map[string]any{"nil": nil}},
	{"c3", wire.KindBool, map[string]any{"bool": true}},
	{"05", wire.KindInt, map[string]any{"int": int64(5), "uint": uint64(5), "float": 5.0}},
	{"d1 ff00", wire.KindInt, map[string]any{"int": int64(-256), "uint": msgpack.ErrRange, "float": -256.0}},
	{"cf ffffffffffffffff", wire.KindInt, map[string]any{"int": msgpack.ErrRange, "uint": ^uint64(0), "float": msgpack.ErrRange}},
	{"cb 3ff8000000000000", wire.KindFloat, map[string]any{"int": msgpack.ErrRange, "uint": msgpack.ErrRange, "float": 1.5}},
	{"ca 40000000", wire.KindFloat, map[string]any{"int": int64(2), "uint": uint64(2), "float": 2.0}},
	{"a2 6162", wire.KindStr, map[string]any{"string": "ab", "bytes": []byte("ab"), "payload": "str 0 2: ab"}},
	{"c4 02 6162", wire.KindBin, map[string]any{"string": "ab", "bytes": []byte("ab"), "payload": "bin 0 2: ab"}},
	{"a0", wire.KindStr, map[string]any{"string": "", "bytes": []byte{}, "payload": "str 0 0: "}},
	{"d6 ff 00000001", wire.KindExt, map[string]any{"time": "1970-01-01 00:00:01 +0000 UTC", "ext": msgpack.Ext{Type: -1, Data: []byte{0, 0, 0, 1}}, "payload": "ext -1 4: \x00\x00\x00\x01"}},
	{"c7 03 07 616263", wire.KindExt, map[string]any{"ext": msgpack.Ext{Type: 7, Data: []byte("abc")}, "payload": "ext 7 3: abc"}},
	{"92 01 81 02 03", wire.KindArray, map[string]any{"array": uint32(2)}},
	{"82 01 91 02 c0 c0", wire.KindMap, map[string]any{"map": uint32(2)}},
	{"80", wire.KindMap, map[string]any{"map": uint32(0)}},
}

// TestDecoderTokens reads every value with every method, between two other values.
// The streams deliver the bytes in different ways.
func TestDecoderTokens(t *testing.T) {
	for _, c := range tokens {
		value := unhex(t, c.bytes)
		data := slices.Concat([]byte{1}, value, []byte{2})
		for how, reader := range readers {
			for name, read := range tokenMethods {
				d := msgpack.NewDecoder(reader(data, 1))
				checkInt(t, d, 1)
				if k, err := d.PeekKind(); k != c.kind || err != nil {
					t.Errorf("%s: peeked %v, %v, want %v", c.bytes, k, err, c.kind)
				}
				want, ok := c.want[name]
				if name == "raw" {
					want, ok = msgpack.Raw(value), true
				} else if !ok {
					want = msgpack.ErrMismatch
				}
				got, err := read(d)
				if reason, ok := want.(error); ok {
					var e *msgpack.Error
					if !errors.As(err, &e) || e.Err != reason || e.Offset != 1 {
						t.Errorf("%s, %s: %s: %v, %v, want %v", how, c.bytes, name, got, err, reason)
					}
					if err := d.Skip(); err != nil { // the value is still unread
						t.Errorf("%s, %s: %s, then Skip: %v", how, c.bytes, name, err)
					}
				} else if err != nil || fmt.Sprintf("%v", got) != fmt.Sprintf("%v", want) {
					t.Errorf("%s, %s: %s: got %#v, %v, want %#v", how, c.bytes, name, got, err, want)
				}
				if name == "array" || name == "map" {
					for d.InputOffset() < int64(1+len(value)) {
						if err := d.Skip(); err != nil {
							t.Fatal(err)
						}
					}
				}
				checkInt(t, d, 2)
				if _, err := d.PeekKind(); err != io.EOF || d.More() || d.InputOffset() != int64(len(data)) {
					t.Errorf("%s, %s: %s: at the end: %v, %v, %d", how, c.bytes, name, err, d.More(), d.InputOffset())
				}
			}
		}
	}
}

func checkInt(t *testing.T, d *msgpack.Decoder, want int64) {
	t.Helper()
	if i, err := d.ReadInt(); i != want || err != nil {
		t.Errorf("got %d, %v, want %d", i, err, want)
	}
}

// TestDecoderTruncatedTokens ends the input inside the value that each method
// reads, and between the values of a container.
func TestDecoderTruncatedTokens(t *testing.T) {
	for _, c := range tokens {
		value := unhex(t, c.bytes)
		for n := range value {
			for name, read := range tokenMethods {
				if _, ok := c.want[name]; !ok && name != "raw" {
					continue
				}
				d := msgpack.NewDecoder(newDrip(value[:n], 1))
				_, err := read(d)
				switch {
				case n == 0:
					if err != io.EOF {
						t.Errorf("%s: nothing: %v", name, err)
					}
				case (name == "array" || name == "map") && n > 0:
					for err == nil {
						err = d.Skip()
					}
					fallthrough
				default:
					if !errors.Is(err, msgpack.ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) {
						t.Errorf("%s of % x: %v, want ErrTruncated", name, value[:n], err)
					}
				}
			}
		}
	}
	d := msgpack.NewDecoder(strings.NewReader("\x83\x01\x92\x01"))
	_, _ = d.ReadMapHeader()
	_ = d.Skip()
	_, _ = d.ReadArrayHeader()
	_ = d.Skip()
	if !d.More() {
		t.Error("More is false although 5 values are missing")
	}
	err := d.Decode(new(any))
	if want := "msgpack: unmarshal at offset 4: found end of input, want 5 more values: truncated input"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	_, r, err := msgpack.NewDecoder(strings.NewReader("\xa5abc")).ReadPayload()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if want := "msgpack: unmarshal at offset 4: found end of input, want 2 more bytes: truncated input"; err == nil || err.Error() != want || string(b) != "abc" {
		t.Errorf("got  %q, %v\nwant %s", b, err, want)
	}
}

// TestDecoderPayload reads all, some or none of a payload, with reads of several
// lengths, and continues with the next value.
func TestDecoderPayload(t *testing.T) {
	long := strings.Repeat("0123456789", 20_000)
	var data []byte
	for _, v := range []any{long, 1, []byte(long), 2, msgpack.Ext{Type: 3, Data: []byte(long)}, 3, "", 4} {
		data, _ = msgpack.MarshalAppend(data, v)
	}
	for how, reader := range readers {
		for _, part := range []int{0, 1, 5000, 150_000, len(long)} {
			for _, size := range []int{1 << 10, 300_000} {
				d := msgpack.NewDecoder(reader(data, 1))
				for i := range int64(4) {
					h, r, err := d.ReadPayload()
					if err != nil {
						t.Fatal(err)
					}
					start := d.InputOffset()
					got := make([]byte, min(part, int(h.Payload)))
					for n, m := 0, 0; n < len(got) && err == nil; n += m {
						m, err = r.Read(got[n:min(n+size, len(got))])
					}
					if err != nil || string(got) != long[:len(got)] || d.InputOffset() != start+int64(len(got)) {
						t.Fatalf("%s: now at %d, %v, want %d from %d", how, d.InputOffset(), err, len(got), start)
					}
					checkInt(t, d, i+1)
					if n, err := r.Read(make([]byte, 10)); n != 0 || err == nil || err == io.EOF {
						t.Errorf("the payload returned %d bytes, %v after the Decoder advanced", n, err)
					}
				}
				if d.More() {
					t.Error("More is true after the end")
				}
			}
		}
	}
}

// TestDecoderReaderFaults uses readers that fail or break their contract. The
// Decoder must return an error, must not loop forever, and must not lose earlier
// values.
func TestDecoderReaderFaults(t *testing.T) {
	for name, c := range map[string]struct {
		r    io.Reader
		want string
	}{
		"nothing, forever": {readFunc(func([]byte) (int, error) { return 0, nil }), io.ErrNoProgress.Error()},
		"negative count":   {readFunc(func([]byte) (int, error) { return -1, nil }), "invalid count"},
		"count too large":  {readFunc(func(b []byte) (int, error) { return len(b) + 1, nil }), "invalid count"},
		"fails":            {iotest.ErrReader(errFault), errFault.Error()},
	} {
		for method, read := range map[string]func(d *msgpack.Decoder) error{
			"Decode":  func(d *msgpack.Decoder) error { return d.Decode(new(any)) },
			"Skip":    (*msgpack.Decoder).Skip,
			"ReadNil": (*msgpack.Decoder).ReadNil,
			"payload": func(d *msgpack.Decoder) error {
				_, r, err := d.ReadPayload()
				if err == nil {
					_, err = io.Copy(io.Discard, r)
				}
				return err
			},
		} {
			for _, before := range []string{"", "\xa5ab"} {
				if method == "ReadNil" && before != "" {
					continue
				}
				d := msgpack.NewDecoder(io.MultiReader(strings.NewReader(before), c.r))
				if err := read(d); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s, %s after %q: %v", name, method, before, err)
				}
				d.Reset(strings.NewReader("\x07"))
				checkInt(t, d, 7)
			}
		}
	}
}

type readFunc func(b []byte) (int, error)

func (f readFunc) Read(b []byte) (int, error) { return f(b) }

// TestDecoderBuffered reads the rest of the input from Buffered.
func TestDecoderBuffered(t *testing.T) {
	for _, reset := range []bool{false, true} {
		r := strings.NewReader("\x01\xa3abcrest" + strings.Repeat("x", 10_000))
		d := msgpack.NewDecoder(r)
		checkInt(t, d, 1)
		if _, err := d.ReadString(); err != nil {
			t.Fatal(err)
		}
		buffered := d.Buffered()
		other := strings.NewReader(strings.Repeat("\x02", 100))
		if reset {
			d.Reset(other)
			checkInt(t, d, 2)
		}
		rest, err := io.ReadAll(io.MultiReader(buffered, r))
		if err != nil || string(rest) != "rest"+strings.Repeat("x", 10_000) {
			t.Errorf("reset %v: got %.50q, %v", reset, rest, err)
		}
	}
}

// TestDecoderSyntaxErrorStays calls every method after a syntax error.
func TestDecoderSyntaxErrorStays(t *testing.T) {
	for name, data := range map[string]string{"reserved": "\x01\x92\x01\xc1\x01", "depth": "\x01" + strings.Repeat("\x91", 513), "timestamp": "\x01\xd5\xff\x00\x00"} {
		for method, read := range tokenMethods {
			for _, first := range []func(d *msgpack.Decoder) error{
				(*msgpack.Decoder).Skip, func(d *msgpack.Decoder) error { return d.Decode(new(any)) },
				func(d *msgpack.Decoder) error { return d.Decode(new(msgpack.Raw)) },
			} {
				d := msgpack.NewDecoder(strings.NewReader(data))
				checkInt(t, d, 1)
				err := first(d)
				if err == nil || errors.Is(err, msgpack.ErrTruncated) {
					t.Fatalf("%s: %v", name, err)
				}
				if _, again := read(d); again != err || d.More() {
					t.Errorf("%s: %s: %v after %v, more %v", name, method, again, err, d.More())
				}
				d.Reset(strings.NewReader("\x02"))
				checkInt(t, d, 2)
			}
		}
	}
	d := msgpack.NewDecoder(strings.NewReader("\xc1"))
	if _, err := d.PeekKind(); !errors.Is(err, msgpack.ErrReserved) {
		t.Errorf("peeked: %v", err)
	}
}

// TestDecoderDepth checks that containers that are read in parts count as levels.
func TestDecoderDepth(t *testing.T) {
	nested := strings.Repeat("\x91", 512) + "\x01"
	d := msgpack.NewDecoder(strings.NewReader(nested))
	for range 512 {
		if n, err := d.ReadArrayHeader(); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	checkInt(t, d, 1)
	if d.More() {
		t.Error("More is true")
	}
	for name, c := range map[string]struct {
		header string
		read   func(*msgpack.Decoder) (uint32, error)
	}{"array": {"\x91", (*msgpack.Decoder).ReadArrayHeader}, "map": {"\x81\x01", (*msgpack.Decoder).ReadMapHeader}} {
		d := msgpack.NewDecoder(strings.NewReader(strings.Repeat("\x91", 512) + c.header + "\x01"))
		for range 512 {
			_, _ = d.ReadArrayHeader()
		}
		_, err := c.read(d)
		if e := checkError(t, err, msgpack.ErrDepth); e != nil && e.Offset != 512 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, inside := range []int{0, 1, 511, 512} {
		for name, read := range map[string]func(d *msgpack.Decoder) error{
			"Decode": func(d *msgpack.Decoder) error { return d.Decode(new(any)) },
			"Skip":   (*msgpack.Decoder).Skip,
			"Raw":    func(d *msgpack.Decoder) error { _, err := d.ReadRaw(); return err },
		} {
			for _, c := range []struct {
				data string
				want bool
			}{{nested, true}, {"\x91" + nested, false}, {strings.Repeat("\x91", 1e6), false}, {strings.Repeat("\x81\x01", 1e6), false}} {
				d := msgpack.NewDecoder(struct{ io.Reader }{strings.NewReader(c.data)})
				for range inside {
					if _, err := d.ReadArrayHeader(); err != nil {
						if _, err := d.ReadMapHeader(); err != nil {
							t.Fatal(err)
						}
						_ = d.Skip()
					}
				}
				if err := read(d); (err == nil) != c.want || err != nil && !errors.Is(err, msgpack.ErrDepth) {
					t.Errorf("%s inside %d: %v", name, inside, err)
				}
			}
		}
	}
}

// TestValues continues the loop after values that do not fit, and checks where it
// ends.
func TestValues(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"all":        {"\x01\x02\x03", "1 2 3 "},
		"none":       {"", ""},
		"misfit":     {"\x01\xa1a\x03\xcd\x01\x00\x04", "1 value does not fit the Go type 3 number out of range 4 "},
		"malformed":  {"\x01\xc1\x03", "1 reserved format byte c1 "},
		"cut short":  {"\x01\xa1", "1 truncated input "},
		"two or one": {"\xa1a\xa1", "value does not fit the Go type truncated input "},
	} {
		var got strings.Builder
		for v, err := range msgpack.Values[int8](msgpack.NewDecoder(newDrip([]byte(c.data), 5))) {
			var e *msgpack.Error
			if errors.As(err, &e) {
				fmt.Fprint(&got, strings.TrimPrefix(e.Err.Error(), "msgpack: "), " ")
			} else {
				fmt.Fprint(&got, v, " ")
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: got %s, want %s", name, got.String(), c.want)
		}
	}
	d := msgpack.NewDecoder(strings.NewReader("\x01\x02\x03"))
	for v := range msgpack.Values[int](d) {
		if v == 2 {
			break
		}
	}
	checkInt(t, d, 3)
	for _, err := range msgpack.Values[string](msgpack.NewDecoder(strings.NewReader("\x01"))) {
		if err == nil {
			t.Error("no error for 1 as a string")
		}
		break
	}
}
