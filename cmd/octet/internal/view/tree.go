package view

import (
	"bytes"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/exts"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A row is an element of an array, a pair of a map, or a top-level value.
type row struct {
	at      int64
	key     index.Token // of a pair
	value   index.Token
	missing bool // the data ends after the key
}

// children calls visit for the rows of b from row first, until visit returns
// false.
func (s *Session) children(b *branch, first int64, visit func(*row) bool) {
	c := s.x.Top(first)
	pairs := false
	if b.parent != nil {
		n := uint64(first)
		if pairs = isMap(b.token.Header); pairs {
			n *= 2
		}
		c = s.x.Child(&b.token, n)
	}
	for r := (row{at: first}); r.at < b.count && c.Next(); r.at++ {
		r.value, r.missing = *c.Token(), false
		if pairs {
			r.key = r.value
			s.x.Skip(c)
			if r.missing = !c.Next(); !r.missing {
				r.value = *c.Token()
			}
		}
		if !visit(&r) {
			return
		}
		if !r.missing {
			s.x.Skip(c)
		}
	}
}

// child returns one row of b.
func (s *Session) child(b *branch, at int64) (r row, ok bool) {
	s.children(b, at, func(found *row) bool {
		r, ok = *found, true
		return false
	})
	return r, ok
}

// Rows returns the number of visible rows of the tree.
func (s *Session) Rows() int64 { return s.root.size }

// Tree renders visible rows of the tree.
func (s *Session) Tree(first, n int64) string {
	var h html
	s.rows(s.root, 0, first, n, func(b *branch, r *row, depth int, open bool) {
		s.row(&h, b, r, depth, open)
	})
	return h.String()
}

// rows calls visit for at most n visible rows inside b from row first, and returns
// the number of calls.
func (s *Session) rows(b *branch, depth int, first, n int64, visit func(*branch, *row, int, bool)) int64 {
	left, next := n, 0
	// Find the first row. at becomes its number among the rows directly inside b.
	at := first
	for next < len(b.expanded) {
		k := b.expanded[next]
		if at <= k.at {
			break
		}
		next++
		if at <= k.at+k.size { // the first row is inside k
			left -= s.rows(k, depth+1, at-k.at-1, left, visit)
			at = k.at + 1
			break
		}
		at -= k.size
	}
	if left <= 0 || at >= b.count {
		return n - left
	}
	s.children(b, at, func(r *row) bool {
		open := next < len(b.expanded) && b.expanded[next].at == r.at
		visit(b, r, depth, open)
		left--
		if open {
			left -= s.rows(b.expanded[next], depth+1, 0, left, visit)
			next++
		}
		return left > 0
	})
	return n - left
}

// longestShown is the number of payload bytes that a row shows.
const longestShown = 120

// row renders a row.
func (s *Session) row(h *html, b *branch, r *row, depth int, open bool) {
	t := &r.value
	h.literal(`<div class="r d`).int(int64(min(depth, deepestIndent))).literal(`" role="treeitem" aria-selected="false" aria-level="`).int(int64(depth + 1))
	h.literal(`" aria-posinset="`).int(r.at + 1).literal(`" aria-setsize="`).int(b.count)
	if r.missing {
		h.literal(`" data-o="`).int(int64(r.key.Offset)).literal(`" id="t`).int(int64(r.key.Offset)).literal(`"><span class="w"></span>`)
		s.key(h, b, r)
		h.span("v bad", "missing: the data ends here").literal("</div>")
		return
	}
	h.literal(`" data-o="`).int(int64(t.Offset)).literal(`" id="t`).int(int64(t.Offset)).literal(`"`)
	if t.IsContainer() {
		expanded := ` aria-expanded="false"`
		if open {
			expanded = ` aria-expanded="true"`
		}
		h.literal(expanded)
	}
	h.literal(`><span class="w"></span>`)
	s.key(h, b, r)
	s.preview(h, t)
	h.literal(`<span class="f">`).text(t.Format.String()).literal(`</span><span class="m">`)
	h.text(comma(int64(t.Offset)) + " · " + plural(int64(s.x.Size(t)), "byte")).literal("</span></div>")
}

// deepestIndent is the greatest indentation of a row.
const deepestIndent = 40

// key renders the index or the key of a row.
func (s *Session) key(h *html, b *branch, r *row) {
	if b.parent == nil || !isMap(b.token.Header) {
		h.literal(`<span class="i">`).int(r.at).literal(`</span>`)
		return
	}
	k := &r.key
	h.literal(`<span class="k" data-o="`).int(int64(k.Offset)).literal(`">`)
	if k.Format.Kind() == wire.KindStr {
		if path := s.name(k); path != "" {
			h.text(path).literal(`</span>`)
			return
		}
	}
	h.text(s.brief(k)).literal(`</span>`)
}

// name returns a key that is an identifier, or an empty string.
func (s *Session) name(k *index.Token) string {
	data := s.x.Data[k.Offset:k.End()]
	if step := scan.AppendKeyStep(nil, data, 0); bytes.Equal(step, data[k.Size:]) {
		return string(step)
	}
	return ""
}

// brief returns the text of a value, shortened.
func (s *Session) brief(t *index.Token) string {
	switch t.Format.Kind() {
	case wire.KindArray:
		return "[" + plural(s.x.Count(t), "element") + "]"
	case wire.KindMap:
		return "{" + plural(s.x.Count(t), "pair") + "}"
	}
	text, _ := diag.AppendValue(nil, t.Header, s.x.Data[t.Offset:t.End()], longestShown)
	return string(text)
}

// preview renders the value of a row.
func (s *Session) preview(h *html, t *index.Token) {
	text := s.brief(t)
	if t.Format.Kind() == wire.KindExt {
		if m, _ := exts.Of(t.Ext, s.x.Data[t.Offset+int(t.Size):t.End()]); m.Name != "" && m.Guess {
			text += " " + m.Name + "? " + m.Value
		}
	}
	h.span("v "+t.Format.Kind().String(), text)
}
