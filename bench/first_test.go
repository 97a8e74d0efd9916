package main

import (
	"os"
	"testing"
)

// TestMain allows the tests to start their own program for the calls of the group first.
func TestMain(m *testing.M) {
	if serveFirst() || serveLarge() {
		return
	}
	os.Exit(m.Run())
}
