//go:build race

package bytebuf_test

// Under the race detector sync.Pool forgets at random.
const raceEnabled = true
