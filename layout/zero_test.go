package layout_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestZeroCodec calls the methods of a nil Codec and of the zero Codec. They do what
// the functions of the package do.
func TestZeroCodec(t *testing.T) {
	type message struct {
		Kind uint16
		Text string `layout:"prefix=u8"`
	}
	v, data := message{1, "ab"}, []byte("\x00\x01\x02ab")
	for name, c := range map[string]*layout.Codec{"nil": nil, "zero": new(layout.Codec)} {
		check := func(method string, got any, err error, want any) {
			t.Helper()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s Codec: %s: %v, %v, want %v", name, method, got, err, want)
			}
		}
		b, err := c.Marshal(&v)
		check("Marshal", b, err, data)
		b, err = c.MarshalAppend([]byte(">"), v)
		check("MarshalAppend", string(b), err, ">"+string(data))
		var w bytes.Buffer
		err = c.Write(&w, v)
		check("Write", w.Bytes(), err, data)
		var got message
		err = c.Unmarshal(data, &got)
		check("Unmarshal", got, err, v)
		n, err := c.UnmarshalPrefix(append(data[:len(data):len(data)], 0), new(message))
		check("UnmarshalPrefix", n, err, len(data))
		n, err = c.At(append([]byte("<"), data...), 1, new(message))
		check("At", n, err, len(data))
		got = message{}
		err = c.Read(bytes.NewReader(data), &got)
		check("Read", got, err, v)
		fields, err := c.Fields(data, new(message))
		want, wantErr := layout.Fields(data, new(message))
		if wantErr != nil || len(want) < 3 {
			t.Errorf("Fields: %v, %v", want, wantErr)
		}
		check("Fields", fields, err, want)
		check("Options", c.Options(), nil, layout.Options{})
		typed, err := layout.For[message](c)
		check("For", typed.Describe(), err, layout.Typed[message]{}.Describe())
	}
}

// TestZeroTyped calls the methods of the zero Typed, which do what the functions of
// the package do. For a type that cannot be a message they return the error of For.
func TestZeroTyped(t *testing.T) {
	type message struct {
		Kind uint16
		Text string `layout:"prefix=u8"`
	}
	var typed layout.Typed[message]
	v, data := message{1, "ab"}, []byte("\x00\x01\x02ab")
	if b, err := typed.Append([]byte(">"), &v); err != nil || string(b) != ">"+string(data) {
		t.Errorf("Append: %q, %v", b, err)
	}
	var got message
	if err := typed.Unmarshal(data, &got); err != nil || got != v {
		t.Errorf("Unmarshal: %v, %v", got, err)
	}
	if err := typed.Unmarshal(append(data[:len(data):len(data)], 0), &got); !errors.Is(err, layout.ErrTrailing) {
		t.Errorf("Unmarshal with a byte more: %v", err)
	}
	if n, err := typed.UnmarshalPrefix(append(data[:len(data):len(data)], 0), &got); err != nil || n != len(data) {
		t.Errorf("UnmarshalPrefix: %d, %v", n, err)
	}
	if n, err := typed.Size(&v); err != nil || n != len(data) {
		t.Errorf("Size: %d, %v", n, err)
	}
	if made, err := layout.For[message](nil); err != nil || typed.Describe() != made.Describe() {
		t.Errorf("Describe: %s", typed.Describe())
	}
	count := 0
	for m, err := range typed.Frames(strings.NewReader(string(data) + string(data))) {
		if count++; err != nil || m != v {
			t.Errorf("Frames: %v, %v", m, err)
		}
	}
	if count != 2 {
		t.Errorf("Frames: %d messages", count)
	}

	type wrong struct {
		A uint8 `layout:"wrong"`
	}
	var refused layout.Typed[wrong]
	_, want := layout.For[wrong](nil)
	check := func(method string, err error) {
		t.Helper()
		if !errors.Is(err, layout.ErrTag) || err.Error() != want.Error() {
			t.Errorf("%s: %v, want %v", method, err, want)
		}
	}
	b, err := refused.Append([]byte("a"), new(wrong))
	check("Append", err)
	if string(b) != "a" {
		t.Errorf("Append returns %q", b)
	}
	check("Unmarshal", refused.Unmarshal([]byte{1}, new(wrong)))
	_, err = refused.UnmarshalPrefix([]byte{1}, new(wrong))
	check("UnmarshalPrefix", err)
	_, err = refused.Size(new(wrong))
	check("Size", err)
	count = 0
	for _, err := range refused.Frames(strings.NewReader("a")) {
		count++
		check("Frames", err)
	}
	if count != 1 {
		t.Errorf("Frames yields %d errors", count)
	}
	if got := refused.Describe(); got != want.Error()+"\n" {
		t.Errorf("Describe: %q", got)
	}
}

// TestOptionsAreCopies changes the options that were given to New and those that
// Options returns. The Codec does not change.
func TestOptionsAreCopies(t *testing.T) {
	type message struct {
		Kind uint8
		Sum  uint8 `layout:"sum=mine:Kind"`
		Body any   `layout:"switch=Kind"`
	}
	type one struct{ A uint8 }
	type two struct{ B uint16 }
	sum := func(n uint64) layout.Sum { return func([]byte, int, int) uint64 { return n } }
	change := func(o layout.Options) {
		o.Unions[0] = layout.Union[any](layout.VariantOf[two](1))
		o.Sums["mine"] = sum(8)
		o.Sums["other"] = sum(9)
	}
	given := layout.Options{
		Order:      binary.LittleEndian,
		Unions:     []layout.UnionCoder{layout.Union[any](layout.VariantOf[one](1))},
		Sums:       map[string]layout.Sum{"mine": sum(7)},
		AliasInput: true,
		MaxMessage: 100,
	}
	c, err := layout.New(given)
	if err != nil {
		t.Fatal(err)
	}
	change(given)
	change(c.Options())
	if b, err := c.Marshal(&message{Body: one{3}}); err != nil || string(b) != "\x01\x07\x03" {
		t.Errorf("% x, %v", b, err)
	}
	o := c.Options()
	if o.Order != binary.LittleEndian || !o.AliasInput || o.MaxMessage != 100 || len(o.Unions) != 1 || len(o.Sums) != 1 || o.Sums["mine"](nil, 0, 0) != 7 {
		t.Errorf("%+v", o)
	}
	again, err := layout.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := again.Marshal(&message{Body: one{3}}); err != nil || string(b) != "\x01\x07\x03" {
		t.Errorf("a Codec of the options: % x, %v", b, err)
	}
}

// An ending is a type with methods that reports the end of its data as its error.
type ending struct{}

func (ending) AppendLayout(dst []byte) ([]byte, error) { return append(dst, 1), nil }

func (e *ending) DecodeLayout(data []byte) (int, error) {
	if len(data) == 0 {
		return 0, errEnding
	}
	return 1, nil
}

var errEnding error

// TestEndOfInput checks which errors match io.EOF and io.ErrUnexpectedEOF: without any
// input both, inside a message only the second.
func TestEndOfInput(t *testing.T) {
	type pair struct{ A, B uint16 }
	type text struct {
		S string `layout:"cstring"`
	}
	type last struct {
		A uint8
		B ending
	}
	type framed struct {
		A uint8
		B ending `layout:"prefix=u8"`
	}
	type inner struct {
		A uint8
		B pair
	}
	check := func(name string, err error, eof, unexpected bool) {
		t.Helper()
		if err == nil || errors.Is(err, io.EOF) != eof || errors.Is(err, io.ErrUnexpectedEOF) != unexpected {
			t.Errorf("%s: %v matches io.EOF: %v, io.ErrUnexpectedEOF: %v", name, err, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF))
		}
	}
	at := func(data string, off int64, v any) error { _, err := layout.At([]byte(data), off, v); return err }
	for _, v := range []any{new(pair), new(text), new(last), new(inner), new(ending)} {
		name := fmt.Sprintf("%T", v)
		errEnding = layout.ErrTruncated
		check(name, layout.Unmarshal(nil, v), true, true)
		_, err := layout.UnmarshalPrefix([]byte{}, v)
		check(name+" prefix", err, true, true)
		check(name+" at 0", at("", 0, v), true, true)
		check(name+" at the end", at("abc", 3, v), false, true)
		if readErr := layout.Read(strings.NewReader(""), v); !errors.Is(readErr, layout.ErrUnsupported) {
			check(name+" from a reader", readErr, true, false)
		}
	}
	_, inside := layout.UnmarshalPrefix(nil, new(pair))
	for _, errEnding = range []error{io.EOF, io.ErrUnexpectedEOF, layout.ErrTruncated, inside, fmt.Errorf("no value: %w", io.EOF)} {
		check("after a field: "+errEnding.Error(), layout.Unmarshal([]byte{1}, new(last)), false, true)
		check("read after a field: "+errEnding.Error(), layout.Read(strings.NewReader("\x01\x00"), new(framed)), false, false) // a length
		check("no input: "+errEnding.Error(), layout.Unmarshal(nil, new(ending)), true, true)
	}
	check("inside", layout.Unmarshal([]byte{1}, new(inner)), false, true)
	check("inside, from a reader", layout.Read(strings.NewReader("\x01"), new(inner)), false, true)
	typed, err := layout.For[pair](nil)
	if err != nil {
		t.Fatal(err)
	}
	check("Typed", typed.Unmarshal(nil, new(pair)), true, true)
	check("Typed with 3 bytes", typed.Unmarshal([]byte{1, 2, 3}, new(pair)), false, true)
	for _, err := range typed.Frames(strings.NewReader("")) {
		t.Errorf("Frames of nothing: %v", err)
	}
	for _, err := range typed.Frames(strings.NewReader("a")) {
		check("Frames", err, false, true)
	}
	for _, err := range []error{layout.ErrTrailing, layout.ErrLimit, layout.ErrLength, layout.ErrTag, layout.ErrOptions} {
		check(err.Error(), err, false, false)
	}
	check("ErrTruncated", layout.ErrTruncated, false, true)
}
