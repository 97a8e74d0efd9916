//go:build race

package bytebuf_test

// Under the race detector, sync.Pool drops items at random.
const raceEnabled = true
