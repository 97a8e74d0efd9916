package diag

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"strconv"
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
	value []byte   // the value that is being written, if it is short
	text  []byte   // of the value that is being written

	escaper escaper
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
	dst, err := w.begin(w.separate(w.text[:0], t), t)
	if err != nil {
		_, _ = w.W.Write(dst)
		return err
	}
	for open := w.s.Open(); len(w.open) > open; {
		last := len(w.open) - 1
		end := w.open[last]
		w.open = w.open[:last]
		if t.Depth != last { // t is not the empty container itself
			dst = w.line(dst, last)
		}
		dst = append(dst, end...)
	}
	w.text = dst
	_, err = w.W.Write(dst) // the first error of all writes
	return err
}

// separate appends the punctuation between t and the value before it.
func (w *Writer) separate(dst []byte, t scan.Token) []byte {
	switch {
	case t.Role == scan.Top:
		return dst
	case t.Role == scan.Value:
		return append(dst, ": "...)
	case t.Index > 0:
		dst = append(dst, ',')
		if w.Indent == "" {
			dst = append(dst, ' ')
		}
	}
	return w.line(dst, t.Depth)
}

// line begins a new line if the output is indented.
func (w *Writer) line(dst []byte, depth int) []byte {
	if w.Indent != "" {
		dst = append(dst, '\n')
		for range depth {
			dst = append(dst, w.Indent...)
		}
	}
	return dst
}

// begin appends the value of t, or the bracket that opens it. Of a long payload it writes
// all but the last part.
func (w *Writer) begin(dst []byte, t scan.Token) ([]byte, error) {
	switch kind := t.Format.Kind(); kind {
	case wire.KindStr:
		dst, err := w.payload(append(dst, '"'), w.escaper.append)
		if err != nil {
			return dst, err
		}
		return append(append(w.escaper.flush(dst), '"'), lengthSuffix(t)...), nil
	case wire.KindBin:
		return w.hex(append(dst, "h'"...), "'", t)
	case wire.KindArray:
		w.open = append(w.open, "]"+lengthSuffix(t))
		return append(dst, '['), nil
	case wire.KindMap:
		w.open = append(w.open, "}"+lengthSuffix(t))
		return append(dst, '{'), nil
	case wire.KindExt:
		if t.Ext == wire.TimestampType && t.Payload <= 12 && lengthSuffix(t) == "" {
			break
		}
		dst = append(strconv.AppendInt(append(dst, "ext("...), int64(t.Ext), 10), ", h'"...)
		return w.hex(dst, "')", t)
	}
	w.value = append(w.value[:0], w.s.Head()...)
	payload, err := w.s.Payload(12)
	if err != nil {
		return dst, err
	}
	w.value = append(w.value, payload...)
	return appendScalar(dst, t.Header, w.value), nil
}

// hex appends the payload of t in hex, and what follows it.
func (w *Writer) hex(dst []byte, after string, t scan.Token) ([]byte, error) {
	dst, err := w.payload(dst, hex.AppendEncode)
	if err != nil {
		return dst, err
	}
	return append(append(dst, after...), lengthSuffix(t)...), nil
}

// payload calls add, which appends a part of the payload, for all parts. It writes all but
// the last part.
func (w *Writer) payload(dst []byte, add func(dst, part []byte) []byte) ([]byte, error) {
	for w.s.Rest() > 0 {
		if len(dst) > chunkSize {
			_, _ = w.W.Write(dst)
			dst = dst[:0]
		}
		part, err := w.s.Payload(chunkSize)
		if err != nil {
			return dst, err
		}
		dst = add(dst, part)
	}
	return dst, nil
}

// appendScalar appends the text of a nil, bool, int or float, and of a timestamp whose
// header is the shortest for its payload.
func appendScalar(dst []byte, h wire.Header, value []byte) []byte {
	payload := value[h.Size:]
	switch h.Format {
	case wire.Nil:
		return append(dst, "nil"...)
	case wire.False:
		return append(dst, "false"...)
	case wire.True:
		return append(dst, "true"...)
	case wire.Float32:
		return appendFloat32(dst, binary.BigEndian.Uint32(payload))
	case wire.Float64:
		return appendFloat64(dst, binary.BigEndian.Uint64(payload))
	}
	if h.Format.Kind() == wire.KindExt {
		sec, nsec, err := wire.ParseTimestamp(payload)
		if err != nil {
			return fmt.Appendf(dst, "ext(%d, h'%x')", h.Ext, payload)
		}
		dst = append(dst, timeText(sec, nsec)...)
		if canonical.Excess(h, value) > 0 {
			dst = strconv.AppendInt(append(dst, '_'), int64(8*len(payload)), 10)
		}
		return dst
	}
	u, _, err := wire.ConsumeUint(value)
	if err != nil {
		i, _, _ := wire.ConsumeInt(value)
		dst = strconv.AppendInt(dst, i, 10)
	} else {
		dst = strconv.AppendUint(dst, u, 10)
	}
	var buf [canonical.LongestHead]byte
	if short, _ := canonical.AppendShortest(buf[:0], h, value); short[0] != value[0] {
		dst = append(append(dst, '_'), intSuffix(h.Format)...)
	}
	return dst
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
	if h.Size == 1 {
		return "" // the length is in the first byte
	}
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

func appendFloat64(dst []byte, bits uint64) []byte {
	f := math.Float64frombits(bits)
	switch {
	case !math.IsNaN(f):
		return appendFloat(dst, f, 64)
	case bits == nan64:
		return append(dst, "nan"...)
	}
	return fmt.Appendf(dst, "nan'%016x'", bits)
}

func appendFloat32(dst []byte, bits uint32) []byte {
	f := math.Float32frombits(bits)
	switch {
	case f == f:
		return append(appendFloat(dst, float64(f), 32), "_f32"...)
	case bits == nan32:
		return append(dst, "nan_f32"...)
	}
	return fmt.Appendf(dst, "nan'%08x'_f32", bits)
}

// The bits of the NaNs that are written as nan.
const (
	nan64 = 0x7ff8000000000000
	nan32 = 0x7fc00000
)

func appendFloat(dst []byte, f float64, bits int) []byte {
	switch size := math.Abs(f); {
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case size >= 1e21 || size < 1e-6 && size > 0:
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
	at := len(dst)
	dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
	if bytes.IndexByte(dst[at:], '.') < 0 {
		dst = append(dst, ".0"...)
	}
	return dst
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
