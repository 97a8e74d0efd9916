package layout

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
)

// A tag is the parsed tag of a field. What may stand together is checked where
// the field is compiled, because it depends on its type.
type tag struct {
	text string // as written, for errors
	skip bool   // "-"

	order   order
	orderOf string // name of the field that chooses the order

	form   form // of the number, if stated
	width  int  // bytes on the wire, for fixed forms and digits
	signed bool

	bits     int
	fill     fill
	closeRun bool // "end"

	prefix, count  string // a width
	fixed          int    // -1: none
	fillByte       int    // -1: none
	cstring, utf16 bool
	until          int // a byte; -1: none
	toZero, toEnd  bool
	links          []linkTag
	conditions     []conditionTag
	union          string // name of the field with the tag
	constants      []constant
	magic          []byte
	space, align   int // -1 and 0: none
	sum            sumTag
	limit          uint64 // the largest uint64: none
	limited        bool
	raw            span
	element        bool // made by the compiler, see tag.ofElement
}

// A span names the first and the last field of a range.
type span struct{ from, to string }

// text returns the range as it stands in a tag.
func (s span) text() string {
	if s.from == s.to {
		return s.from
	}
	return s.from + ".." + s.to
}

// A linkTag is an option of a number that measures a range of fields: their bytes are
// the number times factor plus plus, or the number of elements of its only field is.
type linkTag struct {
	span
	factor, plus int64
	elements     bool // a count, not a length
	text         string
}

// A conditionTag is an option if=. Several on one field must all hold.
type conditionTag struct {
	more  bool
	field string
	op    byte // 0, '&', '=' or '!'
	value uint64
}

// A constant is the value of a number. Negative values are in two's complement.
type constant struct {
	value    uint64
	negative bool
	order    order
}

// A sumTag is a checksum and the range that it covers, which may include the checksum.
type sumTag struct {
	span
	name  string
	named bool // by sum=, not a predefined one
}

// An order is the byte order of a number. Fields with noOrder have that of what is around
// them, at the outside that of Options.
type order uint8

const (
	noOrder order = iota
	big
	little
)

// A fill says from which end fields fill a run of bits: byOrder is msb in big-endian
// order and lsb in little-endian order.
type fill uint8

const (
	byOrder fill = iota
	msb
	lsb
)

// widths are the widths of prefixes and counts.
var widths = map[string]int{"u8": 1, "u16": 2, "u24": 3, "u32": 4, "u48": 6, "u64": 8, "varint": 0}

// isNone reports whether the tag says nothing, apart from the byte order.
func (g *tag) isNone() bool {
	return strings.Trim(strings.NewReplacer("be", "", "le", "", "order="+g.orderOf, "").Replace(g.text), ",") == ""
}

// parseTag parses the tag of a field. The error text does not name the field.
func parseTag(text string, t reflect.Type) (g tag, err error) {
	g = plainTag
	g.text = text
	if text == "" || text == "-" {
		g.skip = text == "-"
		return g, nil
	}
	seen := map[string]bool{}
	for option := range strings.SplitSeq(text, ",") {
		name, value, valued := strings.Cut(option, "=")
		if seen[name] && name != "const" && name != "len" && name != "count" && name != "if" {
			return g, fmt.Errorf("option %s is given twice", name)
		}
		seen[name] = true
		if valued {
			err = g.parseValue(name, value, t)
		} else {
			err = g.parseWord(name)
		}
		if err != nil {
			return g, err
		}
	}
	return g, nil
}

// parseWord parses an option without a value. Options that would contradict each other
// wherever they stand are refused here, others when the kind of the field is known.
func (g *tag) parseWord(word string) error {
	switch word {
	case "":
		return fmt.Errorf("empty option in the tag %q", g.text)
	case "-":
		return fmt.Errorf("option - allows no other options")
	case "be", "le":
		if g.order != noOrder {
			return fmt.Errorf("both be and le")
		}
		g.order = orderNamed(word)
	case "msb", "lsb":
		if g.fill != byOrder {
			return fmt.Errorf("both msb and lsb")
		}
		g.fill = msb
		if word == "lsb" {
			g.fill = lsb
		}
	case "end":
		g.closeRun = true
	case "cstring":
		g.cstring = true
	case "utf16":
		g.utf16 = true
	default:
		f, width := formOf(word)
		switch {
		case f == noForm:
			return unknownOption(word)
		case g.form != noForm:
			return fmt.Errorf("option %s conflicts with another form of the number", word)
		}
		g.form, g.width = f, width
		g.signed = word[0] == 'i' || f == zigzagForm || f == slebForm
	}
	return nil
}

// formOf returns the form of a number that an option without a value names, and its
// width in bytes if it is fixed. For other options it returns noForm.
func formOf(word string) (f form, width int) {
	switch word {
	case "varint":
		return varintForm, 0
	case "zigzag":
		return zigzagForm, 0
	case "sleb128":
		return slebForm, 0
	case "f32":
		return floatForm, 4
	case "f64":
		return floatForm, 8
	}
	if word == "" || word[0] != 'u' && word[0] != 'i' {
		return noForm, 0
	}
	bits, err := strconv.ParseUint(word[1:], 10, 8)
	if err != nil || bits%8 != 0 || bits < 8 || bits > 64 {
		return noForm, 0
	}
	return integerForm, int(bits / 8)
}

// parseValue parses an option with a value.
func (g *tag) parseValue(name, value string, t reflect.Type) (err error) {
	switch name {
	case "order":
		g.orderOf, err = fieldName(value)
	case "oct", "dec":
		if g.form != 0 {
			return fmt.Errorf("option %s conflicts with another form of the number", name)
		}
		g.form = octalForm
		if name == "dec" {
			g.form = decimalForm
		}
		g.width, err = numeral(value, 2, 64)
	case "bits":
		g.bits, err = numeral(value, 1, 64)
	case "prefix":
		g.prefix, err = widthName(name, value)
	case "fixed":
		g.fixed, err = numeral(value, 0, 1<<30)
	case "fill":
		g.fillByte, err = numeral(value, 0, 255)
	case "until":
		switch value {
		case "zero":
			g.toZero = true
		case "end":
			g.toEnd = true
		default:
			g.until, err = numeral(value, 0, 255)
		}
	case "count":
		if _, number := kindOf(t.Kind()); number {
			return g.parseLink(name, value)
		}
		g.count, err = widthName(name, value)
	case "len":
		return g.parseLink(name, value)
	case "if":
		return g.parseCondition(value)
	case "switch":
		g.union, err = fieldName(value)
	case "const":
		return g.parseConstant(value)
	case "magic":
		g.magic, err = unescape(value)
	case "skip":
		g.space, err = numeral(value, 0, 1<<30)
	case "align":
		g.align, err = numeral(value, 1, 1<<20)
	case "max":
		g.limited = true
		g.limit, err = strconv.ParseUint(value, 0, 64)
		if err != nil {
			err = fmt.Errorf("max=%s is not a number", value)
		}
	case "raw":
		g.raw, err = parseSpan(value)
	case "sum":
		sum, of, ok := strings.Cut(value, ":")
		if !ok || sum == "" {
			return fmt.Errorf("sum=%s: want sum=NAME:FIRST..LAST", value)
		}
		return g.parseSum(sumTag{name: sum, named: true}, of)
	default:
		if _, ok := sums[name]; ok {
			return g.parseSum(sumTag{name: name}, value)
		}
		return unknownOption(name)
	}
	if err != nil {
		err = fmt.Errorf("%s=%s: %w", name, value, err)
	}
	return err
}

// parseSum parses the range of a checksum.
func (g *tag) parseSum(s sumTag, of string) (err error) {
	if g.sum.name != "" {
		return fmt.Errorf("two checksums on one number")
	}
	s.span, err = parseSpan(of)
	g.sum = s
	return err
}

// parseSpan parses FIRST..LAST or the name of one field.
func parseSpan(text string) (s span, err error) {
	from, to, ok := strings.Cut(text, "..")
	if !ok {
		to = from
	}
	if s.from, err = fieldName(from); err == nil {
		s.to, err = fieldName(to)
	}
	return s, err
}

// parseLink parses FIRST..LAST*k+c.
func (g *tag) parseLink(name, value string) (err error) {
	l := linkTag{factor: 1, elements: name == "count", text: name + "=" + value}
	rest := value // from the right: names have none of these characters
	if i := strings.LastIndexAny(rest, "+-"); i > 0 {
		if l.plus, err = strconv.ParseInt(rest[i:], 0, 32); err != nil {
			return fmt.Errorf("%s: %s is not a number to add", l.text, rest[i:])
		}
		rest = rest[:i]
	}
	if i := strings.IndexByte(rest, '*'); i > 0 {
		if l.factor, err = strconv.ParseInt(rest[i+1:], 0, 32); err != nil || l.factor < 1 {
			return fmt.Errorf("%s: the factor must be a number greater than 0", l.text)
		}
		rest = rest[:i]
	}
	if l.span, err = parseSpan(rest); err != nil {
		return fmt.Errorf("%s: %w", l.text, err)
	}
	if l.elements && strings.Contains(rest, "..") {
		return fmt.Errorf("%s: a count is of one field; want count=FIELD or count=FIELD*k+c", l.text)
	}
	g.links = append(g.links, l)
	return nil
}

// conditionForms lists the conditions for errors.
const conditionForms = "if=F, if=F&m, if=F==n, if=F!=n or if=more"

// parseCondition parses what follows if=.
func (g *tag) parseCondition(text string) (err error) {
	if text == "more" {
		g.conditions = append(g.conditions, conditionTag{more: true})
		return nil
	}
	c, name, value := conditionTag{}, text, ""
	if i := strings.IndexAny(text, "&=!"); i >= 0 {
		name, c.op, value = text[:i], text[i], text[i+1:]
		if c.op != '&' {
			var ok bool
			if value, ok = strings.CutPrefix(value, "="); !ok {
				return fmt.Errorf("if=%s: want %s", text, conditionForms)
			}
		}
		k, err := parseConst(value)
		if err != nil {
			return fmt.Errorf("if=%s: %w; want %s", text, err, conditionForms)
		}
		c.value = k.value
	}
	if c.field, err = fieldName(name); err != nil {
		return fmt.Errorf("if=%s: %w; want %s", text, err, conditionForms)
	}
	g.conditions = append(g.conditions, c)
	return nil
}

// parseConstant parses a constant, which may name a byte order.
func (g *tag) parseConstant(text string) error {
	value, named, ok := strings.Cut(text, "|")
	c, err := parseConst(value)
	if err != nil {
		return fmt.Errorf("const=%s: %w", text, err)
	}
	if ok {
		if c.order = orderNamed(named); c.order == noOrder {
			return fmt.Errorf("const=%s: the order after | must be be or le", text)
		}
	}
	g.constants = append(g.constants, c)
	return nil
}

// parseConst parses an integer of 64 bits.
func parseConst(text string) (constant, error) {
	if n, err := strconv.ParseUint(text, 0, 64); err == nil {
		return constant{value: n}, nil
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return constant{}, fmt.Errorf("%q is not a number of 64 bits", text)
	}
	return constant{value: uint64(n), negative: n < 0}, nil
}

// orderNamed returns the byte order that a word names, or noOrder.
func orderNamed(word string) order {
	switch word {
	case "be":
		return big
	case "le":
		return little
	}
	return noOrder
}

// widthName verifies that value is the width of a prefix or count.
func widthName(name, value string) (string, error) {
	if _, ok := widths[value]; !ok {
		if _, err := numeral(value, 0, math.MaxInt); err == nil && name == "count" {
			return "", fmt.Errorf("not a width; for a number of elements that never changes, use fixed=%s", value)
		}
		if name == "count" {
			return "", fmt.Errorf("not a width; on a slice it is u8, u16, u24, u32, u48, u64 or varint, and a link is an option of the number")
		}
		return "", fmt.Errorf("not a width; want u8, u16, u24, u32, u48, u64 or varint")
	}
	return value, nil
}

// numeral parses a number from low to high.
func numeral(text string, low, high int) (int, error) {
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil || n < int64(low) || n > int64(high) {
		return 0, fmt.Errorf("want a number from %d to %d", low, high)
	}
	return int(n), nil
}

// fieldName verifies that text can be the name of a field.
func fieldName(text string) (string, error) {
	if text == "" || strings.ContainsAny(text, " .*+-&=!<>()|:\"`") {
		if outer, inner, ok := strings.Cut(text, "."); ok && outer != "" && inner != "" && inner[0] != '.' {
			return "", fmt.Errorf("%q is not the name of a field; to name a field of a struct, embed that struct", text)
		}
		return "", fmt.Errorf("%q is not the name of a field", text)
	}
	return text, nil
}

// unescape returns the bytes of a magic text.
func unescape(text string) ([]byte, error) {
	if text == "" {
		return nil, fmt.Errorf("want some text")
	}
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b = append(b, text[i])
			continue
		}
		if strings.HasPrefix(text[i+1:], "\\") {
			b, i = append(b, '\\'), i+1
			continue
		}
		if len(text) < i+4 || text[i+1] != 'x' {
			return nil, fmt.Errorf(`after \ there must be \ or x and two hexadecimal digits`)
		}
		n, err := strconv.ParseUint(text[i+2:i+4], 16, 8)
		if err != nil {
			return nil, fmt.Errorf(`%q is not \x and two hexadecimal digits`, text[i:i+4])
		}
		b, i = append(b, byte(n)), i+3
	}
	return b, nil
}

// words are the names of all options, to guess what was meant.
var words = []string{"order", "be", "le", "u8", "u16", "u24", "u32", "u40", "u48", "u56", "u64", "i8", "i16", "i24", "i32", "i40", "i48", "i56", "i64",
	"f32", "f64", "varint", "zigzag", "sleb128", "oct", "dec", "bits", "msb", "lsb", "end", "prefix", "fixed", "fill", "cstring", "until", "utf16",
	"count", "len", "if", "switch", "const", "magic", "skip", "align", "crc32", "crc32c", "adler32", "inet", "sum8", "xor8", "sum", "max", "raw"}

// checksums are what the names of checksums begin with, before the number of bits.
var checksums = []string{"crc", "sum", "xor", "adler", "fletcher"}

// unknownOption returns the error for a word that is not an option. It names the
// option that differs least, if that differs in few letters.
func unknownOption(word string) error {
	if kind := strings.TrimRight(word, "0123456789"); kind != word && slices.Contains(checksums, kind) {
		return fmt.Errorf("unknown option %q; for a checksum that is not built in, use sum=%[1]s:FIRST..LAST and Options.Sums", word)
	}
	if near := errtext.Similar(word, words); near != "" {
		return fmt.Errorf("unknown option %q; did you mean %q?", word, near)
	}
	return fmt.Errorf("unknown option %q", word)
}

// ofElement returns the options that a slice or array passes on to its elements.
func (g *tag) ofElement() tag {
	e := plainTag
	e.element, e.form, e.width, e.signed, e.union = true, g.form, g.width, g.signed, g.union
	return e
}
