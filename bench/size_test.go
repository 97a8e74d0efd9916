package main

import (
	"os/exec"
	"testing"
)

// TestSize keeps what Marshal and Unmarshal add to a program within the megabyte that is promised.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("two programs are built")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	without, with, err := programSizes()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes without, %d with", without, with)
	if with-without > 1_000_000 {
		t.Errorf("Marshal and Unmarshal add %d bytes", with-without)
	}
	if with <= without {
		t.Errorf("%d bytes with, %d without", with, without)
	}
}
