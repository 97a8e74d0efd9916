package diag

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

// named reads a value that begins with a word.
func (r *Reader) named() error {
	word := r.l.word()
	switch word {
	case "nil", "null":
		r.body = wire.AppendNil(r.body)
		return nil
	case "false", "true":
		r.body = wire.AppendBool(r.body, word == "true")
		return nil
	case "h", "b64":
		payload, err := r.bytes(word)
		if err != nil {
			return err
		}
		suffix, err := r.suffix("16", "32")
		if err != nil {
			return err
		}
		return r.sized(wire.AppendBinHeader, wire.Bin8, suffix, payload)
	case "nan":
		return r.nan()
	case "inf", "-inf":
		sign := 1
		if word[0] == '-' {
			sign = -1
		}
		return r.float(math.Inf(sign), word)
	case "ext":
		return r.ext()
	case "time":
		return r.time()
	}
	switch {
	case len(word) > longestWord:
		return r.l.fail("a number or name is longer than %d bytes", longestWord)
	case isInteger(word) && word != "-0": // an integer has no negative zero, but a float has
		return r.integer(word)
	case isDecimal(word):
		return r.float(0, word)
	}
	if first := word[0]; first == '_' || first|0x20 >= 'a' && first|0x20 <= 'z' {
		return r.l.fail("unknown word %q; strings are in double quotes", clip(word))
	}
	return r.l.fail("unknown word %q", clip(word))
}

var intFormats = []string{"u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "f32", "f64"}

func (r *Reader) integer(word string) error {
	suffix, err := r.suffix(intFormats...)
	if err != nil {
		return err
	}
	if suffix == "f32" || suffix == "f64" {
		return r.floatAs(0, word, suffix)
	}
	digits, negative := strings.CutPrefix(word, "-")
	u, err := strconv.ParseUint(digits, 0, 64)
	if err != nil || negative && u > 1<<63 {
		return r.l.fail("the integer %s does not fit 64 bits; write a float as %s.0", clip(word), clip(word))
	}
	i := int64(u)
	if negative {
		i = -i
	}
	switch {
	case suffix == "" && negative:
		r.body = wire.AppendInt(r.body, i)
		return nil
	case suffix == "":
		r.body = wire.AppendUint(r.body, u)
		return nil
	}
	bits, _ := strconv.Atoi(suffix[1:])
	format, fits := wire.Uint8, !negative || u == 0
	if suffix[0] == 'i' {
		format, fits = wire.Int8, negative || u <= math.MaxInt64
		fits = fits && i>>(bits-1) == i>>63 // the bits that are cut off are all like the sign
	} else {
		fits = fits && (bits == 64 || u>>bits == 0)
	}
	if !fits {
		return r.l.fail("%s does not fit the format %s", clip(word), suffix)
	}
	var payload [8]byte
	binary.BigEndian.PutUint64(payload[:], uint64(i))
	width := bits / 8
	for w := width; w > 1; w /= 2 { // the formats with 16, 32 and 64 bits follow
		format++
	}
	r.body = append(append(r.body, byte(format)), payload[8-width:]...)
	return nil
}

// float reads the suffix of a float.
func (r *Reader) float(f float64, word string) error {
	suffix, err := r.suffix("f32", "f64")
	if err != nil {
		return err
	}
	return r.floatAs(f, word, suffix)
}

// floatAs appends a float. An infinity is in f, another float in word.
func (r *Reader) floatAs(f float64, word, suffix string) error {
	bits := 64
	if suffix == "f32" {
		bits = 32
	}
	if f == 0 {
		var err error
		if f, err = strconv.ParseFloat(word, bits); errors.Is(err, strconv.ErrRange) {
			return r.l.fail("the number %s does not fit a float %d", clip(word), bits)
		} else if err != nil {
			return r.l.fail("%s is not a decimal number", clip(word))
		}
		if digits, _, _ := strings.Cut(strings.ToLower(word), "e"); f == 0 && strings.ContainsAny(digits, "123456789") {
			return r.l.fail("the number %s is too small for a float %d, which would be 0", clip(word), bits)
		}
	}
	if bits == 32 {
		r.body = wire.AppendFloat32(r.body, float32(f))
	} else {
		r.body = wire.AppendFloat64(r.body, f)
	}
	return nil
}

// nan reads what follows the word nan: the bits, unless they are the usual ones.
func (r *Reader) nan() error {
	var bits []byte
	if r.l.peek() == '\'' {
		var err error
		if bits, err = r.bytes("h"); err != nil {
			return err
		}
	}
	suffix, err := r.suffix("f32", "f64")
	if err != nil {
		return err
	}
	format, width, usual := wire.Float64, 8, uint64(nan64)
	if suffix == "f32" {
		format, width, usual = wire.Float32, 4, nan32<<32
	}
	if bits == nil {
		bits = binary.BigEndian.AppendUint64(nil, usual)[:width]
	}
	isNaN := len(bits) == width
	switch {
	case isNaN && width == 8:
		isNaN = math.IsNaN(math.Float64frombits(binary.BigEndian.Uint64(bits)))
	case isNaN:
		f := math.Float32frombits(binary.BigEndian.Uint32(bits))
		isNaN = f != f
	}
	if !isNaN {
		return r.l.fail("nan'…' needs the %d hexadecimal digits of a NaN", 2*width)
	}
	r.body = append(append(r.body, byte(format)), bits...)
	return nil
}

// bytes reads the quoted bytes after the word h or b64.
func (r *Reader) bytes(encoding string) ([]byte, error) {
	text, err := r.single("after " + encoding)
	if err != nil {
		return nil, err
	}
	text = strings.Map(func(c rune) rune {
		if strings.ContainsRune(" \t\r\n", c) {
			return -1
		}
		return c
	}, text)
	if encoding == "b64" {
		payload, err := base64.RawStdEncoding.Strict().DecodeString(strings.TrimRight(text, "="))
		if err != nil {
			return nil, r.l.fail("the text in b64'…' is not base64")
		}
		return payload, nil
	}
	payload, err := hex.DecodeString(text)
	if err != nil {
		return nil, r.l.fail("the text in h'…' is not an even number of hexadecimal digits")
	}
	return payload, nil
}

// single reads a text in single quotes.
func (r *Reader) single(where string) (string, error) {
	if err := r.l.expect('\'', where); err != nil {
		return "", err
	}
	var text []byte
	for {
		switch c := r.l.next(); c {
		case '\'':
			return string(text), nil
		case eof:
			return "", r.l.fail("the quote is not closed")
		default:
			text = append(text, byte(c))
		}
	}
}

// sized appends a str, bin or ext without type. bits8 is the format with a length
// of 8 bits; the formats with 16 and 32 bits follow it.
func (r *Reader) sized(short func([]byte, uint32) []byte, bits8 wire.Format, suffix string, payload []byte) error {
	n := len(payload)
	if uint64(n) > math.MaxUint32 || suffix == "8" && n > math.MaxUint8 || suffix == "16" && n > math.MaxUint16 {
		return r.l.fail("%d bytes are too many for the format", n)
	}
	switch suffix {
	case "8":
		r.body = append(r.body, byte(bits8), byte(n))
	case "16":
		r.body = append(r.body, byte(bits8+1), byte(n>>8), byte(n))
	case "32":
		r.body = append(r.body, byte(bits8+2), byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	default:
		r.body = short(r.body, uint32(n))
	}
	r.body = append(r.body, payload...)
	return nil
}

// ext reads what follows the word ext.
func (r *Reader) ext() error {
	if err := r.l.expect('(', "after ext"); err != nil {
		return err
	}
	r.l.space()
	word := r.l.word()
	typ, err := strconv.ParseInt(word, 10, 8)
	if err != nil {
		return r.l.fail("the type of an ext must be an integer from -128 to 127, found %q", clip(word))
	}
	r.l.space()
	if err := r.l.expect(',', "after the type of an ext"); err != nil {
		return err
	}
	r.l.space()
	encoding := r.l.word()
	if encoding != "h" && encoding != "b64" {
		return r.l.fail("expected h'…' or b64'…' after the type of an ext")
	}
	payload, err := r.bytes(encoding)
	if err != nil {
		return err
	}
	r.l.space()
	if err := r.l.expect(')', "after the payload of an ext"); err != nil {
		return err
	}
	suffix, err := r.suffix("8", "16", "32")
	if err != nil {
		return err
	}
	if suffix == "" {
		header := func(dst []byte, n uint32) []byte { return wire.AppendExtHeader(dst, int8(typ), n) }
		return r.sized(header, wire.Ext8, "", payload)
	}
	// sized appends the length and the payload. The type of an ext is between them.
	at := len(r.body)
	if err := r.sized(nil, wire.Ext8, suffix, payload); err != nil {
		return err
	}
	size := map[string]int{"8": 2, "16": 3, "32": 5}[suffix]
	r.body = append(r.body, 0)
	copy(r.body[at+size+1:], r.body[at+size:])
	r.body[at+size] = byte(typ)
	return nil
}

// time reads what follows the word time: RFC 3339 in quotes, or seconds and
// nanoseconds in brackets.
func (r *Reader) time() error {
	sec, nsec := int64(0), uint32(0)
	var err error
	if r.l.peek() == '(' {
		sec, nsec, err = r.seconds()
	} else {
		sec, nsec, err = r.date()
	}
	if err != nil {
		return err
	}
	suffix, err := r.suffix("32", "64", "96")
	if err != nil {
		return err
	}
	var payload []byte
	switch suffix {
	case "":
		r.body = wire.AppendTimestamp(r.body, sec, nsec)
		return nil
	case "32":
		payload = binary.BigEndian.AppendUint32(nil, uint32(sec))
	case "64":
		payload = binary.BigEndian.AppendUint64(nil, uint64(nsec)<<34|uint64(sec))
	case "96":
		payload = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, nsec), uint64(sec))
	}
	// The shorter timestamps have fewer bits for the seconds, and some no nanoseconds.
	if s, n, err := wire.ParseTimestamp(payload); err != nil || s != sec || n != nsec {
		return r.l.fail("the time does not fit a timestamp %s", suffix)
	}
	r.body = wire.AppendExt(r.body, wire.TimestampType, payload)
	return nil
}

func (r *Reader) seconds() (sec int64, nsec uint32, err error) {
	r.l.next()
	r.l.space()
	first := r.l.word()
	r.l.space()
	if err := r.l.expect(',', "after the seconds of a time"); err != nil {
		return 0, 0, err
	}
	r.l.space()
	second := r.l.word()
	r.l.space()
	if err := r.l.expect(')', "after the nanoseconds of a time"); err != nil {
		return 0, 0, err
	}
	sec, err = strconv.ParseInt(first, 10, 64)
	n, wrong := strconv.ParseUint(second, 10, 32)
	if err != nil || wrong != nil || n > 999999999 {
		return 0, 0, r.l.fail("a time needs seconds since 1970 and 0 to 999999999 nanoseconds, found %q and %q", clip(first), clip(second))
	}
	return sec, uint32(n), nil
}

func (r *Reader) date() (sec int64, nsec uint32, err error) {
	text, err := r.single("or '(' after time")
	if err != nil {
		return 0, 0, err
	}
	t, err := time.Parse(time.RFC3339Nano, strings.ToUpper(text))
	if err != nil || !isDate(text) {
		return 0, 0, r.l.fail("%q is not a time as in 2026-11-21T08:00:00Z", clip(text))
	}
	return t.Unix(), uint32(t.Nanosecond()), nil
}
