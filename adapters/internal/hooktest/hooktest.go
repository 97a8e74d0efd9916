// Package hooktest has the checks that the tests of the adapters share. Only they
// import it.
//
// An adapter makes a Codec call the methods that types have for another library. The
// tests give such types to the functions here: with methods that work, and with methods
// that do something wrong.
package hooktest

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// ErrMethod is an error for methods to return.
var ErrMethod = errors.New("the method fails")

// Codec returns a Codec with o and more Types.
func Codec(t testing.TB, o msgpack.Options, types ...msgpack.TypeCoder) *msgpack.Codec {
	t.Helper()
	o.Types = append(o.Types, types...)
	c, err := msgpack.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A Sample is a value with methods that work, and its encoding.
type Sample struct {
	Value any
	Data  string
}

// A Fault is a pointer to a value with a method that does something wrong. The error
// must match Err, if that is not nil, and contain Text.
type Fault struct {
	Name  string
	Value any
	Err   error
	Text  string
}

// accepts reports whether err is the expected one.
func (f Fault) accepts(err error) bool {
	return err != nil && (f.Err == nil || errors.Is(err, f.Err)) && strings.Contains(err.Error(), f.Text)
}

// EncodeFaults encodes the values of the faults, each as the element of a slice, which
// the error must name. Next it encodes s, because a later message must contain nothing of
// what the failed method wrote.
func EncodeFaults(t testing.TB, c *msgpack.Codec, s Sample, faults ...Fault) {
	t.Helper()
	for _, f := range faults {
		list := reflect.Append(reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(f.Value)), 0, 1), reflect.ValueOf(f.Value))
		_, err := c.Marshal(list.Interface())
		if !f.accepts(err) || !strings.Contains(err.Error(), "[0]") {
			t.Errorf("%s: %v", f.Name, err)
		}
		s.encode(t, c, f.Name)
	}
}

// EncodePanic encodes a value whose method panics. The panic must reach the caller.
func EncodePanic(t testing.TB, c *msgpack.Codec, s Sample, v any) {
	t.Helper()
	func() {
		defer func() {
			if recover() == nil {
				t.Errorf("no panic")
			}
		}()
		c.Marshal(v)
	}()
	s.encode(t, c, "a panic")
}

// DecodeFaults decodes data into the values of the faults, and s after each. A Fault
// without Err and Text expects no error.
func DecodeFaults(t testing.TB, c *msgpack.Codec, data string, s Sample, faults ...Fault) {
	t.Helper()
	for _, f := range faults {
		err := c.Unmarshal([]byte(data), f.Value)
		if wrong := f.Err != nil || f.Text != ""; wrong && !f.accepts(err) || !wrong && err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		s.decode(t, c, f.Name)
	}
}

func (s Sample) encode(t testing.TB, c *msgpack.Codec, after string) {
	t.Helper()
	if b, err := c.Marshal(s.Value); err != nil || string(b) != s.Data {
		t.Errorf("after %s: % x, %v, want % x", after, b, err, s.Data)
	}
}

func (s Sample) decode(t testing.TB, c *msgpack.Codec, after string) {
	t.Helper()
	want := reflect.Indirect(reflect.ValueOf(s.Value))
	got := reflect.New(want.Type())
	if err := c.Unmarshal([]byte(s.Data), got.Interface()); err != nil || !reflect.DeepEqual(got.Elem().Interface(), want.Interface()) {
		t.Errorf("after %s: %v, %v, want %v", after, got.Elem(), err, want)
	}
}

// Hostile calls decode with messages that differ from a valid one by one byte or end
// early. decode must return, and allocate no more than 1 MiB.
func Hostile(t testing.TB, valid []byte, decode func(data []byte)) {
	t.Helper()
	try := func(data []byte) {
		t.Helper()
		if used := heaptest.Allocated(func() { decode(data) }); used > 1<<20 {
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
}

// Headers decodes arrays that must be refused before a method reads them: too deep ones
// into value, whose method reads any value, and one with a false count into list, whose
// method reads an array.
func Headers(t testing.TB, c *msgpack.Codec, value, list any) {
	t.Helper()
	deep := append(bytes.Repeat([]byte{0x91}, 1_000_000), 0xc0)
	if err := c.Unmarshal(deep, value); !errors.Is(err, msgpack.ErrDepth) {
		t.Errorf("nested too deeply: %v", err)
	}
	if err := c.Unmarshal([]byte("\xdd\xff\xff\xff\xff\x01"), list); !errors.Is(err, msgpack.ErrTruncated) {
		t.Errorf("false count: %v", err)
	}
}

// Concurrently encodes and decodes the values in 8 goroutines, 50 times each. Their
// encodings must be want, and the decoded values the same.
func Concurrently[T any](t testing.TB, c *msgpack.Codec, values []*T, want [][]byte, same func(a, b *T) bool) {
	t.Helper()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				for i, v := range values {
					data, err := c.Marshal(v)
					if err != nil || !bytes.Equal(data, want[i]) {
						t.Errorf("%d: % .100x, %v", i, data, err)
					}
					var back T
					if err := c.Unmarshal(data, &back); err != nil || !same(v, &back) {
						t.Errorf("%d: %.100v, %v", i, back, err)
					}
				}
			}
		})
	}
	group.Wait()
}
