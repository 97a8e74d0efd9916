//go:build linux

package msgpack_test

import (
	"bytes"
	"reflect"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack"
)

// guarded returns memory of whole pages between two pages that must not be accessed.
func guarded(t *testing.T, pages int) []byte {
	t.Helper()
	size := syscall.Getpagesize()
	all, err := syscall.Mmap(-1, 0, (pages+2)*size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skipf("skipped: cannot allocate guarded memory: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(all) })
	for _, guard := range [][]byte{all[:size], all[(pages+1)*size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skipf("skipped: cannot allocate guarded memory: %v", err)
		}
	}
	return all[size : (pages+1)*size : (pages+1)*size]
}

// TestGuardedInput decodes complete and truncated messages that begin or end at an
// inaccessible page.
func TestGuardedInput(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t, 1)
	for i, s := range corpus() {
		if len(s.data) > len(memory) || reduced() && i%4 != 0 {
			continue
		}
		lengths := []int{len(s.data)}
		for n := range min(len(s.data), 24) {
			lengths = append(lengths, n, len(s.data)-n)
		}
		for _, n := range lengths {
			for _, at := range []int{0, len(memory) - n} {
				data := memory[at : at+n : at+n]
				copy(data, s.data)
				whole := n == len(s.data)
				if err := msgpack.Unmarshal(data, reflect.New(s.typ).Interface()); (err == nil) != whole {
					t.Errorf("%s: %d of %d bytes: %v", s.name, n, len(s.data), err)
				}
				if err := msgpack.Valid(data); (err == nil) != whole {
					t.Errorf("%s: %d of %d bytes: %v", s.name, n, len(s.data), err)
				}
				_ = msgpack.Unmarshal(data, new(any))
				_ = msgpack.Unmarshal(data, new(company))
				_ = msgpack.Unmarshal(data, new(map[string]string))
				_ = msgpack.Unmarshal(data, new([]int64))
			}
		}
	}
}

// TestGuardedOutput encodes into buffers that end at an inaccessible page. Their
// room is exactly what is needed, less, or more. The values to encode are also
// placed beside such pages.
func TestGuardedOutput(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t, 2)
	for _, c := range append(append([]conversion(nil), conversions...), ownConversions...) {
		v := reflect.ValueOf(c.value)
		for _, p := range places {
			if !p.takes(v.Type()) {
				continue
			}
			outer, want := p.around(v).Interface(), unhex(t, p.message(c.bytes))
			if len(want) > len(memory) {
				continue
			}
			for _, room := range []int{len(want), len(want) - 1, len(want) / 2, len(want) + 8, len(want) + 40, 0} {
				if room > len(memory) {
					continue
				}
				dst := memory[len(memory)-room : len(memory)-room : len(memory)]
				if got, err := msgpack.MarshalAppend(dst, outer); err != nil || string(got) != string(want) {
					t.Errorf("%s in %s, %d bytes: got % x, %v, want % x", c.name, p.name, room, got, err, want)
				}
			}
		}
	}
	// Strings and bytes to encode that begin or end at an inaccessible page.
	type texts struct {
		A, B string
		C    []byte
	}
	for n := range 300 {
		for _, at := range []int{0, len(memory) - n} {
			part := memory[at : at+n : at+n]
			for i := range part {
				part[i] = byte('a' + i%26)
			}
			want, err := ref.Marshal(texts{string(part), string(part), bytes.Clone(part)})
			if err != nil {
				t.Fatal(err)
			}
			there := texts{mem.String(part), mem.String(part), part}
			for _, room := range []int{0, len(want), len(want) + 100} {
				got, err := msgpack.MarshalAppend(make([]byte, 0, room), there)
				if err != nil || string(got) != string(want) {
					t.Errorf("%d bytes: got % x, %v, want % x", n, got, err, want)
				}
			}
		}
	}
}

// TestGuardedLists encodes lists and maps of the longest numbers of each type, and of strings
// around the lengths at which the header changes, into buffers of every length that end at
// an inaccessible page.
func TestGuardedLists(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t, 1)
	values := []any{
		[]bool{true, false, true}, []int8{-128, -128, -128}, []int16{-1 << 15, 1<<15 - 1, -1 << 15}, []uint16{1 << 15, 1 << 15},
		[]int32{-1 << 31, 1<<31 - 1}, []uint32{1<<32 - 1, 1 << 31}, []int64{-1 << 63, 1<<63 - 1}, []uint64{1<<64 - 1, 1 << 63},
		[]float32{1.5, 2.5}, []float64{1.5, 2.5}, [3]int8{-128, -128, -128}, [9]int16{8: -1 << 15},
		map[string]int8{"key": -128}, map[string]uint64{"key": 1<<64 - 1}, map[string]bool{strings.Repeat("k", 40): true},
	}
	for _, n := range []int{0, 1, 31, 32, 255, 256, 300} {
		text := strings.Repeat("s", n)
		values = append(values, []string{text}, []string{text, "", text}, map[string]string{text: text}, map[string]string{"key": text})
	}
	for _, v := range values {
		want, err := ref.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		for room := range len(want) + 40 {
			dst := memory[len(memory)-room : len(memory)-room : len(memory)]
			if got, err := msgpack.MarshalAppend(dst, v); err != nil || string(got) != string(want) {
				t.Errorf("%T in %d bytes: got % x, %v, want % x", v, room, got, err, want)
			}
			reflected := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.TypeOf(v)}}))
			reflected.Elem().Field(0).Set(reflect.ValueOf(v))
			whole := append([]byte("\x81\xa1V"), want...)
			dst = memory[len(memory)-room : len(memory)-room : len(memory)]
			if got, err := msgpack.MarshalAppend(dst, reflected.Interface()); err != nil || string(got) != string(whole) {
				t.Errorf("%T in a struct, in %d bytes: got % x, %v, want % x", v, room, got, err, whole)
			}
		}
	}
}

// TestGuardedShortMessages decodes every struct message of fewer than eight bytes that is
// made of a few keys and values, between inaccessible pages. A key is compared by loading
// a word, which is longer than these messages.
func TestGuardedShortMessages(t *testing.T) {
	type fields struct {
		A int    `msgpack:"a"`
		B bool   `msgpack:"bc"`
		C string `msgpack:"def"`
	}
	type field struct {
		bytes string
		set   func(v *fields)
	}
	list := []field{
		{"\xa1a\x05", func(v *fields) { v.A = 5 }},
		{"\xa2bc\xc3", func(v *fields) { v.B = true }},
		{"\xa3def\xa1x", func(v *fields) { v.C = "x" }},
		{"\xa3def\xa0", func(v *fields) { v.C = "" }},
		{"\xa0\xc0", func(*fields) {}},
		{"\xa1b\x07", func(*fields) {}},
		{"\xc0\x07", func(*fields) {}},
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	memory := guarded(t, 1)
	for i := range len(list) * (len(list) + 1) {
		first, second := list[i%len(list)], i/len(list)
		message, want := "\x81"+first.bytes, fields{C: "before"}
		first.set(&want)
		if second < len(list) {
			message = "\x82" + message[1:] + list[second].bytes
			list[second].set(&want)
		}
		if len(message) > 7 {
			continue
		}
		for n := range len(message) + 1 {
			for _, at := range []int{0, len(memory) - n} {
				data := memory[at : at+n : at+n]
				copy(data, message)
				got := fields{C: "before"}
				err := msgpack.Unmarshal(data, &got)
				if (err == nil) != (n == len(message)) || err == nil && got != want {
					t.Errorf("%x, %d of %d bytes: got %+v, %v, want %+v", message, n, len(message), got, err, want)
				}
			}
		}
	}
}
