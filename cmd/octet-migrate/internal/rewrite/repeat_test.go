package rewrite_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
)

// TestRepeatedRun rewrites each program again and requires the same files and findings: none of
// them depends on the order of a map.
func TestRepeatedRun(t *testing.T) {
	s := loadSuite(t)
	packages := byFolder(s.before)
	for _, name := range slices.Sorted(maps.Keys(s.archives)) {
		libraries, o := optionsFor(s.archives[name])
		o.Read = s.before.Read
		for range 2 {
			result, err := rewrite.Run(s.before.Fset, packages[name], libraries, o)
			if err != nil {
				t.Fatal(err)
			}
			files, err := result.Files(s.before.Fset, s.before.Read)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := listed(rewritten{files, result.Findings}), listed(s.programs[name]); got != want {
				t.Errorf("%s: a run gives\n%s\nand another one\n%s", name, want, got)
				break
			}
		}
	}
}

// listed returns the files and findings of a result as text.
func listed(r rewritten) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		fmt.Fprintf(&b, "%s:\n%s", name, r.files[name])
	}
	for _, f := range r.findings {
		fmt.Fprintln(&b, f.Pos, f.Kind, f.Name, f.Text)
	}
	return b.String()
}
