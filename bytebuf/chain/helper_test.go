package chain_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

const text = "It grows, €2 at a time: \x00\xff\xf0\x9f\x98 and the rest.\nA line, 😀 and a\r\nnother; no end in sight "

// data returns n bytes of repeated text, starting at a position that depends on n.
func data(n int) []byte {
	n = max(n, 0)
	return []byte(strings.Repeat(text, n/len(text)+2)[n%7 : n%7+n])
}

var errOften = errors.New("intended error")

// reader returns data, step bytes at a time or all at once, and ends in the way that fault selects.
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
	case 1: // io.EOF together with the last bytes
		return n, io.EOF
	case 2: // an empty read first
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

// number maps a byte to a size near those where the behavior changes.
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

// randomScript returns a random sequence of calls, each followed by its number.
func randomScript(random *rand.Rand, steps int) []byte {
	script := make([]byte, 2*steps)
	for i := range script {
		script[i] = byte(random.Uint32())
	}
	return script
}

// difference returns the place where two texts differ.
func difference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-30)
	return fmt.Sprintf("…%.80q…, want …%.80q…", got[from:], want[from:])
}

// roomReader records the minimum length of the slices that it receives.
type roomReader struct {
	reader
	least int
}

func (r *roomReader) Read(p []byte) (int, error) {
	r.least = min(r.least, len(p))
	return r.reader.Read(p)
}

// writer fails in the way that fault selects.
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
