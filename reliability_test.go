package octet_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testName matches the name of a test in docs/reliability.md.
var testName = regexp.MustCompile("`([a-z0-9_/-]+)\\.((?:Test|Fuzz)[A-Za-z0-9]+)`")

// TestReliability fails if docs/reliability.md names a test that does not exist, or
// has a promise without one.
func TestReliability(t *testing.T) {
	b, err := os.ReadFile("docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{} // the test files of a package
	names := 0
	for i, line := range strings.Split(string(b), "\n") {
		found := testName.FindAllStringSubmatch(line, -1)
		if strings.HasPrefix(line, "| ") && len(found) == 0 && !strings.HasPrefix(line, "| promise") && !strings.HasPrefix(line, "| what") && !strings.Contains(line, "| `") {
			t.Errorf("line %d: a promise without a test", i+1)
		}
		for _, m := range found {
			names++
			dir := m[1]
			if _, ok := tests[dir]; !ok {
				files, err := filepath.Glob(path.Join(dir, "*_test.go"))
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range files {
					source, err := os.ReadFile(name)
					if err != nil {
						t.Fatal(err)
					}
					tests[dir] += string(source)
				}
			}
			if !strings.Contains(tests[dir], "\nfunc "+m[2]+"(") {
				t.Errorf("line %d: %s has no %s", i+1, dir, m[2])
			}
		}
	}
	if names < 100 {
		t.Errorf("only %d tests are named", names)
	}
}

// TestCoverageFloor requires that README.md and CONTRIBUTING.md state the floors below which .ci/coverage fails.
func TestCoverageFloor(t *testing.T) {
	m := regexp.MustCompile(`-floor (\d+) -package (\d+) `).FindStringSubmatch(readText(t, ".ci/coverage"))
	if m == nil {
		t.Fatal(".ci/coverage has no floors")
	}
	for name, words := range map[string][2]string{"README.md": {" at least ", "% of the statements"}, "CONTRIBUTING.md": {" execute ", "% of all statements"}} {
		text := strings.Join(strings.Fields(readText(t, name)), " ")
		if !strings.Contains(text, words[0]+m[1]+words[1]) || !strings.Contains(text, m[2]+"% of those of each") {
			t.Errorf("%s does not state the floors of %s%% and %s%%", name, m[1], m[2])
		}
	}
}
