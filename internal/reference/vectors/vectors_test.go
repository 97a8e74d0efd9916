package vectors

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// sum stands for a decoder: its result depends on every byte of the input.
func sum(_ string, b []byte) string {
	n := 0
	for _, c := range b {
		n += int(c)
	}
	return fmt.Sprint(len(b), " ", n)
}

// TestCheck writes a file of results and checks it. The file must have the results
// of the inputs, of their prefixes and of changed inputs.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vectors.txt")
	inputs := []Input{{"a", []byte{1, 2}, 5}, {"empty", nil, 0}}
	t.Setenv(Variable, "1")
	Check(t, file, inputs, sum)
	t.Setenv(Variable, "")
	Check(t, file, inputs, sum)
	text := write(inputs, sum)
	for _, want := range []string{"a 0102\na → 2 3\na[:0] → 0 0\na[:1] → 1 1\na[0]^", "empty \nempty → 0 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the file does not contain %q:\n%s", want, text)
		}
	}
	if n := strings.Count(text, "]^"); n != 5 {
		t.Errorf("%d results of changed inputs, want 5", n)
	}
}

// TestCompare checks that a result that differs from the file is reported, and that
// lines that do not fit the input are errors.
func TestCompare(t *testing.T) {
	for _, c := range []struct{ text, difference string }{
		{"a 0102\na → 2 3\na[1]^03 → 2 2\n", ""},
		{"a 0102\na[:1] → 1 2\n", "a[:1] (01):\n got 1 1\nwant 1 2"},
		{"a 0102\na[0]^ff → 2 3\n", "a[0]^ff (fe02):\n got 2 256\nwant 2 3"},
	} {
		var got string
		if n, err := compare(c.text, sum, func(f string, args ...any) { got += fmt.Sprintf(f, args...) }); n != 1 || err != nil || got != c.difference {
			t.Errorf("%q: %d, %v, %q", c.text, n, err, got)
		}
	}
	for _, text := range []string{"a 0", "b → 1", "a 01\na[2]^01 → 1", "a 01\na[:2] → 1", "a 01\na[0]^100 → 1", "a 01\na[x → 1"} {
		if _, err := compare(text, sum, t.Errorf); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}
