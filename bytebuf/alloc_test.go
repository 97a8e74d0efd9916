package bytebuf_test

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
	"github.com/octet-go/octet/internal/heaptest"
)

var (
	result    string
	resultErr error
)

// TestAllocations checks that a local Buffer with up to 64 bytes allocates only for the results of its methods.
func TestAllocations(t *testing.T) {
	if heaptest.Race {
		t.Skip("under the race detector sync.Pool drops items at random, and growing allocates twice, as in bytes.Buffer")
	}
	short := []byte(strings.Repeat("é", 32))
	long := strings.Repeat("x", 1000)
	discard := io.Writer(struct{ io.Writer }{io.Discard})
	source := bytes.NewReader(short)
	tests := []struct {
		name   string
		allocs float64
		do     func()
	}{
		{"write 5, string", 1, func() { var b bytebuf.Buffer; b.WriteString("hello"); result = b.String() }},
		{"write 64, string", 1, func() { var b bytebuf.Buffer; b.Write(short); result = b.String() }},
		{"New, write 64, string", 1, func() { b := bytebuf.New(); b.Write(short); result = b.String() }},
		{"write 5, use string here", 0, func() { var b bytebuf.Buffer; b.WriteString("hello"); isUsed(b.String() == "hello") }},
		{"write 64, use bytes here", 0, func() { var b bytebuf.Buffer; b.Write(short); isUsed(len(b.Bytes()) == 64) }},
		{"write 65", 1, func() { var b bytebuf.Buffer; b.Write(short); b.WriteByte('x') }},
		{"write 1000", 1, func() { var b bytebuf.Buffer; b.WriteString(long) }},
		{"write 64 bytes one by one", 0, func() {
			var b bytebuf.Buffer
			for _, c := range short {
				b.WriteByte(c)
			}
		}},
		{"write runes", 0, func() {
			var b bytebuf.Buffer
			for range 31 {
				b.WriteRune('é')
			}
		}},
		{"append to available", 0, func() {
			var b bytebuf.Buffer
			b.Grow(64)
			b.Write(strconv.AppendInt(b.AvailableBuffer(), 1<<60, 10))
		}},
		{"reserve, commit", 0, func() { var b bytebuf.Buffer; b.Commit(copy(b.Reserve(64), short)) }},
		{"read it all back", 0, func() {
			var b bytebuf.Buffer
			b.Write(short)
			var p [10]byte
			n, err := b.Read(p[:])
			c, _ := b.ReadByte()
			r, _, _ := b.ReadRune()
			q, _ := b.Peek(3)
			isUsed(n == 10 && err == nil && c == short[0] && r != 0 && len(q)+len(b.Next(4)) == 7)
			resultErr = b.UnreadByte()
		}},
		{"read strings and bytes", 2, func() {
			var b bytebuf.Buffer
			b.Write(short)
			result, _ = b.ReadString(short[1])
			p, err := b.ReadBytes(short[0])
			resultErr = err
			isUsed(len(p) > 0)
		}},
		{"truncate, reset, wipe", 0, func() { var b bytebuf.Buffer; b.Write(short); b.Truncate(9); b.Reset(); b.Wipe() }},
		{"copy", 0, func() {
			var b bytebuf.Buffer
			b.Write(short)
			c := b
			isUsed(c.Len() == 64)
		}},
		{"in a local array", 0, func() {
			var memory [200]byte
			b := bytebuf.NewBuffer(memory[:0])
			b.Write(short)
			b.Write(short)
			isUsed(b.Len() == 128)
		}},
		// The one allocation is the 64 bytes for the writer. The Buffer itself stays on the stack.
		{"WriteTo", 1, func() { var b bytebuf.Buffer; b.Write(short); _, resultErr = b.WriteTo(discard) }},
		{"WriteTo, empty", 0, func() { var b bytebuf.Buffer; _, resultErr = b.WriteTo(discard) }},
		{"ReadFrom", 0, func() {
			var b bytebuf.Buffer
			source.Reset(short)
			_, resultErr = b.ReadFrom(source)
		}},
		// Every variable that is passed as an interface is on the heap. Here the 64 bytes are part of it.
		{"Fprintf", 1, func() { var b bytebuf.Buffer; fmt.Fprintf(&b, "%s %v", "hello", true) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.do); got != test.allocs {
				t.Errorf("%v allocations, want %v", got, test.allocs)
			}
		})
	}
}

// isUsed keeps the compiler from removing the code that computes ok.
func isUsed(ok bool) {
	if !ok {
		panic("unexpected contents")
	}
}

// TestAllocatesLess checks that building a string allocates at most as often as with bytes.Buffer, and once less
// for up to 64 bytes.
func TestAllocatesLess(t *testing.T) {
	for _, n := range []int{0, 1, 5, 63, 64, 65, 128, 129, 1000, 1024, 5000, 70000} {
		text := strings.Repeat("x", n)
		for _, step := range []int{1, 7, 64, 1 << 20} {
			std := testing.AllocsPerRun(10, func() {
				var b bytes.Buffer
				for s := text; s != ""; s = s[min(step, len(s)):] {
					b.WriteString(s[:min(step, len(s))])
				}
				result = b.String()
			})
			ours := testing.AllocsPerRun(10, func() {
				var b bytebuf.Buffer
				for s := text; s != ""; s = s[min(step, len(s)):] {
					b.WriteString(s[:min(step, len(s))])
				}
				result = b.String()
			})
			want := std
			if 0 < n && n <= 64 {
				want = std - 1
			}
			if ours > want {
				t.Errorf("%d bytes, %d at a time: %v allocations, bytes.Buffer %v", n, step, ours, std)
			}
		}
	}
}

// TestReadFromAllocatesNoMore checks that ReadFrom allocates at most as often as in bytes.Buffer.
func TestReadFromAllocatesNoMore(t *testing.T) {
	if heaptest.Race {
		t.Skip("sync.Pool drops items at random under the race detector")
	}
	for _, n := range []int{0, 1, 64, 65, 100, 511, 512, 513, 1000, 1024, 1025, 5000, 70000} {
		for _, step := range []int{50, 512, 1 << 20} {
			r := &buffertest.Reader{}
			text := buffertest.Data(n)
			std := testing.AllocsPerRun(10, func() {
				*r = buffertest.Reader{Data: text, Step: step}
				var b bytes.Buffer
				_, resultErr = b.ReadFrom(r)
			})
			ours := testing.AllocsPerRun(10, func() {
				*r = buffertest.Reader{Data: text, Step: step}
				var b bytebuf.Buffer
				_, resultErr = b.ReadFrom(r)
			})
			if ours > std {
				t.Errorf("%d bytes, %d at a time: %v allocations, bytes.Buffer %v", n, step, ours, std)
			}
		}
	}
}
