package diag

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// chunkSize is the number of payload bytes that are written at a time.
const chunkSize = 16 << 10

// A Writer writes the values of a scanner.
type Writer struct {
	W      *bufio.Writer
	Indent string // indentation of each level; empty: a top-level value is one line

	s     *scan.Scanner
	open  []string // for each open container, the text after its last element
	value []byte   // the first bytes of the value that is being written
	text  escaper
}

// Write writes all values of s, each on its own line or lines, and returns
// their number.
func (w *Writer) Write(s *scan.Scanner) (values int64, err error) {
	for ; ; values++ {
		err := w.Next(s)
		if err == io.EOF {
			return values, nil
		}
		if err != nil {
			if len(w.open) > 0 {
				_ = w.W.WriteByte('\n') // ends the line, although the value is not complete
			}
			return values, err
		}
		if err := w.W.WriteByte('\n'); err != nil {
			return values, err
		}
	}
}

// Next writes the next top-level value without a newline. At the end of the
// input it returns io.EOF. If the value is malformed, what precedes the fault
// has been written.
func (w *Writer) Next(s *scan.Scanner) error {
	w.s, w.open = s, w.open[:0]
	for {
		t, err := s.Next()
		if err != nil {
			return err
		}
		if err := w.token(t); err != nil {
			return err
		}
		if len(w.open) == 0 {
			return nil
		}
	}
}

// token writes one value and the ends of the containers that end with it.
func (w *Writer) token(t scan.Token) error {
	w.separate(t)
	if err := w.begin(t); err != nil {
		return err
	}
	for open := w.s.Open(); len(w.open) > open; {
		last := len(w.open) - 1
		end := w.open[last]
		w.open = w.open[:last]
		if t.Depth != last { // t is not the empty container itself
			w.line(last)
		}
		_, _ = w.W.WriteString(end)
	}
	// A bufio.Writer keeps its first error.
	_, err := w.W.Write(nil)
	return err
}

// separate writes the punctuation between t and the value before it.
func (w *Writer) separate(t scan.Token) {
	switch {
	case t.Role == scan.Top:
		return
	case t.Role == scan.Value:
		_, _ = w.W.WriteString(": ")
		return
	case t.Index > 0:
		_ = w.W.WriteByte(',')
		if w.Indent == "" {
			_ = w.W.WriteByte(' ')
		}
	}
	w.line(t.Depth)
}

// line begins a new line if the output is indented.
func (w *Writer) line(depth int) {
	if w.Indent != "" {
		_ = w.W.WriteByte('\n')
		for range depth {
			_, _ = w.W.WriteString(w.Indent)
		}
	}
}

// begin writes the value of t, or the bracket that opens it.
func (w *Writer) begin(t scan.Token) error {
	w.value = append(w.value[:0], w.s.Head()...)
	switch kind := t.Format.Kind(); kind {
	case wire.KindStr:
		return w.quoted(t)
	case wire.KindBin:
		return w.hex("h'", "'", lengthSuffix(t))
	case wire.KindArray:
		_ = w.W.WriteByte('[')
		w.open = append(w.open, "]"+lengthSuffix(t))
		return nil
	case wire.KindMap:
		_ = w.W.WriteByte('{')
		w.open = append(w.open, "}"+lengthSuffix(t))
		return nil
	case wire.KindExt:
		if t.Ext == wire.TimestampType && t.Payload <= 12 && lengthSuffix(t) == "" {
			break
		}
		return w.hex(fmt.Sprintf("ext(%d, h'", t.Ext), "')", lengthSuffix(t))
	}
	payload, err := w.s.Payload(12)
	if err != nil {
		return err
	}
	w.value = append(w.value, payload...)
	_, _ = w.W.WriteString(scalar(t.Header, w.value))
	return nil
}

// scalar returns the text of a nil, bool, int or float, and of a timestamp whose
// header is the shortest for its payload.
func scalar(h wire.Header, value []byte) string {
	payload := value[h.Size:]
	switch h.Format {
	case wire.Nil:
		return "nil"
	case wire.False:
		return "false"
	case wire.True:
		return "true"
	case wire.Float32:
		return float32Text(binary.BigEndian.Uint32(payload))
	case wire.Float64:
		return float64Text(binary.BigEndian.Uint64(payload))
	}
	if h.Format.Kind() == wire.KindExt {
		sec, nsec, err := wire.ParseTimestamp(payload)
		if err != nil {
			return fmt.Sprintf("ext(%d, h'%x')", h.Ext, payload)
		}
		text := timeText(sec, nsec)
		if canonical.Excess(h, value) > 0 {
			text += "_" + strconv.Itoa(8*len(payload))
		}
		return text
	}
	u, _, err := wire.ConsumeUint(value)
	text := strconv.FormatUint(u, 10)
	if err != nil {
		i, _, _ := wire.ConsumeInt(value)
		text = strconv.FormatInt(i, 10)
	}
	short, _ := canonical.AppendShortest(nil, h, value)
	if short[0] == value[0] {
		return text
	}
	return text + "_" + intSuffix(h.Format)
}

// intSuffix returns the suffix of an integer format with a payload: u8 to i64.
func intSuffix(f wire.Format) string {
	if f >= wire.Int8 {
		return "i" + strconv.Itoa(8<<(f-wire.Int8))
	}
	return "u" + strconv.Itoa(8<<(f-wire.Uint8))
}

// lengthSuffix returns the suffix of a str, bin, array, map or ext: the number of
// bits of its length, or nothing if the format is the shortest.
func lengthSuffix(t scan.Token) string {
	h := t.Header
	h.Ext = 0 // the payload of a timestamp does not matter
	if canonical.Excess(h, make([]byte, canonical.LongestHead)) == 0 {
		return ""
	}
	bits := 8 * (int(t.Size) - 1)
	if t.Format.Kind() == wire.KindExt {
		bits -= 8 // the type
	}
	return "_" + strconv.Itoa(bits)
}

func float64Text(bits uint64) string {
	f := math.Float64frombits(bits)
	switch {
	case !math.IsNaN(f):
		return floatText(f, 64)
	case bits == nan64:
		return "nan"
	}
	return fmt.Sprintf("nan'%016x'", bits)
}

func float32Text(bits uint32) string {
	f := math.Float32frombits(bits)
	switch {
	case f == f:
		return floatText(float64(f), 32) + "_f32"
	case bits == nan32:
		return "nan_f32"
	}
	return fmt.Sprintf("nan'%08x'_f32", bits)
}

// The bits of the NaNs that are written as nan.
const (
	nan64 = 0x7ff8000000000000
	nan32 = 0x7fc00000
)

func floatText(f float64, bits int) string {
	switch size := math.Abs(f); {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case size >= 1e21 || size < 1e-6 && size > 0:
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// RFC 3339 can represent the years from 0 to 9999. These are their limits in
// seconds since 1970.
const (
	year0     = -62167219200
	year10000 = 253402300800
)

func timeText(sec int64, nsec uint32) string {
	if sec < year0 || sec >= year10000 {
		return fmt.Sprintf("time(%d, %d)", sec, nsec)
	}
	return "time'" + time.Unix(sec, int64(nsec)).UTC().Format(time.RFC3339Nano) + "'"
}

// hex writes the payload in hex, between two texts.
func (w *Writer) hex(before, after, suffix string) error {
	_, _ = w.W.WriteString(before)
	for w.s.Rest() > 0 {
		part, err := w.s.Payload(chunkSize)
		if err != nil {
			return err
		}
		w.value = hex.AppendEncode(w.value[:0], part)
		_, _ = w.W.Write(w.value)
	}
	_, _ = w.W.WriteString(after + suffix)
	return nil
}

// quoted writes the payload as a string.
func (w *Writer) quoted(t scan.Token) error {
	_ = w.W.WriteByte('"')
	for w.s.Rest() > 0 {
		part, err := w.s.Payload(chunkSize)
		if err != nil {
			return err
		}
		w.value = w.text.append(w.value[:0], part)
		_, _ = w.W.Write(w.value)
	}
	w.value = w.text.flush(w.value[:0])
	_, _ = w.W.Write(w.value)
	_, _ = w.W.WriteString("\"" + lengthSuffix(t))
	return nil
}
