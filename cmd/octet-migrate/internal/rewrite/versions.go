package rewrite

import (
	"fmt"
	"slices"
)

// older reports whether a version is older than another one. Neither is if one of them is not
// known.
func older(a, b string) bool {
	x, y := numbers(a), numbers(b)
	return len(x) > 0 && len(y) > 0 && slices.Compare(x, y) < 0
}

// numbers returns the three numbers of a version.
func numbers(version string) []int {
	n := make([]int, 3)
	if _, err := fmt.Sscanf(version, "v%d.%d.%d", &n[0], &n[1], &n[2]); err != nil {
		return nil
	}
	return n
}
