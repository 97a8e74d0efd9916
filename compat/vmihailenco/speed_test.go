package msgpack_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// start runs a program of the folder, and returns what it prints.
func (s scratch) start(name string, args ...string) []byte {
	s.Helper()
	c := exec.Command(filepath.Join(s.dir, name), args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		s.Fatalf("%s: %v", name, err)
	}
	return out
}

// TestSpeed runs a program with the library and with this module. It checks that all its cases work
// with both. With OCTET_SPEED=1 it also prints the time of this module ÷ that of the library.
func TestSpeed(t *testing.T) {
	turns, rounds := 1, "0"
	if os.Getenv("OCTET_SPEED") != "" {
		turns, rounds = 5, "5"
	}
	var programs [2]scratch
	for i := range programs {
		programs[i] = newScratch(t, i == 1)
		programs[i].copyAll("testdata/speed/*.go")
		programs[i].run("build", "-o", "speed.exe", ".")
	}
	var names []string
	var best [2]map[string]float64
	for turn := range turns {
		for i := range programs {
			if turn == 0 {
				best[i] = map[string]float64{}
			}
			for line := range strings.Lines(string(programs[i].start("speed.exe", rounds))) {
				name, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
				ns, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Errorf("%s: %s", name, text)
				}
				if old, ok := best[i][name]; !ok || ns < old {
					best[i][name] = ns
				}
				if turn == 0 && i == 0 {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) < 100 || len(best[0]) != len(best[1]) {
		t.Fatalf("%d and %d cases", len(best[0]), len(best[1]))
	}
	if rounds == "0" {
		return
	}
	quotient := func(name string) float64 { return best[1][name] / best[0][name] }
	slices.SortFunc(names, func(a, b string) int {
		if quotient(a) < quotient(b) {
			return -1
		}
		return 1
	})
	for _, name := range names {
		t.Logf("%.2f %s: %.0f ns, the library %.0f ns", quotient(name), name, best[1][name], best[0][name])
	}
	t.Logf("of %d cases half are below %.2f, 9 of 10 below %.2f", len(names), quotient(names[len(names)/2]), quotient(names[len(names)*9/10]))
}
