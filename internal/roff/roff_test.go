package roff

import (
	"os/exec"
	"strings"
	"testing"
)

const text = `First line of a
paragraph, 'quoted' ` + "`twice`" + ` \ ~ ^ --flag:
  a  table → …
  b  .

.dot and
'quote at the beginning.

  123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456
After a table.
`

func TestText(t *testing.T) {
	const want = `First line of a
paragraph, \(aqquoted\(aq \(gatwice\(ga \e \(ti \(ha \-\-flag:
.br
.nf
  a  table \[u2192] \[u2026]
  b  .
.fi
.PP
\&.dot and
\(aqquote at the beginning.
.PP
.br
.nf
.in 2n
  123456789\-123456789\-123456789\-123456789\-123456789\-123456789\-123456789\-123456
.fi
.PP
After a table.
`
	if got := Text("\n" + text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Text("\n"); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	if got := Text("a\n\n\nb"); got != "a\n.PP\nb\n" {
		t.Errorf("after two empty lines: %q", got)
	}
}

// TestPrograms lets the programs that show manual pages show a text. No line is longer than
// a terminal, and every character is as it was.
func TestPrograms(t *testing.T) {
	page := ".TH X 1 \"\" \"X\" \"X\"\n.nh\n.ad l\n.SH DESCRIPTION\n" + Text(text)
	const want = `
DESCRIPTION
       First line of a paragraph, 'quoted' ` + "`twice`" + ` \ ~ ^ --flag:
         a  table → …
         b  .

       .dot and 'quote at the beginning.

    123456789-123456789-123456789-123456789-123456789-123456789-123456789-123456

       After a table.
`
	for _, command := range []string{"groff -Tutf8 -man -P-c", "mandoc -Tutf8"} {
		words := strings.Fields(command)
		t.Run(words[0], func(t *testing.T) {
			if _, err := exec.LookPath(words[0]); err != nil {
				t.Skip(err)
			}
			c := exec.Command(words[0], words[1:]...)
			c.Stdin = strings.NewReader(page)
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			// A letter, a backspace and the letter again is a bold one.
			shown := string(out)
			for i := strings.IndexByte(shown, '\b'); i > 0; i = strings.IndexByte(shown, '\b') {
				shown = shown[:i-1] + shown[i+1:]
			}
			if !strings.Contains(shown, want) {
				t.Errorf("%s shows\n%s\nwant\n%s", command, shown, want)
			}
		})
	}
}
