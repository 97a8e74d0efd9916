//go:build linux && (amd64 || arm64)

package msgpack_test

import (
	"bytes"
	"net"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack"
)

// reserved returns n zero bytes. They are only address space: they take no memory as long as nothing reads them.
func reserved(t *testing.T, n int) []byte {
	t.Helper()
	b, err := syscall.Mmap(-1, 0, n, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skipf("skipped: cannot reserve %d bytes: %v", n, err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}

// A longBinary has a method whose result is too long.
type longBinary struct{ data []byte }

func (b longBinary) MarshalBinary() ([]byte, error) { return b.data, nil }

// TestErrorOfLongBytes encodes strings and bytes that are longer than a header can announce.
func TestErrorOfLongBytes(t *testing.T) {
	long := reserved(t, 1<<32)
	text := mem.String(long)
	old, err := msgpack.New(msgpack.Options{Compat: msgpack.Compat{OldFormats: true}})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := msgpack.New(msgpack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		value any
		path  string
	}{
		{"string", text, ""},
		{"strings", []string{"a", text}, "[1]"},
		{"field", struct{ A, B string }{"a", text}, "B"},
		{"any", []any{text}, "[0]"},
		{"key of pairs", msgpack.Pairs{{text, 1}}, "[key]"}, // a Go map would read the key
		{"bytes", [][]byte{nil, long}, "[1]"},
		{"IP", []net.IP{long}, "[0]"},
		{"Ext", []msgpack.Ext{{Type: 5, Data: long}}, "[0]"},
		{"result of a method", []longBinary{{long}}, "[0]"},
	} {
		for name, codec := range map[string]*msgpack.Codec{"": whole, ", old formats": old} {
			if name != "" && c.name == "Ext" {
				continue // OldFormats has no form for exts
			}
			b, err := codec.MarshalAppend([]byte("before"), c.value)
			if e := checkError(t, err, msgpack.ErrLimit); e != nil && e.Path != c.path || string(b) != "before" {
				t.Errorf("%s%s: %v, appended to %q", c.name, name, err, b)
			}
		}
	}
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	for name, err := range map[string]error{
		"WriteString": e.WriteString(text), "WriteBytes": e.WriteBytes(long), "WriteExt": e.WriteExt(msgpack.Ext{Type: 1, Data: long}),
	} {
		checkError(t, err, msgpack.ErrLimit)
		if t.Failed() {
			t.Fatal(name)
		}
	}
	if err := e.WriteNil(); err != nil || e.Flush() != nil || out.String() != "\xc0" {
		t.Errorf("after errors: %q, %v", out.Bytes(), err)
	}
}

// TestErrorOfLongLists encodes lists of more elements than a header can announce into a buffer with room for all of them,
// of which only the first page can be written to.
func TestErrorOfLongLists(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	const n = 1 << 32
	long := reserved(t, 16*n)
	room := reserved(t, 6*n)
	if err := syscall.Mprotect(room[:syscall.Getpagesize()], syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	type named []int16
	for name, value := range map[string]any{
		"bool":    mem.SliceOf[bool](long[:n]),
		"int8":    mem.SliceOf[int8](long[:n]),
		"int16":   mem.SliceOf[int16](long[:2*n]),
		"float32": mem.SliceOf[float32](long[:4*n]),
		"named":   named(mem.SliceOf[int16](long[:2*n])),
		"string":  mem.SliceOf[string](long),
		"empty":   make([]struct{}, n),
	} {
		for where, value := range map[string]any{"": value, "any": []any{value}, "map": map[string]any{"": value}} {
			b, err := msgpack.MarshalAppend(room[:0], value)
			if checkError(t, err, msgpack.ErrLimit); len(b) != 0 {
				t.Errorf("%s %s: %v, appended %d bytes", name, where, err, len(b))
			}
		}
	}
}
