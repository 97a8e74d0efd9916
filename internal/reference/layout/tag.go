package layout

import (
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// options is a parsed tag.
type options struct {
	none bool // "-"

	order   string // "be" or "le"
	orderOf string // a field

	number string // "u24", "varint"
	base   int    // 8 or 10 for digits
	digits int    // bytes of digits

	bits int
	fill string // "msb" or "lsb"
	end  bool

	prefix   string
	fixed    int // -1: none
	fillByte int // -1: none
	cstring  bool
	until    int // -1: none
	utf16    bool

	count     string // width of the count of elements
	untilZero bool
	untilEnd  bool

	links  []link
	conds  []*condition
	union  string
	consts []constant
	magic  string

	skip  int // -1: none
	align int

	sum string // name of the checksum
	own bool   // the checksum is a named one
	of  span   // its range
	max *big.Int
	raw *span
}

// span names the first and the last field of a range.
type span struct{ first, last string }

// link says that a number counts the bytes or elements of fields: there are
// number*factor + plus.
type link struct {
	count        bool
	of           span
	factor, plus int64
}

type condition struct {
	more  bool
	field string
	op    string // "", "&", "==", "!="
	value *big.Int
}

type constant struct {
	value *big.Int
	order string
}

// meant returns the number that a field with n is encoded as: zero means the first
// constant, unless it is one of them.
func (o *options) meant(n *big.Int) *big.Int {
	if len(o.consts) == 0 || n.Sign() != 0 || slices.ContainsFunc(o.consts, func(c constant) bool { return c.value.Sign() == 0 }) {
		return n
	}
	return o.consts[0].value
}

var (
	numberName = regexp.MustCompile(`^([ui](8|16|24|32|40|48|56|64)|f32|f64|varint|zigzag|sleb128)$`)
	widthName  = regexp.MustCompile(`^(u8|u16|u24|u32|u48|u64|varint)$`)
	linkText   = regexp.MustCompile(`^(\w+)(?:\.\.(\w+))?(?:\*(\d+))?([+-]\d+)?$`)
	condText   = regexp.MustCompile(`^(\w+)(?:(&|==|!=)(-?\w+))?$`)
	fieldName  = regexp.MustCompile(`^[\pL_]\w*$`)
	checksums  = map[string]int{"crc32": 32, "crc32c": 32, "adler32": 32, "inet": 16, "sum8": 8, "xor8": 8}
)

func isInteger(k reflect.Kind) bool { return isSigned(k) || isUnsigned(k) }
func isSigned(k reflect.Kind) bool  { return k >= reflect.Int && k <= reflect.Int64 }
func isUnsigned(k reflect.Kind) bool {
	return k >= reflect.Uint && k <= reflect.Uint64
}
func isFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

func parseInt(text, where string) *big.Int {
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		fail(ErrTag, "%s: %q is not a number", where, text)
	}
	return n
}

func parseSmall(text, where string) int {
	n := parseInt(text, where)
	if !n.IsInt64() || n.Int64() < 0 || n.Int64() > 1<<24 {
		fail(ErrTag, "%s: %s is out of range", where, text)
	}
	return int(n.Int64())
}

func parseSpan(text, where string) span {
	first, last, found := strings.Cut(text, "..")
	if !found {
		last = first
	}
	if !fieldName.MatchString(first) || !fieldName.MatchString(last) {
		fail(ErrTag, "%s: %q is not a range of fields", where, text)
	}
	return span{first, last}
}

func parseLink(text, where string, count bool) link {
	m := linkText.FindStringSubmatch(text)
	if m == nil || !fieldName.MatchString(m[1]) || count && m[2] != "" {
		fail(ErrTag, "%s: wrong link %q", where, text)
	}
	l := link{count: count, of: span{m[1], m[2]}, factor: 1}
	if m[2] == "" {
		l.of.last = m[1]
	}
	if m[3] != "" {
		l.factor = parseInt(m[3], where).Int64()
	}
	if m[4] != "" {
		l.plus, _ = strconv.ParseInt(m[4], 10, 64)
	}
	if l.factor <= 0 || l.factor > 1<<24 {
		fail(ErrTag, "%s: wrong factor in %q", where, text)
	}
	return l
}

func parseMagic(text, where string) string {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		escape := text[i+1:]
		if strings.HasPrefix(escape, `\`) {
			out = append(out, '\\')
			i++
			continue
		}
		if len(escape) < 3 || escape[0] != 'x' {
			fail(ErrTag, "%s: wrong escape in magic", where)
		}
		b, err := strconv.ParseUint(escape[1:3], 16, 8)
		if err != nil {
			fail(ErrTag, "%s: wrong escape in magic", where)
		}
		out = append(out, byte(b))
		i += 3
	}
	if len(out) == 0 {
		fail(ErrTag, "%s: empty magic", where)
	}
	return string(out)
}

// parse parses the tag of a field of type t. The options that depend on the kind
// of the field are told apart here; whether they fit the kind is checked in
// validate.go.
func parse(tag, where string, t reflect.Type) options {
	o := options{fixed: -1, fillByte: -1, until: -1, skip: -1}
	if tag == "-" {
		o.none = true
		return o
	}
	if tag == "" {
		return o
	}
	once := map[string]bool{}
	for _, text := range strings.Split(tag, ",") {
		name, value, hasValue := strings.Cut(text, "=")
		what := where + ": " + text
		if name != "const" && name != "len" && name != "count" && name != "if" && once[name] {
			fail(ErrTag, "%s: given twice", what)
		}
		once[name] = true
		if !hasValue {
			o.flag(text, what)
			continue
		}
		switch name {
		case "order":
			if o.orderOf = value; !fieldName.MatchString(value) {
				fail(ErrTag, "%s: not a field", what)
			}
		case "oct", "dec":
			o.base, o.digits = 8, parseSmall(value, what)
			if name == "dec" {
				o.base = 10
			}
			if o.digits < 2 {
				fail(ErrTag, "%s: no room for digits and a NUL", what)
			}
		case "bits":
			o.bits = parseSmall(value, what)
			if o.bits < 1 || o.bits > 64 {
				fail(ErrTag, "%s: must be 1 to 64", what)
			}
		case "prefix":
			o.prefix = value
			if !widthName.MatchString(value) {
				fail(ErrTag, "%s: not a width", what)
			}
		case "fixed":
			o.fixed = parseSmall(value, what)
		case "fill":
			o.fillByte = parseSmall(value, what)
			if o.fillByte > 255 {
				fail(ErrTag, "%s: not a byte", what)
			}
		case "until":
			switch value {
			case "zero":
				o.untilZero = true
			case "end":
				o.untilEnd = true
			default:
				if o.until = parseSmall(value, what); o.until > 255 {
					fail(ErrTag, "%s: not a byte", what)
				}
			}
		case "len":
			o.links = append(o.links, parseLink(value, what, false))
		case "count":
			if isInteger(t.Kind()) {
				o.links = append(o.links, parseLink(value, what, true))
				break
			}
			if o.count = value; !widthName.MatchString(value) {
				fail(ErrTag, "%s: not a width", what)
			}
		case "if":
			o.conds = append(o.conds, parseCondition(value, what))
		case "switch":
			o.union = value
		case "const":
			number, order, named := strings.Cut(value, "|")
			if named && order != "be" && order != "le" {
				fail(ErrTag, "%s: not an order", what)
			}
			o.consts = append(o.consts, constant{parseInt(number, what), order})
		case "magic":
			o.magic = parseMagic(value, what)
		case "skip":
			o.skip = parseSmall(value, what)
		case "align":
			if o.align = parseSmall(value, what); o.align == 0 {
				fail(ErrTag, "%s: must not be zero", what)
			}
		case "max":
			o.max = parseInt(value, what)
		case "raw":
			s := parseSpan(value, what)
			o.raw = &s
		case "sum":
			sum, of, found := strings.Cut(value, ":")
			if !found || sum == "" || o.sum != "" {
				fail(ErrTag, "%s: want a name and a range", what)
			}
			o.sum, o.own, o.of = sum, true, parseSpan(of, what)
		default:
			if checksums[name] == 0 || o.sum != "" {
				fail(ErrTag, "%s: unknown option", what)
			}
			o.sum, o.of = name, parseSpan(value, what)
		}
	}
	return o
}

// flag sets an option without a value.
func (o *options) flag(text, what string) {
	switch {
	case text == "be" || text == "le":
		if o.order != "" {
			fail(ErrTag, "%s: two orders", what)
		}
		o.order = text
	case text == "msb" || text == "lsb":
		if o.fill != "" {
			fail(ErrTag, "%s: msb and lsb", what)
		}
		o.fill = text
	case text == "end":
		o.end = true
	case text == "cstring":
		o.cstring = true
	case text == "utf16":
		o.utf16 = true
	case numberName.MatchString(text):
		if o.number != "" {
			fail(ErrTag, "%s: two widths", what)
		}
		o.number = text
	default:
		fail(ErrTag, "%s: unknown option", what)
	}
}

func parseCondition(text, what string) *condition {
	if text == "more" {
		return &condition{more: true}
	}
	m := condText.FindStringSubmatch(text)
	if m == nil || !fieldName.MatchString(m[1]) {
		fail(ErrTag, "%s: wrong condition", what)
	}
	c := &condition{field: m[1], op: m[2]}
	if c.op != "" {
		c.value = parseInt(m[3], what)
	}
	return c
}
