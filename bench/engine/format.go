package engine

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

func Plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// A Unit is a unit of time.
type Unit struct {
	Name string
	ns   float64
}

// UnitFor returns the unit for a column of times with the given minimum. A column has only one unit, so that its
// figures can be compared easily.
func UnitFor(least float64) Unit {
	switch {
	case least < 10_000:
		return Unit{"ns", 1}
	case least < 10_000_000:
		return Unit{"µs", 1e3}
	}
	return Unit{"ms", 1e6}
}

func (u Unit) Format(ns float64) string { return Digits(ns / u.ns) }

// FormatTime formats one time with its unit.
func FormatTime(ns float64) string {
	u := UnitFor(ns)
	return u.Format(ns) + " " + u.Name
}

// Digits formats a number with at least three digits, and all digits before the point.
func Digits(x float64) string {
	switch {
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return humanize.Comma(int64(math.Round(x)))
}

// Whole formats a number that is an integer except for background allocations of the runtime.
func Whole(x float64) string { return humanize.Comma(int64(math.Round(x))) }
