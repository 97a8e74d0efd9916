package gotypes

import (
	"go/token"
	"testing"
)

// FuzzName makes a Go name of any text.
func FuzzName(f *testing.F) {
	for _, s := range []string{"", "user-name", "2024", "_", "日本", "\xff", "ID", "a.b c", "type"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name := Name(text); !token.IsIdentifier(name) || !token.IsExported(name) {
			t.Errorf("%q is named %q", text, name)
		}
	})
}
