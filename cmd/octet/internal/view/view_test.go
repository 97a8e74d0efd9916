package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

func sample(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile("../page/testdata/sample.diag")
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := Parse(string(text), "text")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// exported returns the result of Export as text.
func exported(s *Session, form string, offset int) (text, note string, err error) {
	var b strings.Builder
	note, err = s.Export(&b, form, offset, nil)
	return b.String(), note, err
}

// found returns the offset that Find finds.
func found(s *Session, text string, from int) (int, error) {
	f, err := s.Find(Query{Text: text, From: from}, nil)
	return f.Offset, err
}

// TestRows compares parts of the tree, of the text and of the hex grid with the same
// lines of the whole.
func TestRows(t *testing.T) {
	data := bytes.Repeat(sample(t), 30)
	s := New("x", data)
	tree := strings.SplitAfter(s.Tree(0, 1<<30), "</div>")
	text := strings.SplitAfter(s.Text(0, 1<<30), "</div>")
	hex := strings.SplitAfter(s.Hex(0, 1<<30, 16), "</div>")
	if int64(len(tree)) != s.Rows()+1 || int64(len(text)) != s.Lines()+1 || len(hex) != (len(data)+15)/16+1 {
		t.Fatalf("%d rows, %d lines, %d lines of bytes; want %d, %d, %d", len(tree)-1, len(text)-1, len(hex)-1, s.Rows(), s.Lines(), (len(data)+15)/16)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		for name, part := range map[string]struct {
			all []string
			get func(first, n int64) string
		}{
			"tree": {tree, s.Tree}, "text": {text, s.Text},
			"hex": {hex, func(first, n int64) string { return s.Hex(first, n, 16) }},
		} {
			first := r.Int64N(int64(len(part.all)))
			n := r.Int64N(40)
			want := strings.Join(part.all[first:min(first+n, int64(len(part.all)))], "")
			if got := part.get(first, n); got != want {
				t.Fatalf("%s, %d rows from %d:\n%s\nwant\n%s", name, n, first, got, want)
			}
		}
	}
}

// TestSelect checks that each byte leads to a value whose row and line show it.
func TestSelect(t *testing.T) {
	data := sample(t)
	s := New("x", data)
	s.CollapseAll()
	level := func(row int64, ok bool) (n int) {
		if _, text, _ := strings.Cut(s.Tree(row, 1), `aria-level="`); ok {
			fmt.Sscan(strings.Split(text, `"`)[0], &n)
		}
		return n
	}
	for offset := range data {
		sel, ok := s.Select(offset)
		if !ok || offset < sel.Start || offset >= sel.End {
			t.Fatalf("byte %d selects %d to %d", offset, sel.Start, sel.End)
		}
		if row, ok := s.SelectRow(sel.Row); !ok || row.Node != sel.Node || row.Row != sel.Row {
			t.Fatalf("byte %d is in row %d, which selects node %d, want %d", offset, sel.Row, row.Node, sel.Node)
		}
		if up, ok := s.Select(sel.Parent); ok != (sel.Parent >= 0) || ok && (up.Start != sel.Parent || up.Head > sel.Start || up.End < sel.End) || level(up.Row, ok)+1 != level(sel.Row, true) {
			t.Fatalf("byte %d: the value at %d is in the one at %d", offset, sel.Start, sel.Parent)
		}
		if at, err := found(s, sel.Path, 0); sel.Path != "" && !strings.HasSuffix(sel.Path, "}") && (err != nil || at != sel.Start) {
			t.Fatalf("path %s leads to %d (%v), want %d", sel.Path, at, err, sel.Start)
		}
		if !strings.Contains(s.Text(sel.Line, 1), `data-o="`) {
			t.Fatalf("line %d of byte %d is empty", sel.Line, offset)
		}
	}
}

// TestMalformed renders every beginning of a file, and files with one changed byte.
func TestMalformed(t *testing.T) {
	data := sample(t)
	try := func(data []byte) {
		s := New("x", data)
		s.Tree(0, 1000)
		s.Text(0, 1000)
		s.Hex(0, 1000, 16)
		s.ExpandAll(-1)
		_, _ = s.Lint(true, nil)
		_, _ = s.Sizes(800, nil)
		for offset := 0; offset < len(data); offset += 17 {
			s.Select(offset)
		}
		for _, form := range []string{JSON, Reversible, Notation, GoLiteral, GoStruct} {
			if _, _, err := exported(s, form, -1); err == nil && s.Fault() != "" {
				t.Fatalf("%x: exported although %s", data, s.Fault())
			}
		}
	}
	for n := range data {
		try(data[:n])
	}
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		changed := bytes.Clone(data)
		changed[r.IntN(len(changed))] = byte(r.Uint32())
		try(changed)
	}
}

// TestJSON compares the export with that of package transcode.
func TestJSON(t *testing.T) {
	data, _, err := Parse(`{"a": [1, -5, 1.5, 1e30, true, null, "x\u0001\"\\é", [], {}], "t": time'2026-01-01T00:00:00.5Z', "b": h'0102ff', "big": 18446744073709551615, "f": 0.1_f32}`, "text")
	if err != nil {
		t.Fatal(err)
	}
	got, note, err := exported(New("x", data), JSON, -1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := transcode.AppendJSON(nil, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(got)); err != nil {
		t.Fatalf("%v in\n%s", err, got)
	}
	if compact.String() != string(want) {
		t.Errorf("JSON is\n%s\nwant\n%s", &compact, want)
	}
	if want := `JSON has no form for 3 values (1 bin, 1 timestamp, 1 float 32); the form "JSON, reversible" keeps them`; note != want {
		t.Errorf("the note is %s", note)
	}
}

// TestLost requires that Export refuses what JSON cannot hold, unless the form is
// reversible.
func TestLost(t *testing.T) {
	for text, want := range map[string]string{
		"1.0":                       "1.0",
		"ext(5, h'01')":             `{"$ext":{"type":5,"data":"AQ=="}}`,
		"{\"a\": nan}":              "",
		"[-inf]":                    "",
		"\"\\xff\"":                 "",
		"{\"a\": 1, \"a\": 2}":      "",
		"{[1]: 2, [{\"b\": 3}]: 4}": `{"[1]":2,"[{\"b\":3}]":4}`,
	} {
		data, _, err := Parse(text, "text")
		if err != nil {
			t.Fatal(err)
		}
		s := New("x", data)
		got, _, err := exported(s, JSON, -1)
		var compact bytes.Buffer
		_ = json.Compact(&compact, []byte(got))
		if compact.String() != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v; want %s", text, &compact, err, want)
		}
		if _, note, err := exported(s, Reversible, -1); err != nil && !strings.Contains(text, "2}") || note != "" {
			t.Errorf("%s, reversible: %v, %s", text, err, note)
		}
	}
}

// TestLiteral checks that the Go literal is Go.
func TestLiteral(t *testing.T) {
	data, _, err := Parse(`{"a": [1, -5, 1.5, inf, nan, -0.0, true, nil], 7: {}, [1]: {"x": {2: 3}}, "e": ext(5, h'01')} 5 {"k": [[]], "k": 1}`, "text")
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := exported(New("x", data), GoLiteral, -1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := format.Source([]byte("package p\n\n" + got)); err != nil {
		t.Fatalf("%v in\n%s", err, got)
	}
	for _, want := range []string{"msgpack.Pairs{", `{Key: int64(7), Value: map[string]any{}},`, `map[string]any{`, "math.Float64frombits(0x8000000000000000)"} {
		if !strings.Contains(got, want) {
			t.Errorf("the literal does not contain %s:\n%s", want, got)
		}
	}
}

func TestEdit(t *testing.T) {
	data := sample(t)
	s := New("x", data)
	at, err := found(s, "users[1].name", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Edit(at, "[1, 2, {}]", nil); err != nil {
		t.Fatal(err)
	}
	if text, _, _ := exported(s, Notation, at); text != "[\n  1,\n  2,\n  {}\n]\n" {
		t.Errorf("the value is now %s", text)
	}
	for _, text := range []string{"", "1 2", "[", "[1, 2, {}]"} {
		if err := s.Edit(at, text, nil); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	if undone, err := s.Undo(nil); err != nil || undone != at || !bytes.Equal(s.Data(), data) {
		t.Error("undo did not restore the data")
	}
	if err := s.Fix(nil); err != nil || bytes.Equal(s.Data(), data) {
		t.Errorf("rewriting changed nothing: %v", err)
	}
	if _, err := s.Undo(nil); err != nil || !bytes.Equal(s.Data(), data) {
		t.Error("undo did not restore the data")
	}
}

func TestImport(t *testing.T) {
	for _, c := range []struct{ data, form string }{
		{`{"a": 1}`, "JSON"}, {" [1]", "JSON"}, {"\ufeff{}", "JSON"},
		{"\x93\x01\x02\x03", "MessagePack"}, {"", "MessagePack"}, {"{\x01", "MessagePack"}, {"7", "JSON"},
		{"\xff\xfe{\x00\"\x00a\x00\"\x00:\x001\x00}\x00", "JSON in UTF-16LE"}, {"\x00\x00\x00[\x00\x00\x001\x00\x00\x00]", "JSON in UTF-32BE"},
		{"82 a1 61 01", "hex"}, {"h'0102'", "JSON or diagnostic notation"}, {"gaFhAQ==", "base64"},
		{"  gaFh\r\n  AQ==\n", "base64"},
		{"\x01\x02\x03\x04\x05", "MessagePack, but it looks like an unknown binary format (read as MessagePack, it is a stream of small integers)"},
	} {
		if _, form, err := Import([]byte(c.data), nil); err != nil || form != c.form {
			t.Errorf("%q is %s (%v), want %s", c.data, form, err, c.form)
		}
	}
	for data, want := range map[string]string{
		`{"a": }`:                  "this looks like JSON: ",
		"some text, with a comma":  "this looks like text",
		"hello world\n":            "this looks like text",   // the letters could be base64
		"\x00\x00\x00000":          "this looks like JSON: ", // "0" in UTF-32, and half of a character
		"\x28\xb5\x2f\xfd\x04\x00": "this is compressed by zstd",
		"\x5d\x2a\x4d\x18\x00\x00\x00\x00\x01octet-rec": "this is a record file",
		"\x89PNG\r\n\x1a\n\x00\x00":                     "this looks like a PNG image",
		"00000000: 82a1 6101                 ..a.\n":    "this looks like text, but is not JSON, hex, base64 or diagnostic notation: this looks like a hex dump",
	} {
		if _, _, err := Import([]byte(data), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
}

// TestParseForms parses text whose form could be mistaken for another one.
func TestParseForms(t *testing.T) {
	for _, c := range []struct{ text, want, form string }{
		{"82-a1-61-01", "\x82\xa1\x61\x01", "hex"}, {"1e-10", "\xcb\x3d\xdb\x7c\xdf\xd9\xd7\xbd\xbb", "JSON or diagnostic notation"},
		{"00:81:a1:\n    61:01", "\x00\x81\xa1\x61\x01", "hex"}, {"00000000 81a10101\n00000007", "\x00\x00\x00\x00\x81\xa1\x01\x01\x00\x00\x00\x07", "hex"},
	} {
		if data, form, err := Parse(c.text, "auto"); err != nil || string(data) != c.want || form != c.form {
			t.Errorf("%q is %x in %s (%v), want %x in %s", c.text, data, form, err, c.want, c.form)
		}
	}
	for _, dump := range []string{
		"00000000: 81a2 6964", "00000010: 81 a2", "\t0x0000:  4500 0034\n\t0x0010:  1234", "0000:  81 a2",
		"000000 81 a2 69 64 cd\n000005", "00000000  81 a2 69 64  |..id|\n00000004\n", "0000000 82 a1 61 01 00 00 00 00\r\n0000010\r\n",
		"00000000 00 00\n*\n00000020",
		"0xc000012340:   0x81   0xa1   0x61   0x01", "0x555555556004:\t0x81\t0xa2\n", "00000000:\t81a2",
	} {
		for _, form := range []string{"auto", "hex"} {
			if data, _, err := Parse(dump, form); err == nil || !strings.Contains(err.Error(), "hex dump") {
				t.Errorf("%q as %s: %x, %v", dump, form, data, err)
			}
		}
	}
}

// TestFalseCount renders a map whose count is larger than the number of its pairs.
func TestFalseCount(t *testing.T) {
	data := wire.AppendInt(wire.AppendMapHeader(nil, 1<<31), 5)
	s := New("x", data)
	tree := s.Tree(0, 10)
	if s.Rows() != 2 || !strings.Contains(tree, "missing") || strings.Count(tree, `<span class="w">`) != 2 { // which indents a row
		t.Errorf("%d rows: %s", s.Rows(), tree)
	}
}

// TestRoles checks the role of each byte.
func TestRoles(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"ab": "cd"}`, "ttkktss"},
		{`{1: -200}`, "tttnn"},
		{`h'0102'`, "tlbb"},
		{`ext(5, h'010203')`, "tlxeee"},
		{`time'2026-01-01T00:00:00Z'`, "txeeee"},
		{`"a"_16`, "tlls"},
		{`[1.5]_32`, "tllll" + "tnnnnnnnn"},
	} {
		data, _, err := Parse(c.text, "text")
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, 0xc1, 0x01) // the fault and the bytes after it have no role
		roles := New("x", data).roles(0, len(data))
		got := make([]byte, len(roles))
		for i, r := range roles {
			got[i] = byte(r)
		}
		if want := c.want + "zz"; string(got) != want {
			t.Errorf("the roles of %s are %s, want %s", c.text, got, want)
		}
	}
}
