package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// eofReaders are the functions that read one value from data.
func eofReaders(t *testing.T) map[string]func(data []byte) error {
	typed, err := msgpack.For[[]int](nil)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]func(data []byte) error{
		"UnmarshalRead":         func(data []byte) error { return msgpack.UnmarshalRead(bytes.NewReader(data), new([]int)) },
		"Typed.Unmarshal":       func(data []byte) error { return typed.Unmarshal(data, new([]int)) },
		"Typed.UnmarshalPrefix": func(data []byte) error { _, err := typed.UnmarshalPrefix(data, new([]int)); return err },
		"Get":                   func(data []byte) error { _, err := msgpack.Get(data); return err },
		"Get an element":        func(data []byte) error { _, err := msgpack.Get(data, 1); return err },
	}
	for name, o := range map[string]msgpack.Options{
		"default": {}, "unique": {RejectDuplicates: true}, "total": {MaxTotal: 100}, "limits": {MaxElements: 5, MaxBytes: 5}, "trailing": {AllowTrailing: true}, "alias": {AliasInput: true},
	} {
		c := newCodec(t, o)
		for _, target := range []func() any{func() any { return new([]int) }, func() any { return new(any) }, func() any { return new(msgpack.Raw) }, func() any { return new(appender) }} {
			list[fmt.Sprintf("Unmarshal into %T, %s", target(), name)] = func(data []byte) error { return c.Unmarshal(data, target()) }
		}
		list["UnmarshalPrefix, "+name] = func(data []byte) error { _, err := c.UnmarshalPrefix(data, new(any)); return err }
		list["UnmarshalRead, "+name] = func(data []byte) error { return c.UnmarshalRead(iotest.OneByteReader(bytes.NewReader(data)), new(any)) }
		list["Valid, "+name] = c.Valid
		list["ViewOf, "+name] = func(data []byte) error { _, err := c.ViewOf(data); return err }
	}
	return list
}

// TestTruncatedMatchesEOF checks what the errors of truncated input match. Input
// without any byte matches io.EOF, because a stream could have ended there. Input
// that ends inside a value never does.
func TestTruncatedMatchesEOF(t *testing.T) {
	whole := []byte("\x93\xcd\x01\x02\x05\xcc\xff")
	for name, read := range eofReaders(t) {
		for n := range whole {
			err := read(whole[:n])
			if strings.HasPrefix(name, "Get an") && err == nil {
				continue // the element is complete
			}
			var e *msgpack.Error
			if !errors.Is(err, msgpack.ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || !errors.As(err, &e) {
				t.Errorf("%s of %d bytes: %v", name, n, err)
			}
			if errors.Is(err, io.EOF) != (n == 0) {
				t.Errorf("%s of %d bytes: %v matches io.EOF: %v", name, n, err, errors.Is(err, io.EOF))
			}
		}
	}
	// A Decoder returns io.EOF itself at the end, and never inside a value.
	for n := range whole {
		for how, r := range map[string]io.Reader{"at once": bytes.NewReader(whole[:n]), "by byte": iotest.OneByteReader(bytes.NewReader(whole[:n])), "with data": iotest.DataErrReader(bytes.NewReader(whole[:n]))} {
			err := msgpack.NewDecoder(r).Decode(new(any))
			if n == 0 && err != io.EOF || n > 0 && (!errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)) {
				t.Errorf("Decode of %d bytes %s: %v", n, how, err)
			}
		}
	}
	d := msgpack.NewDecoder(strings.NewReader("\x92\x01"))
	if _, err := d.ReadArrayHeader(); err != nil || d.Skip() != nil {
		t.Fatal(err)
	}
	if err := d.Decode(new(int)); !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		t.Errorf("end between two elements: %v", err)
	}
}

// errEnding is an error that a program may have for the end of an input.
var errEnding = fmt.Errorf("ending: %w", io.EOF)

// An ender fails in both directions, with the error that its number selects.
type ender struct{ n int }

func (e ender) fail() error {
	switch e.n {
	case 1:
		return io.EOF
	case 2:
		return errEnding
	case 3: // an error of this package for empty input
		return msgpack.Unmarshal(nil, new(int))
	case 4:
		return fmt.Errorf("inner: %w", msgpack.Unmarshal([]byte("\x01"), new(endsAt1)))
	case 5: // made by the program
		return &msgpack.Error{Err: io.EOF}
	case 6:
		return errors.Join(io.ErrUnexpectedEOF, errEnding)
	}
	return nil
}

func (e ender) MarshalBinary() ([]byte, error) { return []byte{byte(e.n)}, e.fail() }

func (e *ender) UnmarshalMsgpack(data []byte) error {
	e.n = int(data[0])
	return e.fail()
}

type endsAt1 struct{}

func (*endsAt1) UnmarshalMsgpack([]byte) error { return io.EOF }

// TestMethodEOF checks that the error of a method never looks like the end of a
// stream. A loop that ends at io.EOF would lose the rest of the values in silence.
func TestMethodEOF(t *testing.T) {
	for n := 1; n <= 6; n++ {
		read := msgpack.Unmarshal([]byte{0x91, byte(n)}, new([]ender))
		_, written := msgpack.Marshal([]ender{{n}})
		stream := msgpack.NewEncoder(io.Discard).Encode(ender{n})
		for what, err := range map[string]error{"Unmarshal": read, "Marshal": written, "Encode": stream, "wrapped": fmt.Errorf("%w", read)} {
			var e *msgpack.Error
			switch {
			case err == nil || errors.Is(err, io.EOF) || !errors.As(err, &e) || !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "truncated"):
				t.Errorf("%s, error %d: %v", what, n, err)
			case !errors.Is(e.Err, io.EOF) && n != 4:
				t.Errorf("%s, error %d: Err is %v", what, n, e.Err)
			case n == 2 && !errors.Is(err, errEnding), n == 6 && !errors.Is(err, io.ErrUnexpectedEOF), n == 3 && !errors.Is(err, msgpack.ErrTruncated):
				t.Errorf("%s, error %d: %v does not match the error of the method", what, n, err)
			}
		}
		// The error below is found, too.
		if n == 3 {
			var e, inner *msgpack.Error
			if !errors.As(read, &e) || !errors.As(e.Unwrap(), &inner) || inner == e {
				t.Errorf("%v has no *Error inside", read)
			}
		}
		count := 0
		for dec := msgpack.NewDecoder(bytes.NewReader([]byte{0, byte(n), 0, 0})); ; {
			var v ender
			err := dec.Decode(&v)
			if errors.Is(err, io.EOF) {
				break
			}
			count++
		}
		if count != 4 {
			t.Errorf("error %d: %d of 4 values", n, count)
		}
	}
}

// TestReaderWrapsEOF checks that an error of a reader that wraps io.EOF does not look
// like the end of the stream if it comes inside a value.
func TestReaderWrapsEOF(t *testing.T) {
	for _, data := range []string{"\x92\x01", "\xa5ab", "\xcd\x01"} {
		r := io.MultiReader(strings.NewReader(data), iotest.ErrReader(errEnding))
		dec := msgpack.NewDecoder(r)
		if err := dec.Decode(new(any)); errors.Is(err, io.EOF) || !errors.Is(err, errEnding) || errors.Is(err, msgpack.ErrTruncated) {
			t.Errorf("% x: %v", data, err)
		}
	}
	dec := msgpack.NewDecoder(io.MultiReader(strings.NewReader("\xa5ab"), iotest.ErrReader(errEnding)))
	_, payload, err := dec.ReadPayload()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(payload); string(b) != "ab" || errors.Is(err, io.EOF) || !errors.Is(err, errEnding) {
		t.Errorf("payload: %q, %v", b, err)
	}
	// Between two values it is unchanged.
	if err := msgpack.NewDecoder(iotest.ErrReader(errEnding)).Decode(new(any)); err != errEnding {
		t.Errorf("between values: %v", err)
	}
}

// TestMoreEndsLoops checks that a loop over More ends after an error of the reader, even
// if it ignores the errors, and that the error is returned by the next call.
func TestMoreEndsLoops(t *testing.T) {
	errReader := errors.New("reader failed")
	for _, data := range []string{"", "\x01", "\x01\x92", "\x01\x92\x02", "\xa9abc"} {
		for _, tail := range []bool{false, true} {
			failures := 0
			r := iotest.OneByteReader(&failing{rest: data, err: errReader, count: &failures})
			dec := msgpack.NewDecoder(r)
			dec.Tail(tail)
			var inLoop, after error
			for calls := 0; dec.More(); calls++ {
				if calls > 10 {
					t.Fatalf("%q: the loop does not end", data)
				}
				if err := dec.Decode(new(any)); err != nil {
					inLoop = err
				}
			}
			if dec.More() {
				t.Errorf("%q: More is true again", data)
			}
			if after = dec.Decode(new(any)); after != errReader || inLoop != nil && inLoop != errReader {
				t.Errorf("%q: in the loop %v, after it %v", data, inLoop, after)
			}
			if failures > 2 {
				t.Errorf("%q: the reader failed %d times", data, failures)
			}
		}
	}
	// More is true again after a call that has read more.
	f := &failing{rest: "\x92", err: errReader, count: new(int)}
	dec := msgpack.NewDecoder(f)
	if err := dec.Decode(new(any)); err != errReader || dec.More() {
		t.Errorf("got %v, more %v", err, dec.More())
	}
	f.rest = "\x01\x02\x03"
	if err := dec.Decode(new(any)); err != nil || !dec.More() {
		t.Errorf("after more bytes: %v, more %v", err, dec.More())
	}
	// It does not read itself.
	f = &failing{err: errReader, count: new(int)}
	dec = msgpack.NewDecoder(f)
	if err := dec.Decode(new(any)); err != errReader {
		t.Errorf("got %v", err)
	}
	f.rest = "\x01"
	if dec.More() || dec.Decode(new(any)) != nil {
		t.Error("More has read, or Decode has not")
	}
	// Also without a read, if the part that is read next has arrived.
	dec = msgpack.NewDecoder(&failing{rest: "\x92\x01", err: errReader, count: new(int)})
	if err := dec.Decode(new(any)); err != errReader || dec.More() {
		t.Errorf("got %v, more %v", err, dec.More())
	}
	if n, err := dec.ReadArrayHeader(); n != 2 || err != nil || !dec.More() {
		t.Errorf("ReadArrayHeader: %d, %v, more %v", n, err, dec.More())
	}
}

// A failing reader returns err after its bytes.
type failing struct {
	rest  string
	err   error
	count *int
}

func (f *failing) Read(b []byte) (int, error) {
	if f.rest == "" {
		*f.count++
		return 0, f.err
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
}

// TestZeroEncoder checks that all methods of the zero Encoder return one error until
// Reset, which makes it write what an Encoder of the package writes.
func TestZeroEncoder(t *testing.T) {
	for name, call := range map[string]func(e *msgpack.Encoder) error{
		"Encode":            func(e *msgpack.Encoder) error { return e.Encode(1) },
		"Encode nil":        func(e *msgpack.Encoder) error { return e.Encode(nil) },
		"Encode a struct":   func(e *msgpack.Encoder) error { return e.Encode(&point2{}) },
		"Encode a pointer":  func(e *msgpack.Encoder) error { return e.Encode(new(*int)) },
		"Flush":             (*msgpack.Encoder).Flush,
		"WriteArrayHeader":  func(e *msgpack.Encoder) error { return e.WriteArrayHeader(1) },
		"WriteMapHeader":    func(e *msgpack.Encoder) error { return e.WriteMapHeader(1) },
		"WriteNil":          (*msgpack.Encoder).WriteNil,
		"WriteBool":         func(e *msgpack.Encoder) error { return e.WriteBool(true) },
		"WriteInt":          func(e *msgpack.Encoder) error { return e.WriteInt(1) },
		"WriteUint":         func(e *msgpack.Encoder) error { return e.WriteUint(1) },
		"WriteFloat":        func(e *msgpack.Encoder) error { return e.WriteFloat(1) },
		"WriteString":       func(e *msgpack.Encoder) error { return e.WriteString("s") },
		"WriteBytes":        func(e *msgpack.Encoder) error { return e.WriteBytes(nil) },
		"WriteTime":         func(e *msgpack.Encoder) error { return e.WriteTime(time.Time{}) },
		"WriteExt":          func(e *msgpack.Encoder) error { return e.WriteExt(msgpack.Ext{}) },
		"WriteRaw":          func(e *msgpack.Encoder) error { return e.WriteRaw(nil) },
		"WriteStringHeader": func(e *msgpack.Encoder) error { return e.WriteStringHeader(1) },
		"WriteBytesHeader":  func(e *msgpack.Encoder) error { return e.WriteBytesHeader(1) },
		"WriteExtHeader":    func(e *msgpack.Encoder) error { return e.WriteExtHeader(1, 1) },
		"Write":             func(e *msgpack.Encoder) error { _, err := e.Write([]byte("x")); return err },
		"Write nothing":     func(e *msgpack.Encoder) error { _, err := e.Write(nil); return err },
		"EncodeSeq":         func(e *msgpack.Encoder) error { return msgpack.EncodeSeq(e, 0, func(func(int) bool) {}) },
		"EncodeSeq2":        func(e *msgpack.Encoder) error { return msgpack.EncodeSeq2(e, 0, func(func(int, int) bool) {}) },
	} {
		used := msgpack.NewEncoder(io.Discard)
		if err := call(used); err != nil && !errors.Is(err, msgpack.ErrSurplus) { // Write without a header
			t.Errorf("%s: %v", name, err)
		}
		used.Reset(nil)
		for kind, e := range map[string]*msgpack.Encoder{"zero": {}, "without a writer": msgpack.NewEncoder(nil), "that lost its writer": used} {
			e.AutoFlush(true)
			for range 2 {
				if err := call(e); err == nil || err.Error() != "msgpack: marshal: Encoder without a writer: call Reset" {
					t.Errorf("%s of an Encoder %s: %v", name, kind, err)
				}
			}
			var b bytes.Buffer
			e.Reset(&b)
			if err := e.Encode(point2{1, 2}); err != nil || b.String() != "\x82\xa1Y\x01\xa1X\x02" {
				t.Errorf("%s, then Reset: % x, %v", name, b.Bytes(), err)
			}
		}
	}
}

// TestZeroDecoder does the same for the zero Decoder.
func TestZeroDecoder(t *testing.T) {
	for name, call := range map[string]func(d *msgpack.Decoder) error{
		"Decode": func(d *msgpack.Decoder) error { return d.Decode(new(int)) },
		"Values": func(d *msgpack.Decoder) (last error) {
			for _, last = range msgpack.Values[int](d) {
			}
			return last
		},
		"More": func(d *msgpack.Decoder) error {
			if d.More() {
				return nil
			}
			return d.Skip()
		},
		"PeekKind":        func(d *msgpack.Decoder) error { _, err := d.PeekKind(); return err },
		"Skip":            (*msgpack.Decoder).Skip,
		"ReadArrayHeader": func(d *msgpack.Decoder) error { _, err := d.ReadArrayHeader(); return err },
		"ReadMapHeader":   func(d *msgpack.Decoder) error { _, err := d.ReadMapHeader(); return err },
		"ReadNil":         (*msgpack.Decoder).ReadNil,
		"ReadBool":        func(d *msgpack.Decoder) error { _, err := d.ReadBool(); return err },
		"ReadInt":         func(d *msgpack.Decoder) error { _, err := d.ReadInt(); return err },
		"ReadUint":        func(d *msgpack.Decoder) error { _, err := d.ReadUint(); return err },
		"ReadFloat":       func(d *msgpack.Decoder) error { _, err := d.ReadFloat(); return err },
		"ReadString":      func(d *msgpack.Decoder) error { _, err := d.ReadString(); return err },
		"ReadBytes":       func(d *msgpack.Decoder) error { _, err := d.ReadBytes(); return err },
		"ReadTime":        func(d *msgpack.Decoder) error { _, err := d.ReadTime(); return err },
		"ReadExt":         func(d *msgpack.Decoder) error { _, err := d.ReadExt(); return err },
		"ReadRaw":         func(d *msgpack.Decoder) error { _, err := d.ReadRaw(); return err },
		"ReadPayload":     func(d *msgpack.Decoder) error { _, _, err := d.ReadPayload(); return err },
	} {
		for kind, d := range map[string]*msgpack.Decoder{"zero": {}, "without a reader": msgpack.NewDecoder(nil)} {
			d.Tail(true)
			d.Tail(false)
			if n, err := io.Copy(io.Discard, d.Buffered()); n != 0 || err != nil || d.InputOffset() != 0 {
				t.Errorf("Buffered: %d, %v, offset %d", n, err, d.InputOffset())
			}
			for range 2 {
				if err := call(d); err == nil || err.Error() != "msgpack: unmarshal at offset 0: Decoder without a reader: call Reset" {
					t.Errorf("%s of a Decoder %s: %v", name, kind, err)
				}
			}
			d.Reset(strings.NewReader("\x82\xa1Y\x01\xa1X\x02"))
			var p point2
			if err := d.Decode(&p); err != nil || p != (point2{1, 2}) {
				t.Errorf("%s, then Reset: %v, %v", name, p, err)
			}
		}
	}
}
