package view

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/exts"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// explain renders the table that describes a value.
func (s *Session) explain(c *index.Cursor, sel *Selection) string {
	t := c.Token()
	var h html
	h.literal("<dl>")
	item := func(name, value string) {
		h.literal("<dt>").text(name).literal("</dt><dd>").text(value).literal("</dd>")
	}
	path := sel.Path
	if path == "" {
		path = "top-level value " + strconv.FormatInt(c.TopNumber(), 10)
	} else if s.x.Rows() > 1 {
		path = strconv.FormatInt(c.TopNumber(), 10) + ": " + path
	}
	item("Path", path)
	item("Role", roleNames[t.Role])
	item("Format", t.Format.String())
	item("Offset", fmt.Sprintf("%s (%#x)", comma(int64(t.Offset)), t.Offset))
	length := plural(int64(sel.End-t.Offset), "byte")
	if sel.End > sel.Head {
		length += fmt.Sprintf(": header %d, content %s", t.Size, comma(int64(sel.End-sel.Head)))
	}
	item("Length", length)
	item("Depth", strconv.Itoa(t.Depth))
	s.meaning(t, item)
	if more := canonical.Excess(t.Header, s.x.Data[t.Offset:t.End()]); more > 0 {
		item("Shortest", plural(int64(more), "byte")+" shorter is possible")
	}
	h.literal("</dl>")
	s.bits(&h, t)
	return h.String()
}

var roleNames = [...]string{scan.Top: "top-level value", scan.Element: "element of an array", scan.Key: "key of a map", scan.Value: "value of a map"}

// meaning adds the value and, for an ext, what its data means.
func (s *Session) meaning(t *index.Token, item func(name, value string)) {
	data := s.x.Data[t.Offset:t.End()]
	payload := data[t.Size:]
	switch t.Format.Kind() {
	case wire.KindInt:
		item("Value", s.brief(t))
		if v, _, err := wire.ConsumeInt(data); err == nil {
			integer(v, item)
		} else if u, _, err := wire.ConsumeUint(data); err == nil {
			item("Hex", fmt.Sprintf("%#x", u))
		}
	case wire.KindFloat:
		item("Value", s.brief(t))
	case wire.KindStr:
		if utf8.Valid(payload) {
			item("Characters", comma(int64(utf8.RuneCount(payload))))
		} else {
			item("Text", "not valid UTF-8")
		}
	case wire.KindArray, wire.KindMap:
		item("Count", comma(s.x.Count(t)))
	case wire.KindExt:
		m, finding := exts.Of(t.Ext, payload)
		name := m.Name
		if m.Guess {
			name += " (a guess: applications choose this type freely)"
		}
		if name != "" {
			item("Meaning", name)
		}
		if m.Value != "" {
			item("Decoded", m.Value)
		}
		if finding != "" {
			item("Error", finding)
		}
	}
}

// integer adds other interpretations of an integer.
func integer(v int64, item func(name, value string)) {
	if v > 9 {
		item("Hex", fmt.Sprintf("%#x", v))
	}
	// Values between 2001 and 2100 are likely to be times.
	const first, end = 978307200, 4102444800
	switch {
	case v >= first && v < end:
		item("As seconds", exts.Instant(v, 0))
	case v >= first*1e3 && v < end*1e3:
		item("As milliseconds", time.UnixMilli(v).UTC().Format(time.RFC3339Nano))
	case v >= first*1e6 && v < end*1e6:
		item("As microseconds", time.UnixMicro(v).UTC().Format(time.RFC3339Nano))
	case v >= first*1e9 && v/1e9 < end:
		item("As nanoseconds", time.Unix(0, v).UTC().Format(time.RFC3339Nano))
	}
}

// bits renders the bits of the header and of short payloads, with their meaning.
func (s *Session) bits(h *html, t *index.Token) {
	data := s.x.Data[t.Offset:t.End()]
	h.literal(`<table class="bits"><caption>Bits</caption><thead><tr><th>byte<th>bits<th>meaning</tr></thead><tbody>`)
	line := func(class role, b []byte, bits, meaning string) {
		h.literal(`<tr><td><b class="`)
		h.b = append(h.b, byte(class))
		h.literal(`">`).text(fmt.Sprintf("% x", b)).literal("</b><td>").text(bits).literal("<td>").text(meaning).literal("</tr>")
	}
	fixed, meaning := first(t.Header, data[0])
	bits := fmt.Sprintf("%08b", data[0])
	if fixed < 8 {
		bits = bits[:fixed] + " " + bits[fixed:]
	}
	line(roleType, data[:1], bits, meaning)
	head := data[1:t.Size]
	if t.Format.Kind() == wire.KindExt {
		head = head[:len(head)-1]
	}
	if len(head) > 0 {
		line(roleLength, head, binaryOf(head), contentOf(t.Header))
	}
	if t.Format.Kind() == wire.KindExt {
		line(roleExtType, data[t.Size-1:t.Size], fmt.Sprintf("%08b", data[t.Size-1]), fmt.Sprintf("ext type %d, signed", t.Ext))
	}
	payload := data[t.Size:]
	switch t.Format.Kind() {
	case wire.KindInt:
		if len(payload) > 0 {
			line(roleNumber, payload, binaryOf(payload), "value, big-endian: "+s.brief(t))
		}
	case wire.KindFloat:
		line(roleNumber, payload, floatBits(payload), floatMeaning(payload))
	case wire.KindExt:
		if t.Ext == wire.TimestampType {
			timestampBits(payload, line)
		}
	}
	h.literal("</tbody></table>")
}

// first explains the format byte. fixed is the number of bits that identify the
// format.
func first(h wire.Header, b byte) (fixed int, meaning string) {
	switch h.Format {
	case wire.PositiveFixint:
		return 1, fmt.Sprintf("positive fixint: the last 7 bits are the value %d", b)
	case wire.FixMap:
		return 4, fmt.Sprintf("fixmap: the last 4 bits count %s", plural(int64(h.Count), "pair"))
	case wire.FixArray:
		return 4, fmt.Sprintf("fixarray: the last 4 bits count %s", plural(int64(h.Count), "element"))
	case wire.FixStr:
		return 3, fmt.Sprintf("fixstr: the last 5 bits are the length, %s", plural(int64(h.Payload), "byte"))
	case wire.NegativeFixint:
		return 3, fmt.Sprintf("negative fixint: all 8 bits are the value %d", int8(b))
	}
	meaning = h.Format.String()
	if h.Format >= wire.FixExt1 && h.Format <= wire.FixExt16 {
		meaning += ": " + contentOf(h)
	}
	return 8, meaning
}

// contentOf describes the length or count in a header.
func contentOf(h wire.Header) string {
	switch h.Format.Kind() {
	case wire.KindArray:
		return "count, big-endian: " + plural(int64(h.Count), "element")
	case wire.KindMap:
		return "count, big-endian: " + plural(int64(h.Count), "pair")
	}
	return "length, big-endian: " + plural(int64(h.Payload), "byte")
}

// binaryOf returns the bits of bytes with spaces between them.
func binaryOf(data []byte) string {
	var b strings.Builder
	for i, c := range data {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%08b", c)
	}
	return b.String()
}

// floatBits separates the sign, the exponent and the fraction.
func floatBits(payload []byte) string {
	bits := strings.ReplaceAll(binaryOf(payload), " ", "")
	exponent := 11
	if len(payload) == 4 {
		exponent = 8
	}
	return bits[:1] + " " + bits[1:1+exponent] + " " + bits[1+exponent:]
}

func floatMeaning(payload []byte) string {
	f, exponent := 0.0, 0
	if len(payload) == 4 {
		bits := binary.BigEndian.Uint32(payload)
		f, exponent = float64(math.Float32frombits(bits)), int(bits>>23&0xff)-127
	} else {
		bits := binary.BigEndian.Uint64(payload)
		f, exponent = math.Float64frombits(bits), int(bits>>52&0x7ff)-1023
	}
	sign := "+"
	if math.Signbit(f) {
		sign = "-"
	}
	if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 {
		return fmt.Sprintf("sign %s, exponent, fraction: %v", sign, f)
	}
	return fmt.Sprintf("sign %s, exponent %d, fraction", sign, exponent)
}

// timestampBits explains the payload of a timestamp.
func timestampBits(payload []byte, line func(class role, b []byte, bits, meaning string)) {
	sec, nsec, err := wire.ParseTimestamp(payload)
	if err != nil {
		return
	}
	switch len(payload) {
	case 4:
		line(roleExt, payload, binaryOf(payload), fmt.Sprintf("%s since 1970, unsigned", plural(sec, "second")))
	case 8:
		bits := strings.ReplaceAll(binaryOf(payload), " ", "")
		line(roleExt, payload, bits[:30]+" "+bits[30:], fmt.Sprintf("30 bits: %s; 34 bits: %s since 1970", plural(int64(nsec), "nanosecond"), plural(sec, "second")))
	case 12:
		line(roleExt, payload[:4], binaryOf(payload[:4]), plural(int64(nsec), "nanosecond"))
		line(roleExt, payload[4:], binaryOf(payload[4:]), fmt.Sprintf("%s since 1970, signed", plural(sec, "second")))
	}
}
