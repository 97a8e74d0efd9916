package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// TestAhead checks which libraries count as faster.
func TestAhead(t *testing.T) {
	c := engine.Case{Group: "values", Shape: "struct/report", Verb: "Marshal"}
	example.Add(&c, 100, map[string]float64{engine.Ours: 1, "msgp": 0.8, "shamaton": 1.2, engine.Limit: 0.4})
	c.Entries = append(c.Entries,
		example.Synthetic("octet For", 90, 0.01),
		example.Synthetic("vmihailenco", 99, 0.05),
		engine.Entry{Library: "gob", Note: "left out"})
	var names []string
	for _, l := range leads(&engine.Results{Cases: []engine.Case{c}}) {
		names = append(names, l.Case.Name()+" "+l.Library)
	}
	if want := []string{"values/struct/report/Marshal msgp"}; !slices.Equal(names, want) {
		t.Errorf("ahead are %q, want %q", names, want)
	}
}

// TestReasons checks that the reason is next to the figure and in the table of reasons, and nowhere else.
func TestReasons(t *testing.T) {
	kept := reasons
	t.Cleanup(func() { reasons = kept })
	reasons = append(reasons[:0:0], reason{regexp.MustCompile(`^fixed/header/Append by `), "it is inlined"})
	r := example.Results()
	text := string(markdown(r))
	for _, want := range []string{
		"| by \\<hand> | 9.17 | 9.11–9.48 | 0.93 | 0.93–0.93 | 9 | 0 | 81 | it is inlined |",
		"| fixed/header/Append | by \\<hand> | 0.93 | 0.93–0.93 | it is inlined |",
		"| fixed/header/Decode | by \\<hand> | 0.93 | 0.93–0.93 |  |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "it is inlined"); n != 2 {
		t.Errorf("the reason is given %d times, want 2", n)
	}
	var b strings.Builder
	PrintUnexplained(&b, r)
	if want := "\n  fixed/header/Decode by <hand>\t0.93\n"; !strings.HasSuffix(b.String(), want) || strings.Contains(b.String(), "Append") {
		t.Errorf("without a reason are\n%s", b.String())
	}
}

func TestJoined(t *testing.T) {
	for _, c := range []struct{ one, other, want string }{{"", "", ""}, {"a", "", "a"}, {"", "b", "b"}, {"a", "b", "a; b"}} {
		if got := joined(c.one, c.other); got != c.want {
			t.Errorf("joined(%q, %q) = %q, want %q", c.one, c.other, got, c.want)
		}
	}
}
