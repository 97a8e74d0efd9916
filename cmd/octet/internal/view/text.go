package view

import (
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// Text renders lines of the data in diagnostic notation. Long strings are
// shortened.
func (s *Session) Text(first, n int64) string {
	p := printer{s: s, first: first, end: first + n, line: -1}
	c := s.x.BeforeLine(first)
	c.Closed = p.close
	for c.Next() && c.Token().Line < p.end {
		p.token(c.Token())
	}
	p.finish()
	return p.h.String()
}

// A printer renders lines.
type printer struct {
	s          *Session
	h          html
	first, end int64
	line       int64 // the line that has not ended, or -1
}

// begin begins a line, unless it has begun. It reports whether the line is one of
// those to render.
func (p *printer) begin(line int64, depth int) bool {
	if line < p.first || line >= p.end {
		return false
	}
	if line != p.line {
		p.finish()
		p.line = line
		p.h.literal(`<div class="ln d`).int(int64(min(depth, deepestIndent))).literal(`" data-l="`).int(line).literal(`" role="option" aria-selected="false">`)
	}
	return true
}

func (p *printer) finish() {
	if p.line >= 0 {
		p.h.literal("</div>")
		p.line = -1
	}
}

// token renders a value or the bracket that opens it.
func (p *printer) token(t *index.Token) {
	if !p.begin(t.Line, t.Depth) {
		return
	}
	text := ""
	switch kind := t.Format.Kind(); {
	case t.IsContainer() && kind == wire.KindMap:
		text = "{"
	case t.IsContainer():
		text = "["
	case kind == wire.KindMap:
		text = "{}" + diag.Suffix(t.Header)
	case kind == wire.KindArray:
		text = "[]" + diag.Suffix(t.Header)
	default:
		text = p.s.brief(t)
	}
	class := t.Format.Kind().String()
	if t.Role == scan.Key {
		class = "k"
	}
	p.part(t, class, text)
	if !t.IsContainer() {
		p.after(t)
	}
}

func (p *printer) part(t *index.Token, class, text string) {
	p.h.literal(`<span class="c ` + class + `" data-o="`).int(int64(t.Offset)).literal(`">`).text(text).literal("</span>")
}

// after renders what follows a value.
func (p *printer) after(t *index.Token) {
	switch {
	case t.Role == scan.Key:
		p.h.literal(": ")
	case t.Role != scan.Top && !t.Last:
		p.h.literal(",")
	}
}

// close renders the bracket that closes a container.
func (p *printer) close(t index.Token) {
	if !p.begin(t.Line, t.Depth) {
		return
	}
	bracket := "]"
	if isMap(t.Header) {
		bracket = "}"
	}
	p.part(&t, t.Format.Kind().String(), bracket+diag.Suffix(t.Header))
	p.after(&t)
}
