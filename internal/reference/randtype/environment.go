package randtype

import (
	"iter"
	"os"
	"strconv"
	"testing"
)

// Variables of the environment for long runs of the tests with random types, also those of
// package layout. A process keeps all types that it has made, so a very long run is best
// divided among processes.
const (
	TypesVariable = "OCTET_TYPES"      // how many random types, or as many values
	SeedVariable  = "OCTET_TYPES_SEED" // the seed of the first one
)

// fromEnvironment returns the number in a variable of the environment, or otherwise if it
// is not set.
func fromEnvironment(t testing.TB, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// Count returns how many random types or values a test tries: usual, or what TypesVariable says.
func Count(t testing.TB, usual uint64) uint64 {
	t.Helper()
	return fromEnvironment(t, TypesVariable, usual)
}

// First returns the seed of the first type or value: usual, or what SeedVariable says.
func First(t testing.TB, usual uint64) uint64 {
	t.Helper()
	return fromEnvironment(t, SeedVariable, usual)
}

// Seeds returns the seeds of as many random types or values as Count says, from First on,
// which is usually 0.
func Seeds(t testing.TB, usual uint64) iter.Seq[uint64] {
	t.Helper()
	first, n := First(t, 0), Count(t, usual)
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(first + i) {
				return
			}
		}
	}
}
