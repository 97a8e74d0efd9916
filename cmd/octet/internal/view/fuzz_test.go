package view

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/internal/heaptest"
)

// FuzzSession calls the functions of the page with any bytes: it renders them in
// every form, selects, searches, edits and undoes.
func FuzzSession(f *testing.F) {
	for _, s := range []string{
		"", "\xc0", "\x82\xa1a\x92\x01\xcd\x01\x00\xa1b\xd6\xff\x00\x00\x00\x01", "\x93\x01", "\xdd\xff\xff\xff\xff", "\xa2\xff\xfe", "\xc1", "\x81\xc4\x01a\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
	} {
		f.Add([]byte(s), "a", "7", uint16(3))
		f.Add([]byte(s), "[0]", `"<b>&"`, uint16(0))
	}
	f.Fuzz(func(t *testing.T, data []byte, find, edit string, at uint16) {
		if len(data) > 1000 || len(edit) > 1000 {
			return
		}
		if safe := Escape(edit); strings.ContainsAny(safe, "<>\"\x00") {
			t.Errorf("%q is %q in HTML", edit, safe)
		}
		var s *Session
		heaptest.AtMost(t, 2000*len(data)+4<<20, func() {
			var err error
			if s, err = Open("x", bytes.Clone(data), func(int, int) error { return nil }); err != nil {
				t.Fatal(err)
			}
			s.Tree(0, 100)
			s.Text(0, 100)
			s.Hex(0, 100, 16)
			s.Summary()
			_, _ = s.Lint(true, nil)
		})
		// A value has a node with its whole path, which a table shows.
		heaptest.AtMost(t, 16_000*len(data)+4<<20, func() { _, _ = s.Sizes(int(at), nil) })
		if other := New("x", data); other.Summary() != s.Summary() || other.Lines() != s.Lines() {
			t.Errorf("New: %s, in steps: %s", other.Summary(), s.Summary())
		}
		for _, form := range []string{JSON, Reversible, Notation, GoLiteral, GoStruct} {
			if text, _, err := exported(s, form, -1); err == nil && s.Fault() != "" {
				t.Errorf("exported as %s although %s:\n%s", form, s.Fault(), text)
			}
		}
		if text, _, err := exported(s, Notation, -1); err == nil && len(data) > 0 {
			if back, _, err := Parse(text, "text"); err != nil || !bytes.Equal(back, data) {
				t.Errorf("% x is\n%s\nwhich is % x, %v", data, text, back, err)
			}
		}
		offset := int(at) % (len(data) + 2)
		if sel, ok := s.Select(offset); ok && (offset < sel.Start || offset >= sel.End || sel.End > len(data)) {
			t.Errorf("byte %d selects %d to %d", offset, sel.Start, sel.End)
		}
		s.SelectRow(int64(at))
		s.SelectLine(int64(at))
		s.Toggle(offset)
		s.ExpandAll(offset)
		checkFind(t, s, Query{Text: find, From: offset - 1, Back: at%2 == 0, Case: at%3 == 0})
		_, _ = s.Example(find, nil)
		_, _ = s.Compare([]byte(edit), "y", nil)
		if err := s.Edit(offset, edit, nil); err == nil {
			if s.CanUndo() {
				_, _ = s.Undo(nil)
			}
			if !bytes.Equal(s.Data(), data) {
				t.Errorf("% x became % x after an edit and undo", data, s.Data())
			}
		}
		if err := s.Fix(nil); err == nil && s.Fault() == "" {
			if got, want := countValues(s.Data()), countValues(data); got != want {
				t.Errorf("% x with %d values is fixed as % x with %d", data, want, s.Data(), got)
			}
		}
	})
}

// countValues returns the number of values of which data consists.
func countValues(data []byte) (n int) {
	for ; len(data) > 0; n++ {
		data = data[canonical.End(data):]
	}
	return n
}

// FuzzParse parses any text in every form. Bytes that were parsed as hex or base64
// are encoded by the standard library and must parse to the same bytes.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "82 a1 61", "0x82,0xa1", `\x82\xa1`, "gqFhAQ==", "{\"a\": [1, h'00']}", "\ufeff[1]", "12", "[1", "time'2026-01-01T00:00:00Z'"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []string{"auto", "hex", "base64", "text"} {
			var data []byte
			var name string
			var err error
			heaptest.AtMost(t, 200*len(text)+4<<20, func() { data, name, err = Parse(text, form) })
			if (err == nil) != (name != "") || err != nil && err.Error() == "" {
				t.Errorf("%q as %s is %q, %v", text, form, name, err)
			}
			if err != nil {
				continue
			}
			switch form {
			case "hex":
				if back, _, err := Parse(hex.EncodeToString(data), form); err != nil || !bytes.Equal(back, data) {
					t.Errorf("%q is % x, then % x, %v", text, data, back, err)
				}
			case "base64":
				if back, _, err := Parse(base64.StdEncoding.EncodeToString(data), form); err != nil || !bytes.Equal(back, data) {
					t.Errorf("%q is % x, then % x, %v", text, data, back, err)
				}
			}
		}
		data, form, err := Import([]byte(text), nil)
		if err == nil && form == "MessagePack" && string(data) != text {
			t.Errorf("%q became % x", text, data)
		}
	})
}
