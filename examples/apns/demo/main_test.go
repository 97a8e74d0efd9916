package main

import "testing"

// TestRun sends notifications on a network that works and on one that cuts connections. Run itself counts what arrives.
func TestRun(t *testing.T) {
	for _, resets := range []int{0, 100_000} {
		if err := run(3000, 5, resets); err != nil {
			t.Errorf("connections that are cut after %d bytes: %v", resets, err)
		}
	}
}
