//go:build race

package chain_test

// Under the race detector sync.Pool forgets at random.
const raceEnabled = true
