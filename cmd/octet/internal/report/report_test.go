package report

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/diff"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/stat"
	"github.com/octet-go/octet/msgpack/wire"
)

func TestFindings(t *testing.T) {
	found := []lint.Finding{
		{Offset: 3, Path: "a", Rule: lint.Shortest, Message: "long"},
		{Offset: 9, Value: 2, Rule: lint.UTF8, Message: "not UTF-8"},
		{Line: 4, Column: 5, Path: "b", Rule: lint.UTF8, Message: "not UTF-8"},
	}
	for _, c := range []struct {
		name  string
		r     Findings
		lines string
		want  string // the error
	}{
		{"text", Findings{Limit: flags.All}, "f: offset 3 (a): long [shortest]\nf: value 3, offset 9: not UTF-8 [utf8]\nf: line 4, column 5 (b): not UTF-8 [utf8]\n",
			"3 findings (shortest 1, utf8 2)"},
		{"limit", Findings{Limit: 1}, "f: offset 3 (a): long [shortest]\n", "3 findings (shortest 1, utf8 2); 2 not shown, see --limit"},
		{"fixed", Findings{Limit: 0, Fixed: 2}, "", "1 finding left; 3 not shown, see --limit"},
		{"all fixed", Findings{Limit: 0, Fixed: 3}, "", ""},
		{"JSON", Findings{Limit: 1, JSON: true}, `{"file":"f","value":0,"offset":3,"path":"a","rule":"shortest","message":"long"}` + "\n", "3 findings (shortest 1, utf8 2); 2 not shown, see --limit"},
	} {
		var out bytes.Buffer
		c.r.Begin(&out, "f")
		for _, f := range found {
			if err := c.r.Print(f); err != nil {
				t.Fatal(err)
			}
		}
		c.r.End()
		if out.String() != c.lines || c.r.InFile != 3 {
			t.Errorf("%s: %q, want %q", c.name, out.String(), c.lines)
		}
		check(t, c.name, c.r.Result(), c.want)
	}
	r := Findings{Limit: flags.All}
	for range 2 {
		r.Begin(new(bytes.Buffer), "f")
		_ = r.Print(found[0])
		r.End()
	}
	r.Begin(new(bytes.Buffer), "g")
	r.End()
	check(t, "two files", r.Result(), "2 findings in 2 files")
}

// check requires an error with the code Finding and this text, or none.
func check(t *testing.T, name string, err error, want string) {
	t.Helper()
	if (err == nil) != (want == "") || err != nil && (err.Error() != want || failure.CodeOf(err) != failure.Finding) {
		t.Errorf("%s: %v, want %s", name, err, want)
	}
}

func TestDifferences(t *testing.T) {
	list := []diff.Difference{
		{Op: diff.Change, Path: [2]string{"a", "a"}, Data: [2][]byte{{1}, []byte("\xa2hi")}},
		{Op: diff.Remove, Value: [2]int64{1, -1}, Path: [2]string{"b[2]", ""}, Data: [2][]byte{{0xc0}, nil}},
		{Op: diff.Add, Value: [2]int64{-1, 0}, Path: [2]string{"", "c"}, Data: [2][]byte{nil, append([]byte{0xd9, 200}, bytes.Repeat([]byte("x"), 200)...)}},
		{Op: diff.Format, Path: [2]string{"d", "d"}, Data: [2][]byte{{0xcd, 0, 5}, {5}}},
		{Op: diff.Order, Path: [2]string{"", ""}},
	}
	for _, c := range []struct {
		name   string
		d      Differences
		lines  string
		result string
	}{
		{"text", Differences{Limit: flags.All, Width: 40}, "~ a: 1 → \"hi\"\n- value 2, b[2]: nil\n+ c: \"" + strings.Repeat("x", 43) + "…\n= d: cd 00 05 → 05\n= value 1: keys in another order\n", "5 differences"},
		{"limit", Differences{Limit: 1, Width: 80}, "~ a: 1 → \"hi\"\n", "5 differences; 4 not shown, see --limit"},
		{"JSON", Differences{Limit: 2, JSON: true}, `{"op":"change","value_a":0,"value_b":0,"path":"a","a":"1","b":"\"hi\""}` + "\n" + `{"op":"remove","value_a":1,"path":"b[2]","a":"nil"}` + "\n", "5 differences; 3 not shown, see --limit"},
	} {
		var out bytes.Buffer
		c.d.W, c.d.Palette = bufio.NewWriter(&out), console.NewPalette(false)
		for _, x := range list {
			if err := c.d.Print(x); err != nil {
				t.Fatal(err)
			}
		}
		if c.d.W.Flush(); out.String() != c.lines {
			t.Errorf("%s:\n%swant\n%s", c.name, &out, c.lines)
		}
		check(t, c.name, c.d.Result(), c.result)
	}
	var none Differences
	check(t, "none", none.Result(), "")
	quiet := Differences{Quiet: true}
	if err := quiet.Print(list[0]); err != ErrEnough {
		t.Errorf("quiet: %v", err)
	}
	check(t, "quiet", quiet.Result(), "the files differ")
}

func TestHexText(t *testing.T) {
	for text, want := range map[string]string{"": "", "\x01\xff": "01 ff", "123456789012": "31 32 33 34 35 36 37 38 39 30 31 32", "1234567890123": "31 32 33 34 35 36 37 38 39 30 31 32 …"} {
		if got := hexText([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// counted returns the counts of [{"a": 1}, {"a": "x", "b": nil}].
func counted(t *testing.T) *stat.Counter {
	t.Helper()
	c := stat.NewCounter(stat.Limits{Keys: 10, Paths: 10})
	if err := c.Add(scan.New(strings.NewReader("\x92\x81\xa1a\x01\x82\xa1a\xa1x\xa1b\xc0"), 0)); err != nil {
		t.Fatal(err)
	}
	c.Finish()
	return c
}

func TestTables(t *testing.T) {
	for _, c := range []struct {
		s    Statistics
		want string
	}{
		{Statistics{Depth: flags.All, Limit: flags.All}, `1 value, 13 bytes, nested 2 deep

          bytes      %          count  path  formats
             13  100.0              1  .     fixarray
             12   92.3              2  []    fixmap
              7   53.8              2  [].a  positive fixint 1, fixstr 1
              3   23.1              1  [].b  nil

`},
		{Statistics{Depth: flags.All, Limit: 2}, `1 value, 13 bytes, nested 2 deep

          bytes      %          count  path  formats
             13  100.0              1  .     fixarray
             12   92.3              2  []    fixmap
                 2 more paths

`},
		{Statistics{Depth: flags.All, Limit: flags.All, Width: 50}, `1 value, 13 bytes, nested 2 deep

bytes      %  count  path  formats
   13  100.0      1  .     fixarray
   12   92.3      2  []    fixmap
    7   53.8      2  [].a  positive fixint 1, fixstr 1
    3   23.1      1  [].b  nil

bytes      %  count  format
`},
	} {
		var out bytes.Buffer
		if err := c.s.Tables(&out, counted(t), console.NewPalette(false)); err != nil || !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%v\n%swant\n%s", err, &out, c.want)
		}
	}
	var out bytes.Buffer
	empty := stat.NewCounter(stat.Limits{Keys: 10, Paths: 10})
	empty.Finish()
	if err := (&Statistics{}).Tables(&out, empty, console.NewPalette(false)); err != nil || out.String() != "0 values, 0 bytes, nested 0 deep\n" {
		t.Errorf("no values: %v, %s", err, &out)
	}
}

func TestStatisticsJSON(t *testing.T) {
	var out bytes.Buffer
	s := Statistics{Depth: 1, Limit: flags.All}
	want := `{"values":1,"bytes":13,"depth":2,"paths":[` +
		`{"path":"","count":1,"bytes":13,"bytes_self":1,"bytes_keys":0,"kinds":{"array":1},"formats":{"fixarray":1}},` +
		`{"path":"[]","count":2,"bytes":12,"bytes_self":2,"bytes_keys":0,"kinds":{"map":2},"formats":{"fixmap":2}}],"paths_left":2,"formats":[`
	if err := s.JSON(&out, counted(t)); err != nil || !strings.HasPrefix(out.String(), want) {
		t.Errorf("%v\n%s\nwant\n%s", err, &out, want)
	}
}

// TestTablesFit requires that no line of the table is wider than the terminal, for paths and terminals of many
// widths, and that the columns are wide where there is room.
func TestTablesFit(t *testing.T) {
	for _, length := range []int{1, 10, 25, 26, 40, 59, 60, 61, 200} {
		data := wire.AppendInt(wire.AppendString(wire.AppendMapHeader(nil, 1), strings.Repeat("k", length)), 1)
		for width := 50; width < 130; width++ {
			c := stat.NewCounter(stat.Limits{Keys: 10, Paths: 100})
			if err := c.Add(scan.New(bytes.NewReader(data), 0)); err != nil {
				t.Fatal(err)
			}
			c.Finish()
			var b bytes.Buffer
			v := Statistics{Depth: flags.All, Limit: flags.All, Width: width}
			if err := v.Tables(&b, c, console.NewPalette(false)); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if n := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); n > width {
					t.Fatalf("a key of %d characters: a line of %d columns in a terminal of %d:\n%s", length, n, width, &b)
				}
			}
			if !strings.Contains(b.String(), strings.Repeat("k", min(length, 8))) {
				t.Fatalf("%d columns: the path is lost:\n%s", width, &b)
			}
		}
	}
}
