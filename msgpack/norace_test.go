//go:build !race

package msgpack_test

// raceEnabled makes the longest tests take fewer steps.
const raceEnabled = false
