package view

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/exts"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// jsonText returns all values as indented JSON. A bin is written in base64, a
// timestamp as in RFC 3339, and another ext in diagnostic notation. NaN and infinity
// become null. A key that is not a str becomes a string in diagnostic notation.
func jsonText(x *index.Index) string {
	w := writer{x: x}
	c := x.Top(0)
	c.Closed = func(t index.Token) {
		w.line(t.Depth)
		w.end(&t)
	}
	for c.Next() {
		t := c.Token()
		switch {
		case t.Role != scan.Top && t.Role != scan.Value:
			w.line(t.Depth)
		case t.Role == scan.Top && t.Number > 0:
			w.b.WriteByte('\n')
		}
		if t.Role == scan.Key {
			if t.IsContainer() {
				// The whole key, with the values inside it, becomes one string.
				n := x.Size(t)
				text, _ := (&Session{x: x}).notation(x.Data[t.Offset:t.Offset+n], "")
				w.quote([]byte(strings.TrimSuffix(text, "\n")))
				w.b.WriteString(": ")
				x.Skip(c)
				continue
			}
			w.key(t)
			continue
		}
		if t.IsContainer() {
			w.b.WriteByte("[{"[w.bracketIndex(t.Header)])
			continue
		}
		w.scalar(t)
		w.comma(t)
	}
	if w.b.Len() > 0 {
		w.b.WriteByte('\n')
	}
	return w.b.String()
}

// A writer writes JSON or Go source.
type writer struct {
	x *index.Index
	b strings.Builder
}

// bracketIndex returns the index of the bracket for a container: 0 for an array, 1
// for a map.
func (w *writer) bracketIndex(h wire.Header) int {
	if isMap(h) {
		return 1
	}
	return 0
}

func (w *writer) line(depth int) {
	w.b.WriteByte('\n')
	for range depth {
		w.b.WriteString("  ")
	}
}

func (w *writer) comma(t *index.Token) {
	if t.Role != scan.Top && !t.Last {
		w.b.WriteByte(',')
	}
}

func (w *writer) end(t *index.Token) {
	w.b.WriteByte("]}"[w.bracketIndex(t.Header)])
	w.comma(t)
}

func (w *writer) key(t *index.Token) {
	data := w.x.Data[t.Offset:t.End()]
	if t.Format.Kind() == wire.KindStr {
		w.quote(data[t.Size:])
	} else {
		text, _ := diag.AppendValue(nil, t.Header, data, len(data))
		w.quote(text)
	}
	w.b.WriteString(": ")
}

// scalar writes a value without elements.
func (w *writer) scalar(t *index.Token) {
	data := w.x.Data[t.Offset:t.End()]
	payload := data[t.Size:]
	switch t.Format.Kind() {
	case wire.KindNil:
		w.b.WriteString("null")
	case wire.KindBool:
		w.b.WriteString(strconv.FormatBool(t.Format == wire.True))
	case wire.KindInt:
		w.b.WriteString(decimal(data))
	case wire.KindFloat:
		w.b.WriteString(jsonFloat(data, t.Format))
	case wire.KindStr:
		w.quote(payload)
	case wire.KindBin:
		w.b.WriteString(`"` + base64.StdEncoding.EncodeToString(payload) + `"`)
	case wire.KindArray:
		w.b.WriteString("[]")
	case wire.KindMap:
		w.b.WriteString("{}")
	case wire.KindExt:
		if sec, nsec, err := wire.ParseTimestamp(payload); err == nil && t.Ext == wire.TimestampType {
			w.quote([]byte(exts.Instant(sec, nsec)))
			return
		}
		text, _ := diag.AppendValue(nil, t.Header, data, len(data))
		w.quote(text)
	}
}

func decimal(data []byte) string {
	if v, _, err := wire.ConsumeInt(data); err == nil {
		return strconv.FormatInt(v, 10)
	}
	u, _, _ := wire.ConsumeUint(data)
	return strconv.FormatUint(u, 10)
}

func jsonFloat(data []byte, f wire.Format) string {
	v, _, _ := wire.ConsumeFloat64(data)
	if f == wire.Float32 {
		narrow, _, _ := wire.ConsumeFloat32(data)
		v = float64(narrow)
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "null"
	}
	if size := math.Abs(v); size >= 1e21 || size < 1e-6 && size > 0 {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// quote writes text as a JSON string. Bytes that are not UTF-8 become U+FFFD.
func (w *writer) quote(text []byte) {
	const digits = "0123456789abcdef"
	w.b.WriteByte('"')
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == '"' || r == '\\':
			w.b.WriteByte('\\')
			w.b.WriteRune(r)
		case r == '\n':
			w.b.WriteString(`\n`)
		case r == '\t':
			w.b.WriteString(`\t`)
		case r == '\r':
			w.b.WriteString(`\r`)
		case r < ' ':
			w.b.WriteString(`\u00`)
			w.b.WriteByte(digits[r>>4])
			w.b.WriteByte(digits[r&15])
		default:
			w.b.WriteRune(r)
		}
		i += size
	}
	w.b.WriteByte('"')
}
