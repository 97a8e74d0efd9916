package msgpack_test

import "testing"

// few reports whether the tests that try much of the same try less of it: with
// -short, and under the race detector. What kinds of cases they have stays the
// same.
func few() bool { return raceEnabled || testing.Short() }
