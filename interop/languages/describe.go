package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack"
)

// A description is the canonical text of a value. Two values are equal if their descriptions are. Every filter prints
// descriptions by the same grammar:
//
//	n, t, f                nil, true, false
//	i-12                   an integer
//	d3ff8000000000000      a float: the bits of a float64, also for a float 32
//	s68c3a9, b00ff         str and bin: their bytes in hexadecimal
//	T-1.500000000          a timestamp: seconds since 1970, then nanoseconds that are added
//	x-2/00ff               an ext: its type, then its bytes
//	[i1,n]                 an array
//	{i1=t,s61=n}           a map, its entries sorted
//	?Name                  a value that is none of these
type description string

// entries is a map with keys that a Go map cannot hold, or with equal keys.
type entries [][2]any

// describe returns the description of a value that Octet decodes into any, or of one with entries inside.
func describe(v any) description {
	switch v := v.(type) {
	case nil:
		return "n"
	case bool:
		if v {
			return "t"
		}
		return "f"
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return description(fmt.Sprintf("i%d", v))
	case float32:
		return describe(float64(v))
	case float64:
		return description(fmt.Sprintf("d%016x", math.Float64bits(v)))
	case string:
		return description("s" + hex.EncodeToString([]byte(v)))
	case []byte:
		return description("b" + hex.EncodeToString(v))
	case time.Time:
		return description(fmt.Sprintf("T%d.%09d", v.Unix(), v.Nanosecond()))
	case msgpack.Ext:
		return description(fmt.Sprintf("x%d/%x", v.Type, v.Data))
	case []any:
		parts := make([]string, len(v))
		for i, element := range v {
			parts[i] = string(describe(element))
		}
		return description("[" + strings.Join(parts, ",") + "]")
	case map[string]any:
		return describeMap(v)
	case map[any]any:
		return describeMap(v)
	case entries:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = string(describe(e[0]) + "=" + describe(e[1]))
		}
		return joinEntries(parts)
	}
	return description(fmt.Sprintf("?%T", v))
}

func describeMap[K comparable](m map[K]any) description {
	var parts []string
	for key, element := range m {
		parts = append(parts, string(describe(key)+"="+describe(element)))
	}
	return joinEntries(parts)
}

func joinEntries(parts []string) description {
	slices.Sort(parts)
	return description("{" + strings.Join(parts, ",") + "}")
}

// maxRendered is the number of characters after which render cuts a text.
const maxRendered = 60

// render returns the readable text of a description, such as {"a": 1.5}. A text that is too long is truncated.
func render(d description) string {
	r := renderer{rest: string(d)}
	r.value()
	if r.err != nil || r.rest != "" && !r.full() {
		return "an invalid description"
	}
	text := r.text.String()
	if !r.full() {
		return text
	}
	runes := []rune(text)
	return string(runes[:min(len(runes), maxRendered-1)]) + "…"
}

// A renderer parses a description and stops when the text is too long.
type renderer struct {
	rest string
	text strings.Builder
	err  error
}

var errDescription = errors.New("invalid description")

func (r *renderer) full() bool { return utf8.RuneCountInString(r.text.String()) >= maxRendered }

// take returns the rest up to the first of the characters that end a value.
func (r *renderer) take() string {
	n := strings.IndexAny(r.rest, ",=]}")
	if n < 0 {
		n = len(r.rest)
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *renderer) value() {
	if r.rest == "" {
		r.err = errDescription
		return
	}
	kind := r.rest[0]
	r.rest = r.rest[1:]
	switch kind {
	case 'n':
		r.text.WriteString("nil")
	case 't':
		r.text.WriteString("true")
	case 'f':
		r.text.WriteString("false")
	case 'i':
		r.text.WriteString(r.take())
	case 'd':
		r.text.WriteString(r.float(r.take()))
	case 's':
		r.text.WriteString(strconv.Quote(string(r.bytes(r.take()))))
	case 'b':
		r.text.WriteString("bin " + r.blob(r.take()))
	case 'T':
		r.text.WriteString("time " + r.take())
	case 'x':
		code, data, _ := strings.Cut(r.take(), "/")
		r.text.WriteString("ext " + code + " " + r.blob(data))
	case '?':
		r.text.WriteString(r.take())
	case '[':
		r.list(']')
	case '{':
		r.list('}')
	default:
		r.err = errDescription
	}
}

// list renders the elements of an array or the entries of a map, and its end.
func (r *renderer) list(end byte) {
	r.text.WriteByte(end - 2) // the opening bracket, in ASCII
	for first := true; r.err == nil && !r.full(); first = false {
		if strings.HasPrefix(r.rest, string(end)) {
			r.rest = r.rest[1:]
			r.text.WriteByte(end)
			return
		}
		if !first {
			r.skip(',')
			r.text.WriteString(", ")
		}
		r.value()
		if end == '}' && !r.full() {
			r.skip('=')
			r.text.WriteString(": ")
			r.value()
		}
	}
}

func (r *renderer) skip(c byte) {
	if r.rest == "" || r.rest[0] != c {
		r.err = errDescription
		return
	}
	r.rest = r.rest[1:]
}

func (r *renderer) bytes(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		r.err = errDescription
	}
	return b
}

func (r *renderer) blob(text string) string {
	if text == "" {
		return "of 0 bytes"
	} else if n := len(text) / 2; n > 16 {
		return fmt.Sprintf("of %d bytes", n)
	}
	return text
}

// float renders a NaN with its bits, because they may differ.
func (r *renderer) float(text string) string {
	bits, err := strconv.ParseUint(text, 16, 64)
	if err != nil || len(text) != 16 {
		r.err = errDescription
		return ""
	}
	f := math.Float64frombits(bits)
	switch {
	case math.IsNaN(f):
		return "NaN " + text
	case math.IsInf(f, 0):
		return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64))
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
