package errtext

import "fmt"

// Counted returns a number with its unit in the singular or plural, such as
// "2 bytes". It is not inlined, because the texts of errors are in every program.
//
//go:noinline
func Counted[N int | int64 | uint32 | uint64](n N, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprint(n) + " " + unit
}
