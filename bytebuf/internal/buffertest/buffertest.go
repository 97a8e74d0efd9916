// Package buffertest has what the tests of bytebuf and bytebuf/chain share: contents,
// random calls, and readers and writers that return unusual results. Only they import
// it.
package buffertest

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

const text = "It grows, €2 at a time: \x00\xff\xf0\x9f\x98 and the rest.\nA line, 😀 and a\r\nnother; no end in sight "

// Data returns n bytes of repeated text, starting at a position that depends on n.
func Data(n int) []byte {
	n = max(n, 0)
	return []byte(strings.Repeat(text, n/len(text)+2)[n%7 : n%7+n])
}

// Err is the error of a Reader or Writer.
var Err = errors.New("intended error")

// A Reader returns Data, Step bytes at a time or all at once, and ends in the way that
// Fault selects.
type Reader struct {
	Data  []byte
	Step  int
	Fault int // less than ReaderFaults
}

// ReaderFaults is the number of ways in which a Reader ends.
const ReaderFaults = 6

func (r *Reader) Read(p []byte) (int, error) {
	n := min(len(p), len(r.Data))
	if r.Step > 0 {
		n = min(n, r.Step)
	}
	copy(p, r.Data[:n])
	r.Data = r.Data[n:]
	if len(r.Data) > 0 {
		return n, nil
	}
	switch r.Fault {
	case 1: // io.EOF together with the last bytes
		return n, io.EOF
	case 2: // an empty read first
		r.Fault = 1
		return n, nil
	case 3:
		return n, Err
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

// A Writer keeps what it is given, and returns from Write in the way that Fault selects.
type Writer struct {
	Fault int // less than WriterFaults
	N     int // a count that Write returns, if Fault selects that
	Got   []byte
}

// WriterFaults is the number of ways in which a Writer returns.
const WriterFaults = 7

func (w *Writer) Write(p []byte) (int, error) {
	m := min(w.N, len(p))
	w.Got = append(w.Got, p...)
	switch w.Fault {
	case 1:
		return m, Err
	case 2:
		return m, nil
	case 3:
		return len(p) + 1, nil
	case 4:
		return len(p), Err
	case 5:
		return -m, nil
	case 6:
		return -m, Err
	}
	return len(p), nil
}

// Number maps a byte to a size near those where the behavior changes. It returns -2 and
// -1 for the first two.
func Number(b byte) int {
	switch n := int(b); {
	case n < 80:
		return n - 2
	case n < 160:
		return n + 40
	case n < 200:
		return 500 + (n - 160)
	default:
		return (n - 199) * 97
	}
}

// Script returns a random sequence of calls, each a byte less than calls, or at least
// 250, and a byte for Number.
func Script(random *rand.Rand, steps, calls int) []byte {
	script := make([]byte, 2*steps)
	for i := range script {
		script[i] = byte(random.Uint32())
		if i%2 == 0 && script[i] < 250 {
			script[i] %= byte(calls)
		}
	}
	return script
}

// Difference returns the place where two long texts differ.
func Difference(got, want string) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-30)
	return fmt.Sprintf("…%.80q…, want …%.80q…", got[from:], want[from:])
}
