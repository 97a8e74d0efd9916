package main

import (
	"os"
	"testing"

	"github.com/octet-go/octet/bench/cases"
)

// TestMain allows the tests to start their own program for the calls of the group first.
func TestMain(m *testing.M) {
	if cases.ServeFirst() || cases.ServeLarge() {
		return
	}
	os.Exit(m.Run())
}
