//go:build linux

package layout_test

import (
	"bytes"
	"errors"
	"reflect"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/layout"
)

// guarded returns memory of one page between two pages that must not be accessed.
func guarded(t *testing.T) []byte {
	t.Helper()
	size := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, 3*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skipf("skipped: cannot allocate guarded memory: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:size], all[2*size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skipf("skipped: cannot allocate guarded memory: %v", err)
		}
	}
	return all[size : 2*size : 2*size]
}

// TestGuardedInput decodes complete and truncated messages that begin or end at an
// inaccessible page.
func TestGuardedInput(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t)
	c := codec(t)
	for _, m := range messages {
		whole, err := c.Marshal(m.value)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(whole) + 1 {
			for _, at := range []int{0, len(memory) - n} {
				data := memory[at : at+n : at+n]
				copy(data, whole)
				got, want := reflect.New(reflect.TypeOf(m.value).Elem()), reflect.New(reflect.TypeOf(m.value).Elem())
				err := c.Unmarshal(data, got.Interface())
				wantErr := c.Unmarshal(bytes.Clone(data), want.Interface())
				if (err == nil) != (wantErr == nil) || err == nil && !same(got, want) {
					t.Errorf("%s: %d bytes at %d: %v, want %v", m.name, n, at, err, wantErr)
				}
			}
		}
	}
}

// TestGuardedOutput encodes messages into memory of every length that ends at an
// inaccessible page. What is short of a message is enlarged, and does not change what is
// in front of the buffer.
func TestGuardedOutput(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t)
	c := codec(t)
	for _, m := range messages {
		whole, err := c.Marshal(m.value)
		if err != nil {
			t.Fatal(err)
		}
		for room := range len(whole) + 2 {
			at := len(memory) - room
			clear(memory)
			got, err := c.MarshalAppend(memory[at:at:len(memory)], m.value)
			if err != nil || !bytes.Equal(got, whole) {
				t.Errorf("%s: room for %d bytes: % x, %v, want % x", m.name, room, got, err, whole)
			}
			if room == len(whole) && &got[0] != &memory[at] {
				t.Errorf("%s: a buffer with room for all %d bytes was not enough", m.name, room)
			}
			if i := bytes.IndexFunc(memory[:at], func(r rune) bool { return r != 0 }); i >= 0 {
				t.Errorf("%s: room for %d bytes: byte %d in front of it changed", m.name, room, at-i)
			}
		}
	}
}

// The types of TestNeighbors. Their fields have neighbors that are not part of the
// message, and no pointers, so that they can be in memory of any kind.
type (
	neighborBits struct {
		Before [3]uint8 `layout:"-"`
		A      uint8    `layout:"bits=4,const=4"`
		X      uint8    `layout:"-"`
		B      bool     `layout:"bits=1"`
		Y      [2]uint8 `layout:"-"`
		C      uint32   `layout:"bits=19"`
		Z      uint8    `layout:"-"`
		D      uint16   `layout:"u24"`
		E      int8     `layout:"i8"`
		After  [5]uint8 `layout:"-"`
	}
	neighborNumbers struct {
		Before uint8     `layout:"-"`
		A      uint16    `layout:"le"`
		X      uint16    `layout:"-"`
		B      [5]uint8  `layout:"magic=hello"`
		C      [20]uint8 `layout:"be"`
		Y      uint8     `layout:"-"`
		D      [3]uint16
		Z      uint8  `layout:"-"`
		E      uint64 `layout:"varint"`
		F      float32
		_      [3]uint8
		G      [4]uint8 `layout:"magic=GOOD"`
		H      [3]uint8 `layout:"if=A==1"`
		I      uint8    `layout:"if=A==2"`
		After  uint8    `layout:"-"`
	}
	neighborArrays struct {
		List [3]struct {
			A    uint8
			Kept uint8 `layout:"-"`
			B    uint8 `layout:"max=9"`
			C    uint16
		}
		Kept uint8 `layout:"-"`
	}
)

// TestNeighbors decodes and encodes values between inaccessible pages. Bytes that are not
// part of the message keep what they are.
func TestNeighbors(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t)
	for _, v := range []any{
		neighborBits{A: 4, B: true, C: 0x5aa5a, D: 999, E: -3},
		neighborNumbers{A: 1, B: [5]uint8{'h', 'e', 'l', 'l', 'o'}, C: [20]uint8{1, 19: 2}, D: [3]uint16{7, 8, 9}, E: 300, F: 1.5, G: [4]uint8{'G', 'O', 'O', 'D'}, H: [3]uint8{1, 2, 3}},
		neighborNumbers{A: 2, I: 7},
		neighborArrays{},
	} {
		typ := reflect.TypeOf(v)
		data, err := layout.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		kept := keptBytes(typ, 0, make([]bool, typ.Size()))
		size := int(typ.Size())
		for _, at := range []int{0, len(memory) - size} {
			for _, cut := range []int{0, 1, len(data) / 2} {
				for i := range memory {
					memory[i] = 0xa5
				}
				p := mem.Value(typ, mem.Bytes(memory[at:])).Addr()
				err := layout.Unmarshal(data[:len(data)-cut], p.Interface())
				if (err == nil) != (cut == 0) || err != nil && !errors.Is(err, layout.ErrTruncated) {
					t.Errorf("%v without %d bytes: %v", typ, cut, err)
				}
				for i, b := range memory {
					if inside := i >= at && i < at+size; b != 0xa5 && (!inside || kept[i-at]) {
						t.Fatalf("%v at %d: byte %d is %#x", typ, at, i-at, b)
					}
				}
				if again, err := layout.Marshal(p.Interface()); cut == 0 && (err != nil || !bytes.Equal(again, data)) {
					t.Errorf("%v: % x, %v, want % x", typ, again, err, data)
				}
			}
		}
	}
}

// keptBytes reports which bytes of a variable of type typ belong to no field of the
// message.
func keptBytes(typ reflect.Type, off uintptr, kept []bool) []bool {
	for i := range typ.NumField() {
		f := typ.Field(i)
		for k := range f.Type.Size() {
			kept[off+f.Offset+k] = f.Tag.Get("layout") == "-" || f.Name == "_"
		}
		if f.Type.Kind() == reflect.Array && f.Type.Elem().Kind() == reflect.Struct {
			for n := range uintptr(f.Type.Len()) {
				keptBytes(f.Type.Elem(), off+f.Offset+n*f.Type.Elem().Size(), kept)
			}
		}
	}
	return kept
}
