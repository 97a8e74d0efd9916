package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestStreamTotal checks that a Decoder accepts values up to exactly MaxTotal bytes,
// however the bytes arrive.
func TestStreamTotal(t *testing.T) {
	c := newCodec(t, msgpack.Options{MaxTotal: 100})
	fits := "\xd9\x62" + strings.Repeat("x", 98)
	for name, data := range map[string]string{
		"str":      "\xd9\x63" + strings.Repeat("x", 99),
		"claim":    "\xdb\xff\xff\xff\xffx",
		"array":    "\xdc\x01\x00" + strings.Repeat("\x01", 256),
		"nested":   strings.Repeat("\x92", 100) + strings.Repeat("\x01", 101),
		"reserved": "\xdc\x01\x00" + strings.Repeat("\x01", 120) + "\xc1" + strings.Repeat("\x01", 200),
	} {
		for how, reader := range readers {
			for method, read := range map[string]func(d *msgpack.Decoder) error{
				"Decode":  func(d *msgpack.Decoder) error { return d.Decode(new(any)) },
				"ReadRaw": func(d *msgpack.Decoder) error { _, err := d.ReadRaw(); return err },
			} {
				d := c.NewDecoder(reader([]byte(fits+data), 1))
				if err := read(d); err != nil {
					t.Errorf("%s, %s: %v, although the value is not too long", how, method, err)
				}
				err := read(d)
				if want := "msgpack: unmarshal at offset 100: found message of more than 100 bytes: size limit exceeded"; !errors.Is(err, msgpack.ErrLimit) || err.Error() != want {
					t.Errorf("%s, %s, %s: got  %v\nwant %s", name, how, method, err, want)
				}
				if again := read(d); again == nil || again.Error() != err.Error() {
					t.Errorf("%s, %s: first %v, then %v", name, how, err, again)
				}
			}
			d := c.NewDecoder(reader([]byte(data), 1))
			if err := d.Skip(); errors.Is(err, msgpack.ErrLimit) {
				t.Errorf("%s, %s: Skip: %v, although it does not buffer the value", name, how, err)
			}
		}
		if err := c.UnmarshalRead(newDrip([]byte(data), 1), new(any)); !errors.Is(err, msgpack.ErrLimit) {
			t.Errorf("%s: UnmarshalRead: %v", name, err)
		}
	}
	endless := readFunc(func(b []byte) (int, error) {
		for i := range b {
			b[i] = 0x91
		}
		b[0] = 0xdd // array 32
		return len(b), nil
	})
	if err := c.UnmarshalRead(endless, new(any)); !errors.Is(err, msgpack.ErrLimit) {
		t.Errorf("endless: %v", err)
	}
	e := c.NewEncoder(io.Discard)
	if err := errors.Join(e.Encode(fits[2:]), e.WriteString(fits[2:])); err != nil {
		t.Error(err)
	}
	for _, err := range []error{e.Encode(fits), e.WriteString(fits), e.WriteBytes([]byte(fits)), e.WriteRaw([]byte("\xd9\x63" + fits[1:]))} {
		if !errors.Is(err, msgpack.ErrLimit) {
			t.Errorf("an Encoder: %v", err)
		}
	}
}

// TestStreamChecks uses values that the Options do not allow. A Decoder must refuse
// such a value, skip it and continue. An Encoder must not write it.
func TestStreamChecks(t *testing.T) {
	c := newCodec(t, msgpack.Options{MaxElements: 2, MaxBytes: 3, RejectInvalidUTF8: true, RejectDuplicates: true})
	for name, test := range map[string]struct {
		data   string
		reason error
	}{
		"elements":   {"\x93\x01\x02\x03", msgpack.ErrLimit},
		"pairs":      {"\x83\x01\x01\x02\x01\x03\x01", msgpack.ErrLimit},
		"bytes":      {"\xa4abcd", msgpack.ErrLimit},
		"inside":     {"\x91\xc4\x04abcd", msgpack.ErrLimit},
		"UTF-8":      {"\x91\xa1\xff", msgpack.ErrUTF8},
		"duplicates": {"\x82\xa1a\x01\xa1a\x02", msgpack.ErrDuplicateKey},
	} {
		for how, reader := range readers {
			d := c.NewDecoder(reader([]byte(test.data+"\x07"+test.data+"\x07"), 1))
			for range 2 {
				var v any
				if err := d.Decode(&v); !errors.Is(err, test.reason) || v != nil {
					t.Errorf("%s, %s: %v, %v", name, how, v, err)
				}
				checkInt(t, d, 7)
			}
			d.Reset(reader([]byte(test.data), 1))
			if _, err := d.ReadRaw(); !errors.Is(err, test.reason) {
				t.Errorf("%s, %s: ReadRaw: %v", name, how, err)
			}
		}
		var b bytes.Buffer
		e := c.NewEncoder(&b)
		if err := e.WriteRaw(msgpack.Raw(test.data)); !errors.Is(err, test.reason) {
			t.Errorf("%s: WriteRaw: %v", name, err)
		}
		var v any
		if err := msgpack.Unmarshal([]byte(test.data), &v); err == nil && test.reason != msgpack.ErrDuplicateKey {
			if err := e.Encode(v); !errors.Is(err, test.reason) {
				t.Errorf("%s: Encode: %v", name, err)
			}
		}
		if err := e.Flush(); err != nil || b.Len() > 0 {
			t.Errorf("%s: % x was written, %v", name, b.Bytes(), err)
		}
	}
	d := c.NewDecoder(strings.NewReader("\x93\x01\x02\x03\x83\xa4abcd\xa1\xff"))
	check := func(name string, err, reason error) {
		t.Helper()
		if !errors.Is(err, reason) {
			t.Errorf("%s: %v, want %v", name, err, reason)
		}
	}
	_, err := d.ReadArrayHeader()
	check("ReadArrayHeader", err, msgpack.ErrLimit)
	_ = d.Skip()
	_, err = d.ReadMapHeader()
	check("ReadMapHeader", err, msgpack.ErrLimit)
	d.Reset(strings.NewReader("\xa4abcd\xa1\xff"))
	_, _, err = d.ReadPayload()
	check("ReadPayload", err, msgpack.ErrLimit)
	_, err = d.ReadString()
	check("ReadString", err, msgpack.ErrLimit)
	_ = d.Skip()
	_, err = d.ReadString()
	check("ReadString", err, msgpack.ErrUTF8)
	e := c.NewEncoder(io.Discard)
	check("WriteArrayHeader", e.WriteArrayHeader(3), msgpack.ErrLimit)
	check("WriteMapHeader", e.WriteMapHeader(3), msgpack.ErrLimit)
	check("WriteStringHeader", e.WriteStringHeader(4), msgpack.ErrLimit)
	check("WriteExtHeader", e.WriteExtHeader(1, 4), msgpack.ErrLimit)
	check("WriteString", e.WriteString("\xff"), msgpack.ErrUTF8)
	check("Flush", e.Flush(), nil)
}

// TestStreamAliasesNothing checks that values from a stream do not change later,
// even with AliasInput.
func TestStreamAliasesNothing(t *testing.T) {
	c := newCodec(t, msgpack.Options{AliasInput: true})
	var data []byte
	for i := range 100 {
		text := strings.Repeat(string(rune('a'+i%26)), 100)
		data, _ = msgpack.MarshalAppend(data, []any{text, []byte{byte(i)}, msgpack.Raw{byte(i)}, map[string]any{text: []any{[]byte(text)}}})
	}
	for how, reader := range readers {
		type value struct {
			_ struct{} `msgpack:",as_array"`
			S string
			B []byte
			R msgpack.Raw
			A any
		}
		var got []value
		for v, err := range msgpack.Values[value](c.NewDecoder(reader(data, 1))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		for i, v := range got {
			text := strings.Repeat(string(rune('a'+i%26)), 100)
			if v.S != text || v.B[0] != byte(i) || v.R[0] != byte(i) || !reflect.DeepEqual(v.A, map[string]any{text: []any{[]byte(text)}}) {
				t.Errorf("%s: value %d has changed to %v", how, i, v)
			}
		}
		if len(got) != 100 {
			t.Errorf("%s: %d values", how, len(got))
		}
		// Parts of values must not change either.
		d := c.NewDecoder(reader(bytes.Repeat([]byte("\xa3str\xc4\x03bin\x93\x01\x02\x03\xc7\x03\x01ext"), 1000), 1))
		var texts []string
		var parts [3][][]byte
		for d.More() {
			s, err1 := d.ReadString()
			b, err2 := d.ReadBytes()
			r, err3 := d.ReadRaw()
			e, err4 := d.ReadExt()
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				t.Fatal(err)
			}
			texts = append(texts, s)
			for i, part := range [][]byte{b, r, e.Data} {
				parts[i] = append(parts[i], part)
			}
		}
		if strings.Join(texts, "") != strings.Repeat("str", 1000) {
			t.Errorf("%s: strings have changed", how)
		}
		for i, want := range []string{"bin", "\x93\x01\x02\x03", "ext"} {
			for _, part := range parts[i] {
				if string(part) != want {
					t.Fatalf("%s: %q has changed to %q", how, want, part)
				}
			}
			if len(parts[i]) != 1000 {
				t.Errorf("%s: %d of %q", how, len(parts[i]), want)
			}
		}
	}
}

// TestUnmarshalReadKeepingReader checks that a reader that keeps the slices that it is given cannot
// change what UnmarshalRead has returned.
func TestUnmarshalReadKeepingReader(t *testing.T) {
	want := []any{"text", []byte("bin"), map[string]any{"key": strings.Repeat("x", 300)}}
	data, err := msgpack.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []msgpack.Options{{}, {AliasInput: true}, {MaxTotal: 1000, AliasInput: true}} {
		for how, reader := range readers {
			r := &keepingReader{Reader: reader(data, 1)}
			var got []any
			if err := newCodec(t, o).UnmarshalRead(r, &got); err != nil {
				t.Fatal(err)
			}
			for _, b := range r.kept {
				clear(b)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s, AliasInput %v: value has changed to %q", how, o.AliasInput, got)
			}
		}
	}
}

// A keepingReader keeps the slices that Read is called with.
type keepingReader struct {
	io.Reader
	kept [][]byte
}

func (r *keepingReader) Read(b []byte) (int, error) {
	r.kept = append(r.kept, b)
	return r.Reader.Read(b)
}

// TestUnmarshalReadOnce checks that UnmarshalRead decodes a value once, whatever the error is, and
// thus calls a method as often as Unmarshal does.
func TestUnmarshalReadOnce(t *testing.T) {
	type value struct {
		L collector
		N int
	}
	for name, c := range map[string]struct {
		data string
		want error
	}{
		"valid":    {"\x82\xa1L\xa1x\xa1N\x01", nil},
		"mismatch": {"\x82\xa1L\xa1x\xa1N\xa1x", msgpack.ErrMismatch},
		"trailing": {"\x82\xa1L\xa1x\xa1N\x01\x00", msgpack.ErrTrailing},
		"both":     {"\x82\xa1L\xa1x\xa1N\xa1x\x00", msgpack.ErrMismatch},
		"JSON":     {"{\"L\": \"x\"}", msgpack.ErrMismatch},
	} {
		for how, reader := range readers {
			for _, o := range []msgpack.Options{{}, {AliasInput: true}, {MaxTotal: 1000}, {RejectDuplicates: true}} {
				codec := newCodec(t, o)
				var got, want value
				err, wantErr := codec.UnmarshalRead(reader([]byte(c.data), 1), &got), codec.Unmarshal([]byte(c.data), &want)
				if !errors.Is(err, c.want) || !errors.Is(wantErr, c.want) || !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %s: UnmarshalRead %v, %v, Unmarshal %v, %v", name, how, got, err, want, wantErr)
				}
			}
		}
	}
}

// A collector appends each text that it is decoded from.
type collector []string

func (c *collector) UnmarshalText(b []byte) error {
	*c = append(*c, string(b))
	return nil
}

// TestUnmarshalReadTrailing checks that bytes after the value are accepted only with
// AllowTrailing, and that UnmarshalRead then does not wait for them.
func TestUnmarshalReadTrailing(t *testing.T) {
	c := newCodec(t, msgpack.Options{AllowTrailing: true})
	var n int
	if err := c.UnmarshalRead(strings.NewReader("\x05trailing"), &n); err != nil || n != 5 {
		t.Errorf("%d, %v", n, err)
	}
	waits := io.MultiReader(strings.NewReader("\x06"), readFunc(func([]byte) (int, error) {
		t.Error("bytes after the value were read")
		return 0, io.EOF
	}))
	if err := c.UnmarshalRead(waits, &n); err != nil || n != 6 {
		t.Errorf("%d, %v", n, err)
	}
}

// TestReadRawNil requires that ReadRaw returns the bytes of a nil also if Unmarshal decodes
// it into a Raw that is nil.
func TestReadRawNil(t *testing.T) {
	for _, nilRaw := range []bool{false, true} {
		codec, err := msgpack.New(msgpack.Options{Compat: msgpack.Compat{NilRaw: nilRaw}})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := codec.NewDecoder(bytes.NewReader([]byte{0xc0, 5})).ReadRaw()
		if err != nil || !bytes.Equal(raw, []byte{0xc0}) {
			t.Errorf("NilRaw %v: % x, %v", nilRaw, []byte(raw), err)
		}
		var v msgpack.Raw
		if err := codec.Unmarshal([]byte{0xc0}, &v); err != nil || (v == nil) != nilRaw {
			t.Errorf("NilRaw %v: Unmarshal: % x, %v", nilRaw, []byte(v), err)
		}
	}
}
