package main

import (
	"strconv"
	"testing"
)

// TestRun sends notifications on a network that works and on one that cuts connections. Function run fails if one does
// not arrive exactly once.
func TestRun(t *testing.T) {
	for resets, count := range map[int]int{0: 3000, 100_000: 1500} {
		t.Run(strconv.Itoa(resets), func(t *testing.T) {
			t.Parallel() // after each cut the client waits
			if err := run(count, 5, resets); err != nil {
				t.Errorf("connections that are cut after %d bytes: %v", resets, err)
			}
		})
	}
}
