//go:build race

package cases

// instrumented reports whether the race detector is on, which makes all code several times slower.
const instrumented = true
