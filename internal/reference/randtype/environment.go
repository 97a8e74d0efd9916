package randtype

import (
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

// FromEnvironment returns the number in a variable of the environment, or otherwise if it
// is not set.
func FromEnvironment(t testing.TB, variable string, otherwise uint64) uint64 {
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
	return FromEnvironment(t, TypesVariable, usual)
}
