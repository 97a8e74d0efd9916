package lint

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/msgpack/wire"
)

// chunkSize is the number of payload bytes that are read at a time.
const chunkSize = 16 << 10

// Run checks all values of s and calls report for each finding. If the input is
// malformed, it reports that as a finding and returns the [*scan.Fault]. Other
// errors come from the scanner and from report.
func Run(s *scan.Scanner, o Options, report func(Finding) error) (Summary, error) {
	l := &linter{s: s, o: o, report: report, key: -1}
	l.locate = func(int64) string { return s.Path() }
	err := l.run()
	var fault *scan.Fault
	if errors.As(err, &fault) {
		if failed := l.malformed(fault); failed != nil {
			return l.Summary, failed
		}
	}
	return l.Summary, err
}

// malformed reports a fault.
func (l *linter) malformed(f *scan.Fault) error {
	return l.report(Finding{f.Offset, 0, 0, f.Value, f.Path, Malformed, f.Reason() + ": expected " + f.Expected + ", found " + f.Found})
}

type linter struct {
	Summary
	s      *scan.Scanner
	o      Options
	report func(Finding) error
	locate func(offset int64) string // returns the path of the value that begins there, or of the token
	t      scan.Token
	head   []byte // the token: its header and the beginning of its payload
	text   scan.Text

	maps   maps
	key    int // depth of the key that is being read, or -1
	at     int64
	path   string
	hash   keyHash
	hashed bool   // the header that was added to hash included the payload
	keyRaw []byte // the beginning of the key
	depths []int  // of the open maps
	err    error
}

func (l *linter) run() error {
	for {
		var err error
		if l.t, err = l.s.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if l.o.Single && l.Values == 1 && !l.o.Ignore[Trailing] {
			return l.trailing()
		}
		if l.t.Role == scan.Key && l.key < 0 {
			l.beginKey()
		}
		if err := l.token(); err != nil {
			return err
		}
		if l.t.Format.Kind() == wire.KindMap && l.t.Count > 0 {
			l.maps.push()
			l.depths = append(l.depths, l.t.Depth)
		}
		l.close()
		if l.err != nil {
			return l.err
		}
		if l.s.Open() == 0 {
			l.Values++
		}
	}
}

// close ends the key and the maps that the token completes.
func (l *linter) close() {
	open := l.s.Open()
	for n := len(l.depths); n > 0 && l.depths[n-1] >= open; n-- {
		l.depths = l.depths[:n-1]
		l.maps.pop()
	}
	if l.key >= 0 && open <= l.key {
		l.endKey()
	}
}

// find reports a finding about the token.
func (l *linter) find(rule Rule, format string, args ...any) {
	l.findAt(l.t.Offset, "", rule, format, args...)
}

// findAt reports a finding. An empty path means that of the token.
func (l *linter) findAt(offset int64, path string, rule Rule, format string, args ...any) {
	if l.err != nil || l.o.Ignore[rule] {
		return
	}
	if path == "" {
		path = l.locate(offset)
	}
	l.err = l.report(Finding{offset, 0, 0, l.Values, path, rule, fmt.Sprintf(format, args...)})
}

// token checks one value that is not a container, or the header of a container.
func (l *linter) token() error {
	l.head = append(l.head[:0], l.s.Head()...)
	part, err := l.s.Payload(longestOrdered)
	l.head = append(l.head, part...)
	if err != nil {
		return err
	}
	if l.key >= 0 {
		l.hashed = l.hash.header(l.t, l.head)
		if room := longestOrdered - len(l.keyRaw); room > 0 {
			l.keyRaw = append(l.keyRaw, l.head[:min(room, len(l.head))]...)
		}
	}
	l.format()
	return l.payload(l.head[l.t.Size:])
}

// payload checks the payload, which begins with first.
func (l *linter) payload(first []byte) error {
	kind := l.t.Format.Kind()
	sized := kind == wire.KindStr || kind == wire.KindBin || kind == wire.KindExt
	if kind == wire.KindStr {
		l.text.Reset()
	}
	for part := first; ; {
		if kind == wire.KindStr {
			l.text.Write(part)
		}
		if l.key >= 0 && sized && !l.hashed {
			l.hash.write(part)
		}
		if l.s.Rest() == 0 {
			break
		}
		var err error
		if part, err = l.s.Payload(chunkSize); err != nil {
			return err
		}
	}
	if kind == wire.KindStr {
		l.invalid()
	}
	return nil
}

// invalid reports text that is not UTF-8.
func (l *linter) invalid() {
	if at := l.text.Invalid(); at >= 0 {
		l.find(UTF8, "invalid UTF-8 at byte %d of the str", at)
	}
}

// format checks the format of the token.
func (l *linter) format() {
	t := l.t
	if t.Format.Kind() == wire.KindExt && t.Ext == wire.TimestampType {
		if t.Payload > 12 {
			l.find(Timestamp, "malformed timestamp: length is not 4, 8 or 12 bytes")
		} else if _, _, err := wire.ParseTimestamp(l.head[t.Size:]); err != nil && t.Payload != 8 && t.Payload != 12 {
			l.find(Timestamp, "malformed timestamp: length is not 4, 8 or 12 bytes")
		} else if err != nil {
			l.find(Timestamp, "malformed timestamp: nanoseconds exceed 999999999")
		}
	}
	var buf [canonical.LongestHead]byte
	short, _ := canonical.AppendShortest(buf[:0], t.Header, l.head)
	switch excess := canonical.Excess(t.Header, l.head); {
	case excess > 0:
		l.find(Shortest, "%s, but %s is enough and %s shorter", t.Format, wire.FormatOf(short[0]), errtext.Counted(excess, "byte"))
	case l.o.Canonical && t.Format.Kind() == wire.KindFloat:
		l.float()
	case l.o.Canonical && wire.FormatOf(short[0]) != t.Format:
		l.find(Canonical, "%s; the canonical format is %s", t.Format, wire.FormatOf(short[0]))
	}
}

// float checks that a float has the canonical format.
func (l *linter) float() {
	f, _, _ := wire.ConsumeFloat64(l.head)
	switch {
	case math.IsNaN(f):
		if !bytes.Equal(l.head, []byte{byte(wire.Float32), 0x7f, 0xc0, 0, 0}) {
			l.find(Canonical, "%s NaN; the canonical NaN is the float 32 with the bits 7fc00000", l.t.Format)
		}
	case l.t.Format == wire.Float64 && float64(float32(f)) == f:
		l.find(Canonical, "float 64, but float 32 holds the value exactly")
	}
}

func (l *linter) beginKey() {
	l.key, l.at, l.path = l.t.Depth, l.t.Offset, ""
	if kind := l.t.Format.Kind(); kind == wire.KindArray || kind == wire.KindMap {
		l.path = l.s.Path() // at its end, the token is inside it
	}
	l.hash.reset()
	l.keyRaw = l.keyRaw[:0]
}

// endKey records the complete key.
func (l *linter) endKey() {
	l.key = -1
	l.compare(l.maps.add(l.hash.sum(), l.at))
}

// compare compares a key with the others of its map. For first and checked, see [maps.add].
func (l *linter) compare(first int64, checked bool) {
	switch {
	case !checked:
		l.Unchecked++
	case first >= 0:
		l.findAt(l.at, l.path, Duplicate, "duplicate key %s, first at offset %d", describe(l.keyRaw), first)
	}
	f := &l.maps.frames[len(l.maps.frames)-1]
	if l.o.Canonical && !f.unsorted && len(f.last) > 0 && canonical.Compare(f.last, l.keyRaw) > 0 {
		f.unsorted = true
		l.findAt(l.at, l.path, Order, "keys are not in canonical order: %s comes after %s", describe(l.keyRaw), describe(f.last))
	}
	if l.o.Canonical {
		f.last = append(f.last[:0], l.keyRaw...)
	}
}

// trailing reports the second value.
func (l *linter) trailing() error {
	return l.report(Finding{l.t.Offset, 0, 0, 1, "", Trailing, "more data follows the first value"})
}
