//go:build race

package record

// raceEnabled is true under the race detector.
const raceEnabled = true
