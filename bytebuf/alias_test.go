package bytebuf_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

// aliases passes parts of a buffer's own memory to its methods.
var aliases = []call{
	{"Write", func(b buffer, n int) string { return fmt.Sprint(b.Write(buffertest.Data(n))) }},
	{"Grow", func(b buffer, n int) string { b.Grow(n); return "" }},
	{"WriteBytes", func(b buffer, n int) string { return fmt.Sprint(b.Write(b.Bytes())) }},
	{"WritePart", func(b buffer, n int) string { return fmt.Sprint(b.Write(b.Bytes()[min(n, b.Len()):])) }},
	{"WritePeek", func(b buffer, n int) string {
		p, err := b.Peek(n)
		return fmt.Sprint(b.Write(p)) + fmt.Sprint(err)
	}},
	{"WriteNext", func(b buffer, n int) string { return fmt.Sprint(b.Write(b.Next(n))) }},
	{"WriteAvailable", func(b buffer, n int) string {
		p := b.AvailableBuffer()
		p = p[:min(n, cap(p))]
		copy(p, buffertest.Data(len(p)))
		return fmt.Sprint(b.Write(p))
	}},
	{"ReadIntoBytes", func(b buffer, n int) string { return fmt.Sprint(b.Read(b.Bytes())) }},
	{"ReadIntoAvailable", func(b buffer, n int) string {
		p := b.AvailableBuffer()
		m, err := b.Read(p[:min(n, cap(p))])
		return fmt.Sprint(m, err) + fmt.Sprint(b.Write(p[:m]))
	}},
}

// TestAliases checks methods whose argument is memory of the same buffer, inside the struct and outside. The bytes
// must be copied before they are moved.
func TestAliases(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 3))
		var std, ours buffer = new(bytes.Buffer), new(bytebuf.Buffer)
		if size := r.IntN(80); r.IntN(3) == 0 {
			std, ours = bytes.NewBuffer(make([]byte, 0, size)), bytebuf.NewBuffer(make([]byte, 0, size))
		}
		log := ""
		for range 12 {
			c, n := aliases[r.IntN(len(aliases))], r.IntN(90)
			log += fmt.Sprintf("%s(%d) ", c.name, n)
			want := c.do(std, n) + fmt.Sprintf(" %q %d", std.Bytes(), std.Cap())
			if got := c.do(ours, n) + fmt.Sprintf(" %q %d", ours.Bytes(), ours.Cap()); got != want {
				t.Fatalf("%s\ngot  %s\nwant %s", log, got, want)
			}
		}
	}
}
