//go:build race

package layout_test

// raceEnabled is true under the race detector.
const raceEnabled = true
