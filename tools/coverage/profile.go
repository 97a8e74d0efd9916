package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A block is a run of statements without branches, in one file. It is the unit that go test counts.
type block struct {
	file        string // relative to the root of the module
	line, col   int
	end, endCol int
	statements  int
}

// A profile has every block that was compiled in some build, and whether a test executed it.
type profile map[block]bool

// add merges the profile of one build, as go test -coverprofile writes it.
func (p profile) add(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n == 1 && strings.HasPrefix(lines.Text(), "mode: ") {
			continue
		}
		b, covered, err := parse(lines.Text())
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
		p[b] = p[b] || covered
	}
	return lines.Err()
}

// parse reads a line such as "github.com/octet-go/octet/binary/order.go:12.34,15.2 2 1": the file, where the block
// begins and ends, the number of statements, and how often they ran.
func parse(line string) (b block, covered bool, err error) {
	name, rest, ok := strings.Cut(line, ":")
	fields := strings.FieldsFunc(rest, func(r rune) bool { return r == '.' || r == ',' || r == ' ' })
	if !ok || len(fields) != 6 {
		return block{}, false, fmt.Errorf("not a line of a coverage profile: %q", line)
	}
	var numbers [6]int
	for i, f := range fields {
		if numbers[i], err = strconv.Atoi(f); err != nil {
			return block{}, false, fmt.Errorf("not a line of a coverage profile: %q", line)
		}
	}
	b = block{strings.TrimPrefix(name, modulePath+"/"), numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]}
	return b, numbers[5] > 0, nil
}

// blocks returns the blocks in the order of the files.
func (p profile) blocks() []block {
	return slices.SortedFunc(maps.Keys(p), func(a, b block) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
	})
}

// A count has numbers of statements.
type count struct{ all, covered int }

func (c count) percent() float64 { return 100 * float64(c.covered) / float64(c.all) }

// report prints a line for each package and one for all of them. It reports whether the floors are reached.
func (p profile) report(w io.Writer, floor floors) bool {
	counts := make(map[string]*count)
	var total count
	for b, covered := range p {
		dir := path.Dir(b.file)
		c := counts[dir]
		if c == nil {
			c = new(count)
			counts[dir] = c
		}
		for _, c := range []*count{c, &total} {
			c.all += b.statements
			if covered {
				c.covered += b.statements
			}
		}
	}
	ok := true
	line := func(name string, c count, floor float64) {
		note := ""
		if c.percent() < floor {
			ok = false
			note = fmt.Sprintf("  below %g%%", floor)
		}
		fmt.Fprintf(w, "%6d of %6d  %6.2f%%  %s%s\n", c.covered, c.all, c.percent(), name, note)
	}
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		line(dir, *counts[dir], floor.each)
	}
	line("all packages", total, floor.all)
	return ok
}
