package view

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A role is the part of an encoded value to which a byte belongs. It is also the CSS
// class of the byte.
type role byte

const (
	roleType    role = 't' // the format byte, which can include a value, a length or a count
	roleLength  role = 'l' // length or count
	roleExtType role = 'x' // type of an ext
	roleNumber  role = 'n'
	roleText    role = 's'
	roleKey     role = 'k' // text of a key
	roleBin     role = 'b'
	roleExt     role = 'e' // data of an ext
	roleBad     role = 'z' // not part of a complete value
)

// Hex renders rows of the hex grid, each with width bytes.
func (s *Session) Hex(first, n int64, width int) string {
	size := int64(len(s.x.Data))
	if first < 0 || first > size/int64(width) {
		return ""
	}
	start, end := int(first)*width, int(min((first+n)*int64(width), size))
	if start >= end {
		return ""
	}
	roles := s.roles(start, end)
	var h html
	for at := start; at < end; at += width {
		line := s.x.Data[at:min(at+width, end)]
		h.literal(`<div class="h" role="row"><span class="a" role="rowheader">`).text(fmt.Sprintf("%08x", at)).literal(`</span><span class="y">`)
		for i, b := range line {
			const digits = "0123456789abcdef"
			h.literal(`<b role="gridcell" class="`)
			h.b = append(h.b, byte(roles[at-start+i]))
			h.literal(`" data-b="`).int(int64(at + i)).literal(`">`)
			h.b = append(h.b, digits[b>>4], digits[b&15])
			h.literal(`</b>`)
		}
		h.literal(strings.Repeat("   ", width-len(line)))
		h.literal(`</span><span class="q" aria-hidden="true">`)
		for i, b := range line {
			h.literal(`<i class="`)
			h.b = append(h.b, byte(roles[at-start+i]))
			h.literal(`" data-b="`).int(int64(at + i)).literal(`">`)
			if b < ' ' || b > '~' {
				b = '.'
			}
			h.text(string(rune(b))).literal(`</i>`)
		}
		h.literal(`</span></div>`)
	}
	return h.String()
}

// roles returns the roles of the bytes from start to end.
func (s *Session) roles(start, end int) []role {
	list := make([]role, end-start)
	for i := range list {
		list[i] = roleBad
	}
	if start >= s.x.End {
		return list
	}
	for c := s.x.Before(start); c.Next(); {
		t := c.Token()
		if t.Offset >= end {
			break
		}
		for at := max(t.Offset, start); at < min(t.End(), end); at++ {
			list[at-start] = roleOf(t, at-t.Offset)
		}
	}
	return list
}

// roleOf returns the role of a byte of a value.
func roleOf(t *index.Token, at int) role {
	kind := t.Format.Kind()
	switch {
	case at == 0:
		return roleType
	case kind == wire.KindExt && at == int(t.Size)-1:
		return roleExtType
	case at < int(t.Size):
		return roleLength
	}
	switch kind {
	case wire.KindStr:
		if t.Role == scan.Key {
			return roleKey
		}
		return roleText
	case wire.KindBin:
		return roleBin
	case wire.KindExt:
		return roleExt
	}
	return roleNumber
}
