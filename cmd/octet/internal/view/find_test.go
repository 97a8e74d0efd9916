package view

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// sameText reports whether two texts differ at most in the case of characters of the same
// length.
func sameText(a, b string) bool {
	for a != "" && b != "" {
		_, n := utf8.DecodeRuneInString(a)
		_, m := utf8.DecodeRuneInString(b)
		x, y := a[:n], b[:m]
		if x != y && (n != m || !utf8.ValidString(x) || !utf8.ValidString(y) || !strings.EqualFold(x, y)) {
			return false
		}
		a, b = a[n:], b[m:]
	}
	return a == b
}

// checkFind compares Find and Count with a slow search for text in payloads.
func checkFind(t *testing.T, s *Session, q Query) {
	t.Helper()
	f, err := s.Find(q, nil)
	if err != nil {
		return
	}
	if f.Offset < 0 || f.Offset >= len(s.Data()) {
		t.Fatalf("%+v is at %d of %d", q, f.Offset, len(s.Data()))
	}
	if !f.Match || !s.found.pattern.payload {
		return
	}
	text := strings.TrimSpace(q.Text)
	var all []int
	for at := 0; at+len(text) <= len(s.Data()); at++ {
		part := string(s.Data()[at : at+len(text)])
		if part != text && (q.Case || !sameText(part, text)) {
			continue
		}
		if c, ok := s.x.At(at); !ok || s.found.within(c.Token(), at) {
			all = append(all, at)
		}
	}
	n, total, err := s.Count(f.Offset, nil)
	if err != nil || total != len(all) || n < 1 || n > total || all[n-1] != f.Offset {
		t.Fatalf("%+v is at %d, number %d of %d, %v; want one of %d", q, f.Offset, n, total, err, all)
	}
	want := 1 // the number of the match that follows, or precedes
	if q.Back {
		want = total
		for want > 1 && all[want-1] >= q.From && all[0] < q.From {
			want--
		}
	} else {
		for want < total && all[want-1] <= q.From && all[total-1] > q.From {
			want++
		}
	}
	if n != want {
		t.Fatalf("%+v is number %d of %d, want %d", q, n, all, want)
	}
}

// TestFind searches text that is also in keys, in bytes, in numbers and in other cases.
func TestFind(t *testing.T) {
	data, _, err := Parse(`{"Name": "ÄPFEL äpfel [x]", "list": ["name", h'5b6e616d65', 1.5, 2.5e-7, 0x5b5b5b, ext(5, h'4e414d45')], "ключ": "КЛЮЧ"}`, "text")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, 0xcb, 0x5b, 0x5b, 0x5b, 0x5b, 0x5b, 0x5b, 0x5b, 0x5b) // a float that looks like text
	data = append(data, 0xc1)
	data = append(data, "name"...) // after a fault
	s := New("x", data)
	for _, c := range []struct {
		text      string
		sensitive bool
		want      int
	}{
		{"name", false, 5}, {"name", true, 3}, {"NAME", true, 1}, {"[", false, 2}, {"äpfel", false, 2}, {"äpfel", true, 1},
		{"клю", false, 2}, {"k", false, 0}, {"[x]", false, 1}, {"list", false, 1},
	} {
		offset, total := -1, 0
		for i := range c.want + 1 {
			f, err := s.Find(Query{Text: c.text, Case: c.sensitive, From: offset}, nil)
			if c.want == 0 {
				if err != errNotFound {
					t.Errorf("%s is at %d (%v), want none", c.text, f.Offset, err)
				}
				break
			}
			if err != nil || c.text != "list" && !f.Match {
				t.Fatalf("%s: %+v, %v", c.text, f, err)
			}
			if c.text == "list" { // a path
				total = 1
				break
			}
			offset = f.Offset
			n := 0
			if n, total, err = s.Count(offset, nil); err != nil || n != i%c.want+1 {
				t.Errorf("%s: match %d of %d (%v), want %d", c.text, n, total, err, i%c.want+1)
			}
			checkFind(t, s, Query{Text: c.text, Case: c.sensitive, From: offset, Back: true})
		}
		if total != c.want {
			t.Errorf("%s (case %v): %d matches, want %d", c.text, c.sensitive, total, c.want)
		}
	}
	if f, err := s.Find(Query{Text: "cb5b5b", From: -1}, nil); err != nil || !f.Match || !bytes.HasPrefix(data[f.Offset:], []byte("\xcb\x5b\x5b")) {
		t.Errorf("hex bytes are at %+v, %v", f, err)
	}
}

// TestFindInvalid searches bytes that are not UTF-8, and characters whose other case has
// another length.
func TestFindInvalid(t *testing.T) {
	s := New("x", []byte("\xac\xff\xfe\xffa\xfea\xffA\u212ak"))
	for _, c := range []struct {
		text string
		want int
	}{{"\xff", 3}, {"\xfe", 2}, {"\xffa", 2}, {"\xfea", 1}, {"\u212ak", 1}, {"k\u212a", 0}, {"K", 1}, {"\ufffd", 0}} {
		f, err := s.Find(Query{Text: c.text, From: -1}, nil)
		if c.want == 0 {
			if err != errNotFound {
				t.Errorf("%q is at %d (%v), want none", c.text, f.Offset, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		if _, total, err := s.Count(f.Offset, nil); err != nil || total != c.want {
			t.Errorf("%q: %d matches (%v), want %d", c.text, total, err, c.want)
		}
		checkFind(t, s, Query{Text: c.text, From: f.Offset, Back: true})
	}
}

// TestFindFar searches across the blocks of a search and the marks of the index.
func TestFindFar(t *testing.T) {
	var text strings.Builder
	for i := range 30000 {
		fmt.Fprintf(&text, `{"id": %d, "s": "needle%d"} `, i, i%7)
	}
	data, _, err := Parse(text.String(), "text")
	if err != nil {
		t.Fatal(err)
	}
	s := New("x", data)
	for _, q := range []Query{{From: -1}, {From: len(data) / 2}, {From: len(data) / 2, Back: true}, {Back: true}, {From: len(data)}} {
		q.Text = "NEEDLE3"
		checkFind(t, s, q)
	}
	if at, err := found(s, "20000: s", 0); err != nil || !bytes.HasPrefix(data[at:], []byte("\xa7needle1")) {
		t.Errorf("the path leads to %d, %v", at, err)
	}
}

// TestStop requires that an error of the watch ends each kind of work, and that the session
// stays as it was.
func TestStop(t *testing.T) {
	data := bytes.Repeat(sample(t), 1000)
	s := New("x", data)
	stop := errors.New("stop")
	calls := 0
	watch := func(done, total int) error {
		if calls++; done > total/2 {
			return stop
		}
		return nil
	}
	other := bytes.Replace(data, []byte("Linus"), []byte("Lynus"), 1)
	for name, work := range map[string]func() error{
		"open":    func() error { _, err := Open("x", data, watch); return err },
		"import":  func() error { _, _, err := Import([]byte("["+strings.Repeat("1,", 1<<20)+"1]"), watch); return err },
		"lint":    func() error { _, err := s.Lint(false, watch); return err },
		"sizes":   func() error { _, err := s.Sizes(800, watch); return err },
		"compare": func() error { _, err := s.Compare(other, "y", watch); return err },
		"find":    func() error { _, err := s.Find(Query{Text: "not there"}, watch); return err },
		"back":    func() error { _, err := s.Find(Query{Text: "not there", Back: true}, watch); return err },
		"edit":    func() error { return s.Edit(1, "1", watch) },
		"fix":     func() error { return s.Fix(watch) },
		JSON:      func() error { _, err := s.Export(new(strings.Builder), JSON, -1, watch); return err },
		Notation:  func() error { _, err := s.Export(new(strings.Builder), Notation, -1, watch); return err },
		GoLiteral: func() error { _, err := s.Export(new(strings.Builder), GoLiteral, -1, watch); return err },
		GoStruct:  func() error { _, err := s.Export(new(strings.Builder), GoStruct, -1, watch); return err },
	} {
		calls = 0
		if err := work(); !errors.Is(err, stop) || calls < 3 {
			t.Errorf("%s: %v after %d steps", name, err, calls)
		}
		if !bytes.Equal(s.Data(), data) || s.CanUndo() {
			t.Fatalf("%s: the data changed", name)
		}
	}
}
