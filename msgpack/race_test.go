//go:build race

package msgpack_test

// raceEnabled is true under the race detector.
const raceEnabled = true
