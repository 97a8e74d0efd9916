//go:build !race

package bytebuf_test

const raceEnabled = false
