package binary

import (
	"bytes"
	stdbinary "encoding/binary"
	"errors"
	"io"
	"testing"
)

// TestUnmarshal decodes the prefixes of a value, the value, and the value with more
// bytes after it.
func TestUnmarshal(t *testing.T) {
	unmarshal[record](t)
	unmarshal[vast](t)
	unmarshal[uint32](t)
	unmarshal[bool](t)
	unmarshal[struct{ A, B, C, D, E, F, G, H uint64 }](t)
	unmarshal[struct{}](t)
}

func unmarshal[T any](t *testing.T) {
	t.Helper()
	for _, order := range []ByteOrder{BigEndian, LittleEndian, shadowed{BigEndian}} {
		typed, err := For[T](order)
		if err != nil {
			t.Fatal(err)
		}
		size := typed.Size()
		data := bytes.Repeat([]byte{1}, size+3)
		var want T
		if _, err := stdbinary.Decode(data, order, &want); err != nil {
			t.Fatal(err)
		}
		for n := range len(data) + 1 {
			var exact, prefix, got T
			exactErr := typed.Unmarshal(data[:n], &exact)
			k, prefixErr := typed.UnmarshalPrefix(data[:n], &prefix)
			m, getErr := typed.Get(data[:n], &got)
			if k != m || prefixErr != getErr || !equalBytes(prefix, got) {
				t.Errorf("%T: UnmarshalPrefix of %d bytes: %d, %v; Get %d, %v", got, n, k, prefixErr, m, getErr)
			}
			var reason error
			switch {
			case n < size:
				reason = ErrTruncated
			case n > size:
				reason = ErrTrailing
			}
			if !errors.Is(exactErr, reason) {
				t.Errorf("%T: Unmarshal of %d bytes: %v, want %v", got, n, exactErr, reason)
			}
			if decoded := equalBytes(exact, want); decoded != (n == size) && size > 0 {
				t.Errorf("%T: Unmarshal of %d bytes: %v", got, n, exact)
			}
			if decoded := equalBytes(prefix, want); decoded != (n >= size) && size > 0 || (prefixErr == nil) != (n >= size) || prefixErr == nil && k != size {
				t.Errorf("%T: UnmarshalPrefix of %d bytes: %v, %d, %v", got, n, prefix, k, prefixErr)
			}
		}
	}
}

func equalBytes(a, b any) bool {
	x, err := stdbinary.Append(nil, stdbinary.BigEndian, a)
	y, err2 := stdbinary.Append(nil, stdbinary.BigEndian, b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

// TestTruncated checks which errors match io.EOF and io.ErrUnexpectedEOF, and that they
// have the text of encoding/binary.
func TestTruncated(t *testing.T) {
	typed, err := For[record](BigEndian)
	if err != nil {
		t.Fatal(err)
	}
	custom, err := For[record](shadowed{BigEndian})
	if err != nil {
		t.Fatal(err)
	}
	second := func(_ int, err error) error { return err }
	_, want := stdbinary.Decode(nil, BigEndian, new(record))
	for name, decode := range map[string]func(data []byte) error{
		"Decode":           func(data []byte) error { return second(Decode(data, BigEndian, new(record))) },
		"Decode number":    func(data []byte) error { return second(Decode(data, BigEndian, new(uint64))) },
		"Decode slice":     func(data []byte) error { return second(Decode(data, LittleEndian, make([]uint64, 2))) },
		"Decode value":     func(data []byte) error { return second(Decode(data, LittleEndian, uint64(1))) },
		"GetSlice":         func(data []byte) error { return second(GetSlice(data, BigEndian, make([]uint64, 2))) },
		"Get":              func(data []byte) error { return second(typed.Get(data, new(record))) },
		"Get custom order": func(data []byte) error { return second(custom.Get(data, new(record))) },
		"Typed.GetSlice":   func(data []byte) error { return second(typed.GetSlice(data, make([]record, 2))) },
		"UnmarshalPrefix":  func(data []byte) error { return second(typed.UnmarshalPrefix(data, new(record))) },
		"Unmarshal":        func(data []byte) error { return typed.Unmarshal(data, new(record)) },
	} {
		for _, data := range [][]byte{nil, {}, {1}, {1, 2, 3}} {
			err := decode(data)
			if !errors.Is(err, ErrTruncated) || !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) != (len(data) == 0) || err.Error() != want.Error() {
				t.Errorf("%s of %d bytes: %v", name, len(data), err)
			}
		}
	}
	for _, err := range []error{ErrTruncated, second(Encode(nil, BigEndian, uint32(1))), ErrTrailing, ErrLength} {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) != (err == ErrTruncated) {
			t.Errorf("%v matches io.EOF: %t, io.ErrUnexpectedEOF: %t", err, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF))
		}
	}
}

// TestZeroTyped calls each method of the zero Typed.
func TestZeroTyped(t *testing.T) {
	var zero Typed[uint32]
	v, b := uint32(1), make([]byte, 4)
	for name, call := range map[string]func(){
		"Size":            func() { zero.Size() },
		"Put":             func() { zero.Put(b, &v) },
		"Append":          func() { zero.Append(b, &v) },
		"AppendSlice":     func() { zero.AppendSlice(b, []uint32{1}) },
		"Get":             func() { _, _ = zero.Get(b, &v) },
		"GetSlice":        func() { _, _ = zero.GetSlice(b, []uint32{1}) },
		"Unmarshal":       func() { _ = zero.Unmarshal(b, &v) },
		"UnmarshalPrefix": func() { _, _ = zero.UnmarshalPrefix(b, &v) },
	} {
		func() {
			defer func() {
				if got := recover(); got != "binary: zero Typed; use For" {
					t.Errorf("%s: panic with %v", name, got)
				}
			}()
			call()
		}()
	}
}
