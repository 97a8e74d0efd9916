package array

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/errtext"
)

// magic is how a .npy file begins.
const magic = "\x93NUMPY"

const (
	// maxHeader is the limit for the length of a header. Headers of numbers have
	// 128 bytes; only those of structured types are long.
	maxHeader = 64 << 10
	// maxDimensions is the limit of numpy.
	maxDimensions = 64
	// alignment is that of the first element in the file.
	alignment = 64
	// growth is the number of digits for which a new header has room.
	growth = 20
)

// A header is the beginning of a .npy file.
type header struct {
	Info
	bytes  []byte // the header as it is in the file, Info.Offset bytes
	digits [2]int // the position of the growing dimension in bytes
}

// errSignature is the reason if a file is not a .npy file.
var errSignature = fmt.Errorf("%w: no .npy signature", ErrFormat)

// readHeader reads the header of a .npy file from its beginning.
func readHeader(r io.Reader) (h header, err error) {
	b := make([]byte, len(magic)+2, 128)
	if n, err := readFull(r, b); err != nil {
		if !isEnd(err) {
			return h, err
		}
		if strings.HasPrefix(magic, string(b[:min(n, len(magic))])) {
			return h, fault(int64(n), truncatedError{n == 0}, "the .npy header has %s", errtext.Counted(n, "byte"))
		}
		return h, &Error{Err: errSignature}
	}
	if string(b[:len(magic)]) != magic {
		if bytes.HasPrefix(b, []byte("PK\x03\x04")) {
			return h, fault(0, ErrFormat, "this is a zip file; read .npz with archive/zip and ReadNPZ")
		}
		return h, &Error{Err: errSignature}
	}
	h.Version = [2]byte{b[6], b[7]}
	width := 4
	switch {
	case h.Version == [2]byte{1, 0}:
		width = 2
	case h.Version != [2]byte{2, 0} && h.Version != [2]byte{3, 0}:
		return h, fault(6, ErrVersion, ".npy version %d.%d", b[6], b[7])
	}
	if b, err = extend(b, r, width); err != nil {
		return h, err
	}
	size := uint32(binary.LittleEndian.Uint16(b[8:]))
	if width == 4 {
		size = binary.LittleEndian.Uint32(b[8:])
	}
	if size > maxHeader {
		return h, fault(8, ErrLimit, "a header of %d bytes, more than %d", size, maxHeader)
	}
	start := len(b)
	if b, err = extend(b, r, int(size)); err != nil {
		return h, err
	}
	h.bytes, h.Offset, h.Format = b, int64(len(b)), Format{layout: npyLayout}
	if h.Version[0] == 3 && !utf8.Valid(b[start:]) {
		return h, fault(int64(start), ErrCorrupt, "the header is not UTF-8")
	}
	return h, h.parse(start)
}

func isEnd(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// extend appends n bytes from r to b. It allocates as the bytes arrive.
func extend(b []byte, r io.Reader, n int) ([]byte, error) {
	end := len(b) + n
	for len(b) < end {
		b = slices.Grow(b, min(end-len(b), 4<<10))
		piece := b[len(b):min(end, cap(b))]
		got, err := readFull(r, piece)
		b = b[:len(b)+got]
		if err != nil {
			if isEnd(err) {
				err = fault(int64(len(b)), ErrTruncated, "the .npy header needs %d bytes", end)
			}
			return b, err
		}
	}
	return b, nil
}

// parse reads the dictionary that begins at start.
func (h *header) parse(start int) error {
	p := parser{text: h.bytes, at: start}
	if err := p.dictionary(); err != nil {
		return err
	}
	if p.descr == "" || p.shape == nil || p.fortran == 0 {
		return fault(int64(start), ErrCorrupt, "the header needs descr, fortran_order and shape")
	}
	h.Shape, h.Fortran = p.shape, p.fortran == 'T'
	if len(h.Shape) > 0 {
		h.digits = p.digits[h.grows()]
	}
	e, big, err := parseDescr(p.descr)
	if err != nil {
		err.(*Error).Offset = p.descrAt
		return err
	}
	h.Kind, h.Order = e.kind, orderOf(big)
	n, ok := productOf(h.Shape)
	if !ok {
		return fault(p.shapeAt, ErrLimit, "shape %s is too large", shapeText(h.Shape))
	}
	if _, ok := bytesOf(n, e.size); !ok {
		return fault(p.shapeAt, ErrLimit, "shape %s is too large", shapeText(h.Shape))
	}
	h.Len = n
	return nil
}

// checkSize returns an error if a file of the given size cannot contain the
// elements.
func (h header) checkSize(size int64) error {
	need, _ := bytesOf(h.Len, h.ElementSize())
	if size-h.Offset < need {
		return fault(size, ErrTruncated, "shape %s of %s needs %s after the header, the file has %d",
			shapeText(h.Shape), h.Kind, errtext.Counted(need, "byte"), max(0, size-h.Offset))
	}
	return nil
}

// parseDescr returns the element type that a type string such as <u8 names.
func parseDescr(descr string) (e element, big bool, err error) {
	fail := func(what string) (element, bool, error) {
		return e, false, fault(-1, ErrUnsupported, "%s %s", what, shorten(descr))
	}
	if descr[0] == '[' || descr[0] == '(' {
		return fail("structured type")
	}
	rest, order := descr, byte('=')
	if strings.IndexByte("<>=|", descr[0]) >= 0 {
		order, rest = descr[0], descr[1:]
	}
	if rest == "" {
		return fail("type")
	}
	for _, kind := range letters[rest[0]] {
		if e = elementOfKind(kind); e.numpy() != rest {
			continue
		}
		if e.unit > 1 && order == '|' {
			return fail("type without a byte order")
		}
		return e, order == '>' || order != '<' && nativeBig, nil
	}
	return fail("type")
}

func shorten(s string) string {
	if len(s) > 60 {
		return strconv.Quote(s[:57]) + "..."
	}
	return strconv.Quote(s)
}

// shapeText returns the shape as Python writes a tuple.
func shapeText(shape []int) string {
	if len(shape) == 1 {
		return "(" + strconv.Itoa(shape[0]) + ",)"
	}
	list := make([]string, len(shape))
	for i, d := range shape {
		list[i] = strconv.Itoa(d)
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// newHeader returns the header for a new file. It has room for the longest
// length, and the elements after it are aligned.
func newHeader(info Info) header {
	h := header{Info: info}
	h.Version = [2]byte{1, 0}
	text := h.text()
	room := 0
	if axis := info.grows(); axis >= 0 {
		room = growth - len(strconv.Itoa(info.Shape[axis]))
	}
	const begin = len(magic) + 2 + 2
	size := (begin + len(text) + room + 1 + alignment - 1) &^ (alignment - 1)
	h.bytes = make([]byte, size)
	copy(h.bytes, magic)
	h.bytes[6] = 1
	binary.LittleEndian.PutUint16(h.bytes[8:], uint16(size-begin))
	h.Offset = int64(size)
	if !h.fill(begin, text) {
		panic("array: a new header does not fit itself")
	}
	return h
}

// text returns the dictionary in the form that numpy writes.
func (h *header) text() string {
	e := elementOfKind(h.Kind)
	order := "<"
	switch {
	case e.unit == 1:
		order = "|"
	case h.big():
		order = ">"
	}
	fortran := "False"
	if h.Fortran {
		fortran = "True"
	}
	return "{'descr': '" + order + e.numpy() + "', 'fortran_order': " + fortran + ", 'shape': " + shapeText(h.Shape) + ", }"
}

// fill stores the dictionary at begin and fills the header with spaces. It
// reports false if the text is too long.
func (h *header) fill(begin int, text string) bool {
	if begin+len(text)+1 > len(h.bytes) {
		return false
	}
	n := copy(h.bytes[begin:], text)
	for i := begin + n; i < len(h.bytes)-1; i++ {
		h.bytes[i] = ' '
	}
	h.bytes[len(h.bytes)-1] = '\n'
	if axis := h.grows(); axis >= 0 {
		at := begin + strings.LastIndexByte(text, '(') + 1
		for _, d := range h.Shape[:axis] {
			at += len(strconv.Itoa(d)) + len(", ")
		}
		h.digits = [2]int{at, at + len(strconv.Itoa(h.Shape[axis]))}
	}
	return true
}

// resize returns the header for another length of the growing dimension. The
// bytes before from and after to are the same in both.
func (h *header) resize(length int) (next header, from, to int, ok bool) {
	next = *h
	next.Shape = slices.Clone(h.Shape)
	next.Shape[h.grows()] = length
	next.Len, ok = productOf(next.Shape)
	if !ok {
		return next, 0, 0, false
	}
	next.bytes = slices.Clone(h.bytes)
	digits := strconv.Itoa(length)
	if len(digits) == h.digits[1]-h.digits[0] {
		copy(next.bytes[h.digits[0]:], digits)
	} else if !next.fill(dictionaryStart(h.Version), next.text()) {
		return next, 0, 0, false
	}
	from, to = difference(h.bytes, next.bytes)
	return next, from, to, true
}

func dictionaryStart(version [2]byte) int {
	if version[0] == 1 {
		return len(magic) + 2 + 2
	}
	return len(magic) + 2 + 4
}

// difference returns the shortest range outside of which a and b are equal.
func difference(a, b []byte) (from, to int) {
	for from < len(a) && a[from] == b[from] {
		from++
	}
	for to = len(a); to > from && a[to-1] == b[to-1]; to-- {
	}
	return from, to
}
