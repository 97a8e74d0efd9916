package msgpack_test

import "testing"

// reduced reports whether tests that try many similar cases try fewer of them: with
// -short, and under the race detector. The kinds of cases stay the same.
func reduced() bool { return raceEnabled || testing.Short() }
