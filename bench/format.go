package main

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

// A unit is a unit of time.
type unit struct {
	name string
	ns   float64
}

// unitFor returns the unit for a column of times with the given minimum. A column has only one unit, so that its
// figures can be compared easily.
func unitFor(least float64) unit {
	switch {
	case least < 10_000:
		return unit{"ns", 1}
	case least < 10_000_000:
		return unit{"µs", 1e3}
	}
	return unit{"ms", 1e6}
}

func (u unit) format(ns float64) string { return digits(ns / u.ns) }

// formatTime formats one time with its unit.
func formatTime(ns float64) string {
	u := unitFor(ns)
	return u.format(ns) + " " + u.name
}

// digits formats a number with at least three digits, and all digits before the point.
func digits(x float64) string {
	switch {
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return humanize.Comma(int64(math.Round(x)))
}

// whole formats a number that is an integer except for background allocations of the runtime.
func whole(x float64) string { return humanize.Comma(int64(math.Round(x))) }
