// Package errtext has what the texts of errors of several packages share: how a long
// path is shortened, which name was probably meant, how a number gets its unit, and which
// characters a terminal may get.
package errtext

import (
	"strings"
	"unicode/utf8"
)

// Path returns the path of a place inside a value, without the middle of a long one.
// Recursive types and hostile input can cause paths of any length.
func Path(path string) string {
	const end = 100
	if len(path) <= 2*end+20 {
		return path
	}
	head, tail := end, len(path)-end
	for head > 0 && !utf8.RuneStart(path[head]) {
		head--
	}
	for tail < len(path) && !utf8.RuneStart(path[tail]) {
		tail++
	}
	return path[:head] + " … " + path[tail:]
}

// Similar returns the first of the names that differs least from name, if that is in
// fewer than three letters and in fewer than it has. Otherwise, it returns "". Case does
// not count.
func Similar(name string, names []string) string {
	best, least := "", 3
	for _, n := range names {
		if d := Distance(strings.ToLower(name), strings.ToLower(n)); d < least && d < len(n) {
			best, least = n, d
		}
	}
	return best
}

// Distance returns the number of bytes to insert, remove or replace that turns a into b.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
