package bytebuf_test

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

// TestZeroValue checks the zero value before and after first use. Programs depend on the exact results of Bytes and
// Cap.
func TestZeroValue(t *testing.T) {
	tests := []struct {
		name      string
		do        func(b *bytebuf.Buffer)
		isNil     bool
		cap, free int
	}{
		{"untouched", func(b *bytebuf.Buffer) {}, true, 0, 0},
		{"nothing written", func(b *bytebuf.Buffer) { b.Write(nil); b.WriteString("") }, true, 0, 0},
		{"grown by 0, reset, read", func(b *bytebuf.Buffer) { b.Grow(0); b.Reset(); b.ReadByte(); b.Truncate(0) }, true, 0, 0},
		{"one byte", func(b *bytebuf.Buffer) { b.WriteByte(1) }, false, 64, 63},
		{"one byte, reset", func(b *bytebuf.Buffer) { b.WriteByte(1); b.Reset() }, false, 64, 64},
		{"grown by 1", func(b *bytebuf.Buffer) { b.Grow(1) }, false, 64, 64},
		{"grown by 65", func(b *bytebuf.Buffer) { b.Grow(65) }, false, 80, 80},
		{"64 bytes", func(b *bytebuf.Buffer) { b.Write(buffertest.Data(64)) }, false, 64, 0},
		{"65 bytes", func(b *bytebuf.Buffer) { b.Write(buffertest.Data(64)); b.WriteByte(1) }, false, 128, 63},
		{"65 bytes at once", func(b *bytebuf.Buffer) { b.Write(buffertest.Data(65)) }, false, 80, 15},
		{"wiped", func(b *bytebuf.Buffer) { b.Wipe() }, true, 0, 0},
		{"nothing reserved", func(b *bytebuf.Buffer) { b.Commit(len(b.Reserve(1)) - 1) }, false, 64, 64},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytebuf.Buffer
			test.do(&b)
			if got := b.Bytes() == nil; got != test.isNil {
				t.Errorf("Bytes is nil: %t, want %t", got, test.isNil)
			}
			if b.Cap() != test.cap || b.Available() != test.free {
				t.Errorf("Cap %d, Available %d, want %d, %d", b.Cap(), b.Available(), test.cap, test.free)
			}
		})
	}
}

// TestErrTooLarge checks that a Buffer that cannot grow panics with ErrTooLarge and keeps its contents.
func TestErrTooLarge(t *testing.T) {
	if bytebuf.ErrTooLarge != bytes.ErrTooLarge {
		t.Error("ErrTooLarge is not bytes.ErrTooLarge")
	}
	const huge = int(^uint(0) >> 1)
	for name, do := range map[string]func(b *bytebuf.Buffer){
		"Grow":    func(b *bytebuf.Buffer) { b.Grow(huge) },
		"Reserve": func(b *bytebuf.Buffer) { b.Reserve(huge - 100) },
		// This exceeds all memory, although the sum does not overflow.
		"half": func(b *bytebuf.Buffer) { b.Grow(huge/2 + huge/4) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "half" && huge>>31 == 0 {
				t.Skip("a slice of this length can be allocated on 32-bit machines")
			}
			var b bytebuf.Buffer
			b.Write(buffertest.Data(200))
			defer func() {
				if e := recover(); e != any(bytes.ErrTooLarge) {
					t.Errorf("panic with %v, want bytes.ErrTooLarge", e)
				}
				if b.String() != string(buffertest.Data(200)) {
					t.Error("the contents changed")
				}
			}()
			do(&b)
		})
	}
}

// TestReserveCommit writes through Reserve and Commit at sizes at which the contents move.
func TestReserveCommit(t *testing.T) {
	tests := []struct {
		name    string
		before  int
		read    int
		reserve int
		commit  int
	}{
		{"nothing", 0, 0, 0, 0},
		{"inside", 0, 0, 64, 10},
		{"inside the struct", 60, 0, 4, 4},
		{"from the struct to the heap", 60, 0, 5, 3},
		{"after reading", 60, 50, 40, 40},
		{"after reading all", 64, 64, 64, 64},
		{"long", 0, 0, 5000, 4999},
		{"longer", 3000, 10, 3000, 3000},
		{"not used", 100, 0, 100, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytebuf.Buffer
			b.Write(buffertest.Data(test.before))
			b.Next(test.read)
			p := b.Reserve(test.reserve)
			if len(p) != test.reserve || cap(p) != test.reserve {
				t.Fatalf("Reserve(%d): length %d, capacity %d", test.reserve, len(p), cap(p))
			}
			if b.Len() != test.before-test.read {
				t.Errorf("Reserve changed Len to %d", b.Len())
			}
			copy(p, buffertest.Data(test.reserve))
			b.Commit(test.commit)
			want := string(buffertest.Data(test.before)[test.read:]) + string(buffertest.Data(test.reserve)[:test.commit])
			if b.String() != want {
				t.Errorf("%q, want %q", b.String(), want)
			}
			if b.UnreadByte() == nil {
				t.Error("UnreadByte after Commit succeeded")
			}
		})
	}
}

// TestCommitAvailable checks that Commit counts as a write, even if the bytes come from AvailableBuffer.
func TestCommitAvailable(t *testing.T) {
	for _, n := range []int{5, 100} {
		var b bytebuf.Buffer
		b.Write(buffertest.Data(n))
		b.Grow(10)
		b.ReadByte()
		p := append(b.AvailableBuffer(), "hello"...)
		b.Commit(len(p))
		if b.UnreadByte() == nil {
			t.Error("UnreadByte after Commit succeeded")
		}
		if want := string(buffertest.Data(n)[1:]) + "hello"; b.String() != want {
			t.Errorf("%q, want %q", b.String(), want)
		}
	}
}

// TestMisusePanics checks that invalid arguments panic, with the texts of bytes.Buffer for its methods, and leave the
// contents unchanged.
func TestMisusePanics(t *testing.T) {
	tests := []struct {
		name string
		do   func(b *bytebuf.Buffer)
		text any
	}{
		{"Grow", func(b *bytebuf.Buffer) { b.Grow(-1) }, "bytes.Buffer.Grow: negative count"},
		{"Truncate", func(b *bytebuf.Buffer) { b.Truncate(6) }, "bytes.Buffer: truncation out of range"},
		{"Truncate, negative", func(b *bytebuf.Buffer) { b.Truncate(-1) }, "bytes.Buffer: truncation out of range"},
		{"Reserve", func(b *bytebuf.Buffer) { b.Reserve(-1) }, "bytebuf.Buffer.Reserve: negative count"},
		{"Commit", func(b *bytebuf.Buffer) { b.Commit(60) }, "bytebuf.Buffer.Commit: count out of range"},
		{"Commit, negative", func(b *bytebuf.Buffer) { b.Commit(-1) }, "bytebuf.Buffer.Commit: count out of range"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := new(bytebuf.Buffer)
			b.WriteString("hello")
			defer func() {
				if e := recover(); e != test.text {
					t.Errorf("panic with %v, want %v", e, test.text)
				}
				if b.String() != "hello" {
					t.Errorf("contents %q", b.String())
				}
			}()
			test.do(b)
		})
	}
}

// TestWipe checks that Wipe overwrites the contents in all memory of the Buffer.
func TestWipe(t *testing.T) {
	secret := bytes.Repeat([]byte{'s'}, 60)
	tests := []struct {
		name string
		fill func(b *bytebuf.Buffer) [][]byte // returns the memory that contained the secret
	}{
		{"inside", func(b *bytebuf.Buffer) [][]byte {
			b.Write(secret)
			return [][]byte{b.Bytes()}
		}},
		{"after reading", func(b *bytebuf.Buffer) [][]byte {
			b.Write(secret)
			p := b.Bytes()
			b.Next(50)
			return [][]byte{p}
		}},
		{"truncated", func(b *bytebuf.Buffer) [][]byte {
			b.Grow(200)
			b.Write(secret)
			p := b.Bytes()
			b.Truncate(1)
			return [][]byte{p}
		}},
		{"moved out of the struct", func(b *bytebuf.Buffer) [][]byte {
			b.Write(secret)
			p := b.Bytes()
			b.Write(secret)
			return [][]byte{p, b.Bytes()}
		}},
		{"written to a writer", func(b *bytebuf.Buffer) [][]byte {
			b.Write(secret)
			p := b.Bytes()
			w := new(keeper)
			b.WriteTo(w)
			return [][]byte{p, w.p}
		}},
		{"memory from the caller", func(b *bytebuf.Buffer) [][]byte {
			p := bytes.Clone(secret)
			*b = *bytebuf.NewBuffer(p)
			return [][]byte{p}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var b bytebuf.Buffer
			memory := test.fill(&b)
			if !bytes.Contains(bytes.Join(memory, nil), secret) {
				t.Fatal("the memory does not contain the secret before Wipe")
			}
			b.Wipe()
			if b.Len() != 0 {
				t.Errorf("Len %d", b.Len())
			}
			for i, p := range memory {
				if bytes.IndexByte(p, 's') >= 0 {
					t.Errorf("memory %d: %q", i, p)
				}
			}
		})
	}
}

// keeper is a writer that retains its argument, which io.Writer forbids.
type keeper struct{ p []byte }

func (k *keeper) Write(p []byte) (int, error) {
	k.p = p
	return len(p), nil
}

// The following tests check the differences from bytes.Buffer that the package documentation lists. The test for
// ReadFrom is in stream_test.go.

// Only long contents are shared by a Buffer and its copy.
func TestDeviationCopy(t *testing.T) {
	var std bytes.Buffer
	std.WriteString("hello")
	stdCopy := std
	stdCopy.Bytes()[0] = 'j'
	if std.String() != "jello" {
		t.Errorf("bytes.Buffer: %q: copies no longer share short contents", std.String())
	}

	var b bytebuf.Buffer
	b.WriteString("hello")
	c := b
	c.Bytes()[0] = 'j'
	if b.String() != "hello" || c.String() != "jello" {
		t.Errorf("short: %q and %q, want separate contents", b.String(), c.String())
	}

	b.Write(buffertest.Data(60))
	c = b
	c.Bytes()[0] = 'j'
	if b.String() != c.String() {
		t.Errorf("long: %q and %q, want shared contents", b.String(), c.String())
	}
}

// The contents of a short Buffer are inside its struct, so reflect.DeepEqual also compares bytes that are not in use.
func TestDeviationDeepEqual(t *testing.T) {
	var a, b bytes.Buffer
	a.WriteString("a")
	b.WriteString("ab")
	b.Truncate(1)
	if !reflect.DeepEqual(a, b) {
		t.Error("bytes.Buffer: equal contents are not deeply equal")
	}
	var c, d bytebuf.Buffer
	c.WriteString("a")
	d.WriteString("ab")
	if d.Truncate(1); reflect.DeepEqual(c, d) {
		t.Error("equal short contents are deeply equal: no longer a difference")
	}
	d.Wipe()
	if d.WriteByte('a'); !reflect.DeepEqual(c, d) {
		t.Error("equal contents are not deeply equal after Wipe")
	}
}

// ReadFrom of bytes.Buffer leaves more room than that of Buffer, so only the latter moves the contents in Grow.
func TestDeviationUnreadAfterGrow(t *testing.T) {
	unread := func(b buffer) string {
		b.ReadFrom(strings.NewReader(string(buffertest.Data(1000))))
		b.ReadByte()
		b.Grow(30)
		return fmt.Sprint(b.UnreadByte(), b.Len())
	}
	// bytes.Buffer has doubled its memory to find the end of the input, so 30 bytes fit without moving.
	if got := unread(bytes.NewBuffer(make([]byte, 0, 1000))); got != "<nil> 1000" {
		t.Errorf("bytes.Buffer: %s", got)
	}
	if got := unread(bytebuf.NewBuffer(make([]byte, 0, 1000))); got != "<nil> 999" {
		t.Errorf("got %s", got)
	}
}

// The result of Bytes points into the struct of a short Buffer and keeps all of it in memory.
func TestDeviationSliceKeepsBuffer(t *testing.T) {
	b := bytebuf.New()
	b.WriteString("hello")
	held, p := weak.Make(b), b.Bytes()
	runtime.GC()
	if held.Value() == nil {
		t.Error("the Buffer was collected before its memory")
	}
	runtime.KeepAlive(p)
	if runtime.GC(); held.Value() != nil {
		t.Error("the Buffer was not collected")
	}
}

// The text of a run-time error has the bounds of internal slices, which differ.
func TestDeviationBoundsText(t *testing.T) {
	text := func(b buffer) (s string) {
		defer func() { s = recover().(runtime.Error).Error() }()
		b.Write(buffertest.Data(5))
		b.Next(3)
		b.Next(-1)
		return ""
	}
	std, ours := text(new(bytes.Buffer)), text(new(bytebuf.Buffer))
	const both = "slice bounds out of range"
	if !strings.Contains(std, both) || !strings.Contains(ours, both) {
		t.Errorf("%s; bytes.Buffer: %s", ours, std)
	}
	if std == ours {
		t.Error("the texts are equal: no longer a difference")
	}
}
