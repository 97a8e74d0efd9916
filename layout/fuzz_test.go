package layout_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/layout"
)

// FuzzAt decodes any bytes from any offset as each of the messages, by every
// function that decodes. All take the same bytes, and the memory is bounded by the
// input.
func FuzzAt(f *testing.F) {
	c := codec(f)
	for i, m := range messages {
		b, err := c.Marshal(m.value)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), int64(3), append([]byte("abc"), b...))
	}
	f.Fuzz(func(t *testing.T, i uint8, off int64, data []byte) {
		typ := reflect.TypeOf(messages[int(i)%len(messages)].value).Elem()
		var got reflect.Value
		before := bytes.Clone(data)
		var n int
		var err error
		heaptest.AtMost(t, 200*len(data)+1<<20, func() { // the factor of TestMemory
			got = reflect.New(typ)
			n, err = c.At(data, off, got.Interface())
		})
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
		if off < 0 || off > int64(len(data)) {
			if err == nil {
				t.Errorf("offset %d of %d bytes is accepted", off, len(data))
			}
			return
		}
		want := reflect.New(typ)
		m, wantErr := c.UnmarshalPrefix(data[off:], want.Interface())
		if n != m || (err == nil) != (wantErr == nil) || err == nil && !same(got, want) {
			t.Errorf("%v at %d: %d, %v; UnmarshalPrefix %d, %v", typ, off, n, err, m, wantErr)
		}
		if m > len(data)-int(off) {
			t.Errorf("%v: %d of %d bytes", typ, m, len(data)-int(off))
		}
		if fields, err := c.Fields(data[off:], reflect.New(typ).Interface()); wantErr == nil && (err != nil || len(fields) == 0 && m > 0) {
			t.Errorf("%v: %d fields, %v", typ, len(fields), err)
		}
		whole := reflect.New(typ)
		if err := c.Unmarshal(data[off:], whole.Interface()); (err == nil) != (wantErr == nil && m == len(data)-int(off)) {
			t.Errorf("%v: Unmarshal %v; UnmarshalPrefix %d of %d, %v", typ, err, m, len(data)-int(off), wantErr)
		}
	})
}

// FuzzFrames reads any bytes as a stream of messages of one type, in pieces. The
// messages are those that UnmarshalPrefix finds one after the other.
func FuzzFrames(f *testing.F) {
	c := codec(f)
	for _, m := range messages {
		if reflect.TypeOf(m.value) != reflect.TypeFor[*frame]() {
			continue
		}
		b, err := c.Marshal(m.value)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(slices.Concat(b, b), uint64(1))
		f.Add(append(b, b[:len(b)-1]...), uint64(2))
	}
	f.Add([]byte("\x02\xff\xff\xff\xff\x01\xff\xffabc"), uint64(3))
	typed, err := layout.For[frame](c)
	if err != nil {
		f.Fatal(err)
	}
	short, err := layout.For[frame](limited(f, c, 1<<16))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		if typed.Describe() == "" {
			t.Fatal("no description")
		}
		rest := data
		heaptest.AtMost(t, 400*len(data)+1<<20, func() {
			rest = data
			r := &pieces{data: data, r: rand.New(rand.NewPCG(seed, 1))}
			for v, err := range short.Frames(io.MultiReader(r, iotest.ErrReader(io.EOF))) {
				var want frame
				n, wantErr := typed.UnmarshalPrefix(rest, &want)
				if (err == nil) != (wantErr == nil && n <= 1<<16) {
					t.Fatalf("at %d: Frames %v, UnmarshalPrefix %v", len(data)-len(rest), err, wantErr)
				}
				if err != nil {
					return
				}
				if err := typed.Unmarshal(rest, &want); (err == nil) != (n == len(rest)) {
					t.Fatalf("at %d: Unmarshal %v, UnmarshalPrefix %d of %d bytes", len(data)-len(rest), err, n, len(rest))
				}
				if !reflect.DeepEqual(v, want) {
					t.Fatalf("at %d: %+v, want %+v", len(data)-len(rest), v, want)
				}
				rest = rest[n:]
			}
			if len(rest) > 0 {
				t.Fatalf("Frames left %d bytes", len(rest))
			}
		})
	})
}
