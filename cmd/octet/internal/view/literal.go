package view

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// writeLiteral writes all values as Go source: one variable with an element for
// each top-level value. Encoding an element with package msgpack gives an equal
// value. A map whose keys are not all text becomes a msgpack.Pairs, because Go maps
// cannot hold every key.
func writeLiteral(w io.Writer, x *index.Index, watch index.Watch) error {
	g := &goWriter{x: x, b: bufio.NewWriterSize(w, 32<<10)}
	_, _ = g.b.WriteString("var values = []any{")
	var hasTextKeys []bool // for each open container: whether it is a map with text keys
	c := x.Top(0)
	inTextMap := func() bool { return len(hasTextKeys) > 0 && hasTextKeys[len(hasTextKeys)-1] }
	c.Closed = func(t index.Token) {
		hasTextKeys = hasTextKeys[:len(hasTextKeys)-1]
		g.tab(t.Depth + 1)
		_, _ = g.b.WriteString("}")
		g.after(&t, inTextMap())
	}
	next := 0
	for c.Next() {
		t := c.Token()
		if t.Offset >= next {
			if err := watch.Call(t.Offset, len(x.Data)); err != nil {
				return err
			}
			next = t.Offset + blockSize
		}
		if t.Role != scan.Value {
			g.tab(t.Depth + 1)
		}
		if t.Role == scan.Key && !inTextMap() {
			_, _ = g.b.WriteString("{Key: ")
		}
		if !t.IsContainer() {
			g.scalar(t)
			g.after(t, inTextMap())
			continue
		}
		switch {
		case !isMap(t.Header):
			_, _ = g.b.WriteString("[]any{")
			hasTextKeys = append(hasTextKeys, false)
		case g.textKeys(t):
			_, _ = g.b.WriteString("map[string]any{")
			hasTextKeys = append(hasTextKeys, true)
		default:
			_, _ = g.b.WriteString("msgpack.Pairs{")
			hasTextKeys = append(hasTextKeys, false)
		}
	}
	_, _ = g.b.WriteString("\n}\n")
	return g.b.Flush() // which returns the first error of all writes
}

// A goWriter writes Go source.
type goWriter struct {
	x *index.Index
	b *bufio.Writer
}

func (g *goWriter) tab(depth int) {
	_ = g.b.WriteByte('\n')
	for range depth {
		_ = g.b.WriteByte('\t')
	}
}

// after writes what follows a value. inTextMap reports whether the value is in a map
// with text keys.
func (g *goWriter) after(t *index.Token, inTextMap bool) {
	switch {
	case t.Role == scan.Key && inTextMap:
		_, _ = g.b.WriteString(": ")
	case t.Role == scan.Key:
		_, _ = g.b.WriteString(", Value: ")
	case t.Role == scan.Value && !inTextMap:
		_, _ = g.b.WriteString("},")
	default:
		_, _ = g.b.WriteString(",")
	}
}

// textKeys reports whether all keys of a map are str and differ.
func (g *goWriter) textKeys(t *index.Token) bool {
	const few = 16 // keys that are compared faster than hashed
	list, seen := make([][]byte, 0, few), map[string]bool(nil)
	c := g.x.Child(t, 0)
	for n := t.Count; n > 0 && c.Next(); n-- {
		k := c.Token()
		text := g.x.Data[k.Offset+int(k.Size) : k.End()]
		equal := func(other []byte) bool { return bytes.Equal(other, text) }
		if k.Format.Kind() != wire.KindStr || seen[string(text)] || slices.ContainsFunc(list, equal) {
			return false
		}
		if len(list) < few {
			list = append(list, text)
		} else {
			if seen == nil {
				seen = map[string]bool{}
			}
			seen[string(text)] = true
		}
		if c.Next() {
			g.x.Skip(c)
		}
	}
	return true
}

// scalar writes a value without elements.
func (g *goWriter) scalar(t *index.Token) {
	data := g.x.Data[t.Offset:t.End()]
	payload := data[t.Size:]
	switch t.Format.Kind() {
	case wire.KindNil:
		_, _ = g.b.WriteString("nil")
	case wire.KindBool:
		_, _ = g.b.WriteString(strconv.FormatBool(t.Format == wire.True))
	case wire.KindInt:
		v, _, err := wire.ConsumeInt(data)
		if err != nil {
			u, _, _ := wire.ConsumeUint(data)
			_, _ = g.b.Write(append(strconv.AppendUint(append(g.b.AvailableBuffer(), "uint64("...), u, 10), ')'))
			return
		}
		_, _ = g.b.Write(append(strconv.AppendInt(append(g.b.AvailableBuffer(), "int64("...), v, 10), ')'))
	case wire.KindFloat:
		if v, _, err := wire.ConsumeFloat32(data); err == nil && t.Format == wire.Float32 {
			g.float(float64(v), 32, uint64(math.Float32bits(v)))
			return
		}
		v, _, _ := wire.ConsumeFloat64(data)
		g.float(v, 64, math.Float64bits(v))
	case wire.KindStr:
		g.quoted(payload)
	case wire.KindBin:
		g.bytes(payload)
	case wire.KindArray:
		_, _ = g.b.WriteString("[]any{}")
	case wire.KindMap:
		_, _ = g.b.WriteString("map[string]any{}")
	case wire.KindExt:
		if sec, nsec, err := wire.ParseTimestamp(payload); err == nil && t.Ext == wire.TimestampType {
			_, _ = fmt.Fprintf(g.b, "time.Unix(%d, %d).UTC()", sec, nsec)
			return
		}
		_, _ = fmt.Fprintf(g.b, "msgpack.Ext{Type: %d, Data: ", t.Ext)
		g.bytes(payload)
		_ = g.b.WriteByte('}')
	}
}

// float writes a float. Go has no literals for NaN, infinity and minus zero.
func (g *goWriter) float(v float64, size int, bits uint64) {
	if math.IsNaN(v) || math.IsInf(v, 0) || v == 0 && math.Signbit(v) {
		_, _ = fmt.Fprintf(g.b, "math.Float%dfrombits(%#x)", size, bits)
		return
	}
	dst := append(strconv.AppendInt(append(g.b.AvailableBuffer(), "float"...), int64(size), 10), '(')
	_, _ = g.b.Write(append(strconv.AppendFloat(dst, v, 'g', -1, size), ')'))
}

// quoted writes text as a string literal.
func (g *goWriter) quoted(text []byte) {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			_, _ = g.b.WriteString(strconv.Quote(string(text)))
			return
		}
	}
	_ = g.b.WriteByte('"')
	_, _ = g.b.Write(text)
	_ = g.b.WriteByte('"')
}

func (g *goWriter) bytes(data []byte) {
	_, _ = g.b.WriteString("[]byte{")
	for i, c := range data {
		if i > 0 {
			_, _ = g.b.WriteString(", ")
		}
		_, _ = fmt.Fprintf(g.b, "%#02x", c)
	}
	_ = g.b.WriteByte('}')
}
