package view

import (
	"bytes"
	"errors"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/diff"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/stat"
)

// maxListed is the maximum number of findings, paths and differences in a list.
const maxListed = 1000

// errEnough stops lint.RunIndex and diff.Streams after maxListed results.
var errEnough = errors.New("enough")

// scanner returns a scanner of all data, which calls watch.
func (s *Session) scanner(watch index.Watch) *scan.Scanner {
	return scan.New(watch.Reader(s.x.Data), 0)
}

// Lint renders the findings of package lint. Each finding is a button that goes to
// its offset.
func (s *Session) Lint(strict bool, watch index.Watch) (string, error) {
	var h html
	n := 0
	_, err := lint.RunIndex(s.x, lint.Options{Canonical: strict}, watch, func(f lint.Finding) error {
		if n++; n > maxListed {
			return errEnough
		}
		s.finding(&h, int(f.Offset), string(f.Rule), f.Message, s.where(f.Value, f.Path))
		return nil
	})
	var f *scan.Fault
	if err != nil && err != errEnough && !errors.As(err, &f) {
		return "", err
	}
	var head html
	switch {
	case n == 0:
		head.literal("<p>Nothing found.</p>")
	case n > maxListed:
		head.literal("<p>The first ").text(plural(maxListed, "finding")).literal(":</p>")
	default:
		head.literal("<p>").text(plural(int64(n), "finding")).literal(":</p>")
	}
	return head.String() + `<ul class="list">` + h.String() + "</ul>", nil
}

// where returns a path, with the number of the top-level value if there are
// several.
func (s *Session) where(value int64, path string) string {
	if s.x.Rows() <= 1 {
		return path
	}
	var h html
	return strings.TrimSpace(h.int(value).literal(": ").String() + path)
}

func (s *Session) finding(h *html, offset int, rule, message, path string) {
	h.literal(`<li><button type="button" data-go="`).int(int64(offset)).literal(`">`)
	h.span("rule", rule).literal(" ").text(message).literal(" ")
	at := "offset " + comma(int64(offset))
	if path != "" {
		at += ", " + path
	}
	h.span("at", at).literal("</button></li>")
}

// Sizes renders the bytes by path: a treemap with a width in pixels, and a table.
func (s *Session) Sizes(width int, watch index.Watch) (string, error) {
	c := stat.NewCounter(stat.Limits{Keys: 200, Paths: 1 << 14})
	// If the data is malformed, the counts of the values before the fault are shown.
	var f *scan.Fault
	if err := c.AddIndex(s.x, watch); err != nil && !errors.As(err, &f) {
		return "", err
	}
	c.Finish()
	var svg bytes.Buffer
	width = min(max(width, 300), 1200)
	_ = c.Figure(&svg, "Bytes by path", width, max(2*width/3, 400)) // a bytes.Buffer never fails
	var h html
	h.literal(`<div class="map" tabindex="-1">` + svg.String() + `</div><table><caption>Bytes by path</caption><thead><tr><th>path<th>bytes<th>%<th>values<th>depth</tr></thead><tbody>`)
	n := 0
	c.Root.All(func(p *stat.Node) bool {
		if n++; n > maxListed {
			return false
		}
		path := p.Path
		if path == "" {
			path = "."
		}
		h.literal(`<tr><td><button type="button" data-path="`).text(path).literal(`">`).text(path).literal(`</button><td>`).text(comma(p.Total))
		h.literal("<td>").int(100 * p.Total / max(c.Root.Total, 1)).literal("<td>").text(comma(p.Count)).literal("<td>").int(int64(p.Depth)).literal("</tr>")
		return true
	})
	h.literal(`</tbody></table><table><caption>Formats</caption><thead><tr><th>format<th>values<th>bytes</tr></thead><tbody>`)
	for _, f := range c.Formats() {
		h.literal("<tr><td>").text(f.Format.String()).literal("<td>").text(comma(f.Count)).literal("<td>").text(comma(f.Bytes)).literal("</tr>")
	}
	return h.literal("</tbody></table>").String(), nil
}

// Example returns the offset of the first value at a path of [Session.Sizes]. All
// elements of an array share one path.
func (s *Session) Example(path string, watch index.Watch) (int, error) {
	if path == "." {
		path = ""
	}
	for number := int64(0); number < min(s.x.Rows(), 1000); number++ {
		offset, err := s.byPath(number, path, watch)
		if err != errNotFound {
			return offset, err
		}
	}
	return 0, errNotFound
}

// Compare renders the differences between s and other.
func (s *Session) Compare(other []byte, name string, watch index.Watch) (string, error) {
	var h html
	n := 0
	// The progress is that of reading s, also while something else takes long.
	at := 0
	read := index.Watch(func(done, total int) error {
		at = done
		return watch.Call(done, total)
	})
	pause := func() error { return watch.Call(at, len(s.x.Data)) }
	still := index.Watch(func(int, int) error { return pause() })
	o := diff.Options{Bytes: true, Pace: &canonical.Pace{Pause: pause}}
	side, err := diff.Streams(s.scanner(read), scan.New(still.Reader(other), 0), o, func(d diff.Difference) error {
		if n++; n > maxListed {
			return errEnough
		}
		return s.difference(&h, &d, still)
	})
	var f *scan.Fault
	if err != nil && err != errEnough && !errors.As(err, &f) {
		return "", err
	}
	var head html
	head.literal("<p>").text(name).literal(": ")
	switch {
	case n == 0 && err == nil:
		head.literal("no difference.")
	case n > maxListed:
		head.literal("the first ").text(plural(maxListed, "difference")).literal(".")
	default:
		head.text(plural(int64(n), "difference")).literal(".")
	}
	if f != nil {
		which := s.Name
		if side == 1 {
			which = name
		}
		head.literal(` <strong>`).text(which + " is malformed: " + f.Error()).literal("</strong>")
	}
	return head.literal("</p>").String() + `<ul class="list">` + h.String() + "</ul>", nil
}

// difference renders one difference.
func (s *Session) difference(h *html, d *diff.Difference, watch index.Watch) error {
	value, path := d.Value[0], d.Path[0]
	h.literal(`<li class="` + string(d.Op) + `">`)
	end := "</span>"
	offset, err := s.byPath(value, path, watch)
	if err := watch.Call(0, len(s.x.Data)); err != nil {
		return err
	}
	if err == nil && d.Op != diff.Add {
		h.literal(`<button type="button" data-go="`).int(int64(offset)).literal(`">`)
		end = "</button>"
	} else {
		h.literal("<span>")
	}
	if d.Op == diff.Add {
		value, path = d.Value[1], d.Path[1]
	}
	h.span("rule", string(d.Op)).literal(" ").span("at", s.where(max(value, 0), path))
	for i, class := range []string{"old", "new"} {
		if len(d.Data[i]) > 0 {
			h.literal(" ").span(class, s.short(d.Data[i]))
		}
	}
	h.literal(end + "</li>")
	return nil
}

// short returns a value in diagnostic notation, shortened.
func (s *Session) short(data []byte) string {
	text, err := s.notation(data[:min(len(data), 4<<10)], "")
	text = strings.TrimSuffix(text, "\n")
	if err != nil || len(text) > 2*longestShown {
		return plural(int64(len(data)), "byte")
	}
	return text
}
