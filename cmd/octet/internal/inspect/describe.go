package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/rivo/uniseg"
)

// describe returns the text of a node's value, a note about what is not shown,
// and the color of the value. The value and the note take at most room columns
// where possible.
func describe(n *node, room int, p *console.Palette) (value, note string, c console.Paint) {
	if n.omitted > 0 {
		noun := "more element"
		if n.pairs {
			noun = "more pair"
		}
		return "… " + console.Plural(n.omitted, noun), "(--all)", p.Note
	}
	if n.cut {
		return "truncated after " + console.Plural(int64(len(n.bytes)), "byte"), "", p.Alarm
	}
	switch kind := n.Format.Kind(); kind {
	case wire.KindNil:
		return "nil", "", p.Nothing
	case wire.KindBool:
		return strconv.FormatBool(n.Format == wire.True), "", p.Nothing
	case wire.KindInt:
		return fmt.Sprint(n.number()), "", p.Number
	case wire.KindFloat:
		return float(n.number()), "", p.Number
	case wire.KindStr:
		value, left := quote(n.payload(), n.elided(), room)
		return value, elided(left), p.Text
	case wire.KindBin:
		value, left := ascii(n.payload(), n.elided(), room)
		return value, elided(left), p.Binary
	case wire.KindArray:
		return "array of " + humanize.Comma(int64(n.Count)), below(n), p.Container
	case wire.KindMap:
		return "map of " + console.Plural(int64(n.Count), "pair"), below(n), p.Container
	default:
		return ext(n, room, p)
	}
}

func ext(n *node, room int, p *console.Palette) (value, note string, c console.Paint) {
	title := fmt.Sprintf("ext %d", n.Ext)
	if n.meaning.name != "" {
		title += " (" + n.meaning.title() + ")"
	}
	if n.meaning.value != "" {
		return title + " " + n.meaning.value, "", p.Instant
	}
	value, left := ascii(n.payload(), n.elided(), room-len(title)-1)
	return title + " " + value, elided(left), p.Binary
}

// title returns the name, followed by a question mark if it is a guess.
func (m meaning) title() string {
	if m.guess {
		return m.name + "?"
	}
	return m.name
}

// below returns the note for a container whose values are not shown.
func below(n *node) string {
	if !n.hidden {
		return ""
	}
	if n.length < 0 {
		return "(not shown)"
	}
	return "(" + console.Plural(n.length-int64(n.Size), "byte") + " not shown)"
}

func elided(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return "+" + console.Plural(bytes, "byte")
}

// roomOfNote returns the maximum width of the note about elided bytes,
// including the "…" and the space before it.
func roomOfNote(bytes int64) int { return len("_ ") + len(elided(bytes)) }

// float formats a float so that it does not look like an integer.
func float(v any) string {
	f, bits := 0.0, 64
	switch v := v.(type) {
	case float32:
		f, bits = float64(v), 32
	case float64:
		f = v
	}
	size := math.Abs(f)
	if math.IsNaN(f) || math.IsInf(f, 0) || size >= 1e21 || size < 1e-6 && size > 0 {
		return strconv.FormatFloat(f, 'g', -1, bits)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// quote formats text as a Go string literal of at most room columns and returns
// the number of bytes that are not shown. rest is the number of bytes that
// follow text but are not in memory.
func quote(text []byte, rest int64, room int) (string, int64) {
	whole := wholeRunes(text, rest)
	rest += int64(len(text) - len(whole))
	if rest == 0 && len(whole) <= room-2 {
		if s := strconv.Quote(string(whole)); len(s) <= room || uniseg.StringWidth(s) <= room {
			return s, 0
		}
	}
	room -= len(`""`) + roomOfNote(rest+int64(len(whole)))
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for width := 0; n < len(whole); {
		_, size := utf8.DecodeRune(whole[n:])
		s := strconv.Quote(string(whole[n : n+size]))
		s = s[1 : len(s)-1]
		if width += uniseg.StringWidth(s); width > room && n > 0 {
			break
		}
		b.WriteString(s)
		n += size
	}
	rest += int64(len(whole) - n)
	if rest == 0 {
		return b.String() + `"`, 0
	}
	return b.String() + `"…`, rest
}

// wholeRunes removes an incomplete character from the end of text if more bytes
// follow.
func wholeRunes(text []byte, rest int64) []byte {
	if rest == 0 {
		return text
	}
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if utf8.RuneStart(text[len(text)-i]) {
			if !utf8.FullRune(text[len(text)-i:]) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

// ascii formats bytes like the right column of a hex dump: a byte that is not a
// printable ASCII character becomes a dot. It also returns the number of bytes
// that are not shown.
func ascii(data []byte, rest int64, room int) (string, int64) {
	room -= len("||")
	if rest > 0 || len(data) > room {
		room = max(room-roomOfNote(rest+int64(len(data))), 4)
	}
	shown := data[:min(len(data), room)]
	rest += int64(len(data) - len(shown))
	s := "|" + dots(shown) + "|"
	if rest > 0 {
		s += "…"
	}
	return s, rest
}

func dots(data []byte) string {
	s := []byte(string(data))
	for i, c := range s {
		if c < ' ' || c > '~' {
			s[i] = '.'
		}
	}
	return string(s)
}
