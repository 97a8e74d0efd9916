package chain_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

const text = "It grows, €2 at a time: \x00\xff\xf0\x9f\x98 and the rest.\nA line, 😀 and a\r\nnother; no end in sight "

// data is n bytes of text, repeated as often as that takes, beginning anywhere.
func data(n int) []byte {
	n = max(n, 0)
	return []byte(strings.Repeat(text, n/len(text)+2)[n%7 : n%7+n])
}

var errOften = errors.New("as often")

// reader gives data, step bytes at a time or all at once, and ends in the way of its fault.
type reader struct {
	data  []byte
	step  int
	fault int
}

func (r *reader) Read(p []byte) (int, error) {
	n := min(len(p), len(r.data))
	if r.step > 0 {
		n = min(n, r.step)
	}
	copy(p, r.data[:n])
	r.data = r.data[n:]
	if len(r.data) > 0 {
		return n, nil
	}
	switch r.fault {
	case 1: // the end with the last bytes
		return n, io.EOF
	case 2: // a read that gives nothing first
		r.fault = 1
		return n, nil
	case 3:
		return n, errOften
	case 4:
		return -1, nil
	case 5:
		return len(p) + 1, nil
	}
	if n > 0 {
		return n, nil
	}
	return 0, io.EOF
}

// number spreads a byte over the sizes where something changes.
func number(b byte) int {
	switch n := int(b); {
	case n < 80:
		return n
	case n < 160:
		return n + 40
	case n < 200:
		return 500 + (n - 160)
	default:
		return (n - 199) * 97
	}
}

// randomScript returns the calls of a test, each with its number.
func randomScript(random *rand.Rand, steps int) []byte {
	script := make([]byte, 2*steps)
	for i := range script {
		script[i] = byte(random.Uint32())
	}
	return script
}

// difference shows where two texts part.
func difference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-30)
	return fmt.Sprintf("…%.80q…, want …%.80q…", got[from:], want[from:])
}

// roomReader records the least room that it is offered.
type roomReader struct {
	reader
	least int
}

func (r *roomReader) Read(p []byte) (int, error) {
	r.least = min(r.least, len(p))
	return r.reader.Read(p)
}

// writer fails in the way of its fault.
type writer struct{ fault, n int }

func (w *writer) Write(p []byte) (int, error) {
	switch w.fault {
	case 3:
		return len(p) + 1, nil
	case 4:
		return len(p), errOften
	}
	return -w.n, nil
}
