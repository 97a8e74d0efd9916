package output

import (
	"strings"
	"testing"
)

func TestJSONLines(t *testing.T) {
	var b strings.Builder
	e := JSONLines(&b)
	for _, v := range []any{"<a&b>", 1} {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if want := "\"<a&b>\"\n1\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
