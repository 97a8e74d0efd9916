package inspect

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/layout/formats"
)

// Messages prints the messages of a format that package layout/formats declares:
// each field with its place, its bytes and its value. It prints the messages before
// an error, and returns the error. Of the options, Nested, Path and All have no meaning.
func Messages(w io.Writer, data []byte, f formats.Format, o Options) (Result, error) {
	b := bufio.NewWriter(w)
	var show func(formats.Message, []layout.Field) error
	if o.JSON {
		show = newMessageLines(b, o).show
	} else {
		show = newMessageTree(b, o, len(data)).show
	}
	var r Result
	for m, err := range f.Messages(data) {
		if err == nil && o.Limit >= 0 && r.Values == o.Limit {
			break
		}
		var fields []layout.Field
		if err == nil {
			fields, err = m.Fields()
		}
		if err != nil {
			if flushed := b.Flush(); flushed != nil {
				return r, flushed
			}
			return r, err
		}
		if err := show(m, fields); err != nil {
			return r, err
		}
		r.Values++
	}
	return r, b.Flush()
}

// A messageTree prints one line per field:
//
//	offset  length  bytes                    value
//	     0       8  89 50 4e 47 0d 0a 1a 0a  signature
//	     8      25  00 00 00 0d 49 48 44 52… chunk IHDR
//	     8       4  00 00 00 0d              ├─ Length: 13
type messageTree struct {
	tree
	depth int64
	count int
}

func newMessageTree(w *bufio.Writer, o Options, size int) *messageTree {
	o.Size = int64(size)
	t := &messageTree{tree: *newTree(w, o), depth: o.Depth}
	if t.formatWidth > 0 { // fields have no format; the column goes to the values
		t.room += t.formatWidth + len(gap)
		t.formatWidth = 0
	}
	return t
}

func (t *messageTree) show(m formats.Message, fields []layout.Field) error {
	if t.count++; t.count == 1 {
		t.heading()
	}
	var open []bool // by depth: more fields of the same container follow
	for i, f := range fields {
		if t.depth >= 0 && int64(f.Depth) > t.depth {
			continue
		}
		open = append(open[:min(f.Depth, len(open))], follows(fields[i+1:], f.Depth))
		if err := t.row(m, f, t.railOf(open, f.Depth), i+1 < len(fields) && fields[i+1].Depth > f.Depth); err != nil {
			return err
		}
	}
	return nil
}

// follows reports whether a field of this depth follows in the same container.
func follows(fields []layout.Field, depth int) bool {
	for _, f := range fields {
		if f.Depth <= depth {
			return f.Depth == depth
		}
	}
	return false
}

// railOf returns the tree lines that lead to a field.
func (t *messageTree) railOf(open []bool, depth int) string {
	if depth == 0 {
		return ""
	}
	var b strings.Builder
	first, note := t.innermost(depth)
	b.WriteString(note)
	for d := first; d < depth; d++ {
		b.WriteString(branch(open[d], "│  ", "   "))
	}
	return b.String() + branch(open[depth], "├─ ", "└─ ")
}

// row prints the line of one field.
func (t *messageTree) row(m formats.Message, f layout.Field, rail string, container bool) error {
	label, value, paint := t.describe(m, f, container)
	const colon = ": "
	most := t.room - utf8.RuneCountInString(rail) - min(uniseg.StringWidth(value), tinyRoom)
	if name, ok := strings.CutSuffix(label, colon); t.narrow && ok && len(label) > most {
		label = console.Shorten(name, max(most-len(colon), 1)) + colon
	}
	room := max(t.room-utf8.RuneCountInString(rail)-utf8.RuneCountInString(label), tinyRoom)
	line := t.tree.line[:0]
	line = append(append(line, t.p.Offset(right(m.Offset+int64(f.Offset), t.offsetWidth))...), gap...)
	line = append(append(line, t.p.Offset(right(int64(f.Size), lengthWidth))...), gap...)
	line = append(t.appendBytes(line, m.Data[f.Offset:f.Offset+f.Size], container), gap...)
	line = append(append(line, t.p.Rail(rail)...), t.p.Key(label)...)
	t.tree.line = append(append(line, paint(console.Shorten(value, room))...), '\n')
	_, err := t.w.Write(t.tree.line)
	return err
}

// appendBytes appends the first bytes of a field in hex. A container shows none: its
// fields do.
func (t *messageTree) appendBytes(dst, data []byte, container bool) []byte {
	if container || len(data) == 0 {
		return appendSpace(dst, t.hexWidth())
	}
	shown := data[:min(len(data), t.hexBytes)]
	dst = append(dst, t.p.Binary(spaced(shown))...)
	width := 3*len(shown) - 1
	if len(shown) < len(data) {
		dst = append(dst, t.p.Note(" …")...)
		width += 2
	}
	return appendSpace(dst, t.hexWidth()-width)
}

// describe returns the name of a field and its value as text.
func (t *messageTree) describe(m formats.Message, f layout.Field, container bool) (label, value string, paint console.Paint) {
	switch {
	case f.Depth == 0:
		return "", console.Escape(m.Name), t.p.Container // may have bytes of the file
	case f.Name != "_":
		label = f.Name + ": "
	case f.Value == nil:
		return "(space)", "", t.p.Nothing
	default:
		label = "(length): "
		if _, ok := f.Value.(string); ok {
			label = "(constant): "
		}
	}
	if container || f.Size == 0 && f.Value == nil {
		return label, shape(f), t.p.Note
	}
	value, paint = t.value(f)
	if f.Bits > 0 {
		value += fmt.Sprintf(" (%s at bit %d)", console.Plural(int64(f.Bits), "bit"), f.Shift)
	}
	return label, value, paint
}

// shape says what kind of container a field is.
func shape(f layout.Field) string {
	typ := f.Type
	if typ == nil {
		return ""
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array {
		return "list of " + typ.Elem().Name()
	}
	return typ.Name()
}

// value returns the value of a leaf as text.
func (t *messageTree) value(f layout.Field) (string, console.Paint) {
	v := reflect.ValueOf(f.Value)
	if !v.IsValid() {
		return "", t.p.Nothing
	}
	room := max(t.room, minRoom)
	switch v.Kind() {
	case reflect.String:
		text, more := quote([]byte(v.String()), 0, room)
		return strings.TrimSpace(text + " " + elided(more)), t.p.Text
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			text, more := ascii(bytesOf(v), 0, room)
			return strings.TrimSpace(text + " " + elided(more)), t.p.Binary
		}
		return console.Escape(fmt.Sprint(f.Value)), t.p.Number
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), t.p.Number
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		text := strconv.FormatUint(v.Uint(), 10)
		if v.Uint() > 9 && f.Bits == 0 {
			text += fmt.Sprintf(" (0x%x)", v.Uint())
		}
		if s, ok := f.Value.(fmt.Stringer); ok {
			return console.Escape(s.String()) + " = " + text, t.p.Number
		}
		return text, t.p.Number
	}
	return console.Escape(fmt.Sprint(f.Value)), t.p.Number
}

// bytesOf returns the contents of a slice or array of bytes.
func bytesOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		return v.Bytes()
	}
	b := make([]byte, v.Len())
	reflect.Copy(reflect.ValueOf(b), v)
	return b
}

// messageLines writes each field as a JSON object on its own line.
type messageLines struct {
	e     *json.Encoder
	o     Options
	count int
}

// A fieldObject is a line of --json with --layout.
type fieldObject struct {
	File    string `json:"file,omitempty"`
	Message string `json:"message"`
	Number  int    `json:"number"`
	Offset  int64  `json:"offset"`
	Length  int    `json:"length"`
	Depth   int    `json:"depth"`
	Name    string `json:"name"`
	Type    string `json:"type,omitempty"`
	Bits    int    `json:"bits,omitempty"`
	Shift   int    `json:"shift,omitempty"`
	Value   any    `json:"value,omitempty"`
	Hex     string `json:"hex,omitempty"`
}

func newMessageLines(w io.Writer, o Options) *messageLines {
	e := output.JSONLines(w)
	return &messageLines{e: e, o: o}
}

func (l *messageLines) show(m formats.Message, fields []layout.Field) error {
	l.count++
	for i, f := range fields {
		if l.o.Depth >= 0 && int64(f.Depth) > l.o.Depth {
			continue
		}
		o := fieldObject{
			File: l.o.File, Message: m.Name, Number: l.count, Offset: m.Offset + int64(f.Offset),
			Length: f.Size, Depth: f.Depth, Name: f.Name, Bits: f.Bits, Shift: f.Shift,
		}
		if f.Type != nil {
			o.Type = f.Type.String()
		}
		if i+1 == len(fields) || fields[i+1].Depth <= f.Depth { // a leaf
			o.Hex = hex.EncodeToString(m.Data[f.Offset : f.Offset+f.Size])
			if v := reflect.ValueOf(f.Value); v.IsValid() && !isBytes(v.Type()) {
				o.Value = f.Value
			}
		}
		if err := l.e.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// isBytes reports whether a value is shown in hex only.
func isBytes(t reflect.Type) bool {
	return (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem().Kind() == reflect.Uint8
}
