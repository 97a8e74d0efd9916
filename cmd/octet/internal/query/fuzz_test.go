package query

import (
	"errors"
	"io"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

// FuzzCompile compiles any text as a program. A syntax error must have a line and a
// column. The programs do not run, because a program of a few bytes can need any
// amount of memory.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{"", ".", ".a[0]", "{a:.b", "def f: f; f", "[.[] | select(.x)] | length", "..|numbers", "$x", "error", "\"\\(1)\"", "@base64", ". as [$a] | $a", "input"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p *Program
		var err error
		heaptest.AtMost(t, 2000*len(text)+2<<20, func() {
			p, err = Compile(text, Options{MessagePack: true, Debug: io.Discard, File: func() any { return nil }})
		})
		if err != nil {
			var s *SyntaxError
			if err.Error() == "" || errors.As(err, &s) && (s.Line < 1 || s.Column < 1) {
				t.Errorf("%q: %+v", text, err)
			}
			return
		}
		if p.Truth() || p.Changed().Total() != 0 || p.Replaced() != 0 {
			t.Errorf("%q has a result before it runs", text)
		}
	})
}
