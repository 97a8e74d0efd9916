package arrays

import (
	"io"
	"strings"
	"testing"
)

// TestLongText requires an error for text that would be in memory as a whole, and that the length of all text is not limited.
func TestLongText(t *testing.T) {
	defer func(n int) { maxText = n }(maxText)
	maxText = 10_000
	long := strings.Repeat("1", 2*maxText)
	for _, c := range []struct{ format, text, want string }{
		{CSV, strings.Repeat("1,2\n", maxText), ""},
		{CSV, "1\n2\n" + long, "offset 4: a row of more than 10 kB"},
		{CSV, "1\n" + strings.Repeat("1,", maxText), "offset 2: a row of more than 10 kB"},
		{CSV, "1\n\"" + strings.Repeat("\n", 2*maxText), "a row of more than 10 kB"},
		{JSON, "[" + strings.Repeat("1,", maxText) + "1]", ""},
		{JSON, "[1," + long + "]", "offset 2: an element of more than 10 kB"},
		{JSON, `[1,"` + long, "an element of more than 10 kB"},
	} {
		s := Source{Path: "-", Format: c.format, Kind: Named("float64")}
		s.Begin = func() (io.Reader, io.Closer, error) { return strings.NewReader(c.text), io.NopCloser(nil), nil }
		in, err := s.Open(true)
		if err == nil {
			_, err = Write(io.Discard, in, Output{Format: NPY, Limit: -1})
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s of %d bytes: %v, want %q", c.format, len(c.text), err, c.want)
		}
	}
}
