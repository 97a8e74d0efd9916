package layout_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestMutations changes every byte of every message. What is accepted must encode
// to a message that is accepted and encodes to itself.
func TestMutations(t *testing.T) {
	c := codec(t)
	for _, m := range messages {
		b, err := c.Marshal(m.value)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b {
			for _, v := range []byte{0, 1, 0x7f, 0x80, 0xff, b[i] + 1, b[i] - 1, b[i] ^ 0x10} {
				data := bytes.Clone(b)
				data[i] = v
				stable(t, c, data, reflect.TypeOf(m.value).Elem())
			}
		}
	}
}

// stable decodes data and reports what is not stable.
func stable(t *testing.T, c *layout.Codec, data []byte, typ reflect.Type) {
	t.Helper()
	v := reflect.New(typ)
	if c.Unmarshal(data, v.Interface()) != nil {
		return
	}
	one, err := c.Marshal(v.Interface())
	if err != nil {
		t.Fatalf("%v: % x decodes to %+v, which does not encode: %v", typ, data, v.Elem(), err)
	}
	w := reflect.New(typ)
	if err := c.Unmarshal(one, w.Interface()); err != nil {
		t.Fatalf("%v: % x encodes to % x, which does not decode: %v", typ, data, one, err)
	}
	two, err := c.Marshal(w.Interface())
	if err != nil || !bytes.Equal(one, two) {
		t.Fatalf("%v: % x encodes to % x, then to % x, %v", typ, data, one, two, err)
	}
}

// FuzzMessages decodes any bytes as each of the messages.
func FuzzMessages(f *testing.F) {
	c := codec(f)
	for i, m := range messages {
		b, err := c.Marshal(m.value)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), b)
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		typ := reflect.TypeOf(messages[int(i)%len(messages)].value).Elem()
		stable(t, c, data, typ)
		whole, parts := reflect.New(typ), reflect.New(typ)
		n, err := c.UnmarshalPrefix(data, whole.Interface())
		r := &pieces{data: data, r: rand.New(rand.NewPCG(uint64(i), 1))}
		readErr := c.Read(r, parts.Interface())
		if (err == nil) != (readErr == nil) || err == nil && (r.at != n || !same(whole, parts)) {
			t.Errorf("UnmarshalPrefix took %d bytes: %v; Read took %d bytes: %v", n, err, r.at, readErr)
		}
	})
}

// pieces is a reader that returns few bytes at once, and sometimes none.
type pieces struct {
	data []byte
	at   int
	r    *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.at == len(p.data) {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.r.IntN(9))], p.data[p.at:])
	p.at += n
	return n, nil
}

// TestReadExactly requires that Read takes one message and no byte more.
func TestReadExactly(t *testing.T) {
	c := codec(t)
	for _, m := range messages {
		switch m.name {
		case "png", "list", "sizes", "elf unknown", "ipv4":
			if m.name != "ipv4" {
				continue // they take all there is
			}
		}
		b, err := c.Marshal(m.value)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(5) {
			r := &pieces{data: append(bytes.Clone(b), "what follows"...), r: rand.New(rand.NewPCG(seed, 3))}
			v := reflect.New(reflect.TypeOf(m.value).Elem())
			if err := c.Read(r, v.Interface()); err != nil || r.at != len(b) {
				t.Errorf("%s: read %d of %d bytes, %v", m.name, r.at, len(b), err)
			}
		}
		for n := range b {
			failing := io.MultiReader(bytes.NewReader(b[:n]), failingReader{})
			err := c.Read(failing, reflect.New(reflect.TypeOf(m.value).Elem()).Interface())
			if !errors.Is(err, errReader) {
				t.Errorf("%s: reader failed after %d bytes: %v", m.name, n, err)
			}
		}
		if err := limited(t, c, len(b)-1).Read(bytes.NewReader(b), reflect.New(reflect.TypeOf(m.value).Elem()).Interface()); !errors.Is(err, layout.ErrLimit) {
			t.Errorf("%s: limit of one byte less: %v", m.name, err)
		}
	}
}

var errReader = errors.New("reader failed")

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errReader }

type idleReader struct{}

func (idleReader) Read([]byte) (int, error) { return 0, nil }

func TestIdleReader(t *testing.T) {
	if err := layout.Read(idleReader{}, new(frame)); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
	typed, err := layout.For[frame](nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range typed.Frames(idleReader{}) {
		if !errors.Is(err, io.ErrNoProgress) {
			t.Error(err)
		}
	}
}

// A countingWriter counts the calls of Write.
type countingWriter struct{ calls, bytes int }

func (w *countingWriter) Write(b []byte) (int, error) {
	w.calls++
	w.bytes += len(b)
	return len(b), nil
}

func TestWriteOnce(t *testing.T) {
	var w countingWriter
	if err := layout.Write(&w, framesValue()); err != nil || w.calls != 1 || w.bytes != 84 {
		t.Errorf("%+v %v", w, err)
	}
}

// TestMemory claims lengths and counts that are not there.
func TestMemory(t *testing.T) {
	type deep struct {
		Kids []struct {
			Kids []struct {
				Kids []uint64 `layout:"count=u32"`
			} `layout:"count=u32"`
		} `layout:"count=u32"`
	}
	type long struct {
		A []byte `layout:"prefix=u64"`
	}
	var claims []byte
	for range 2000 {
		claims = binary.BigEndian.AppendUint32(claims, 1900)
	}
	large := limited(t, new(layout.Codec), 1<<30)
	for _, c := range []struct {
		target any
		data   []byte
	}{
		{new(deep), claims},
		{new(long), []byte{0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff, 1}},
		{new(long), bytes.Repeat([]byte{0xff}, 9)},
		{new(tree), bytes.Repeat([]byte{'a', 0, 200}, 3000)},
	} {
		for _, decode := range []func() error{
			func() error { return layout.Unmarshal(c.data, c.target) },
			func() error { return large.Read(bytes.NewReader(c.data), c.target) },
		} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := decode(); err == nil {
				t.Errorf("%T: accepted", c.target)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 200*uint64(len(c.data))+512<<10 {
				t.Errorf("%T: %d bytes of memory for %d bytes", c.target, used, len(c.data))
			}
		}
	}
}

// TestDepth nests recursive types up to the limit and beyond.
func TestDepth(t *testing.T) {
	for _, n := range []int{500, 511, 512, 513, 514, 100000} {
		data := bytes.Repeat([]byte{7}, n)
		err := layout.Unmarshal(data, new(list))
		if n <= 512 && err != nil || n > 513 && !errors.Is(err, layout.ErrDepth) {
			t.Errorf("%d deep: %v", n, err)
		}
	}
	cyclic := &list{Value: 1}
	cyclic.Next = cyclic
	if _, err := layout.Marshal(cyclic); !errors.Is(err, layout.ErrDepth) {
		t.Error(err)
	}
	if len(strings.Split(errorOf(layout.Marshal(cyclic)), ".")) > 120 {
		t.Error("the path is not shortened")
	}
}

func errorOf(_ []byte, err error) string { return err.Error() }

// TestConcurrency uses one Codec for new types from many goroutines.
func TestConcurrency(t *testing.T) {
	c := codec(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, m := range messages {
				b, err := c.Marshal(m.value)
				if err != nil {
					t.Error(err)
					return
				}
				if err := c.Unmarshal(b, reflect.New(reflect.TypeOf(m.value).Elem()).Interface()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}
