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
	list, err := programSizes()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(list)
	if len(list) != len(sized) || list[1].Library != ours {
		t.Fatal(list)
	}
	if added := list[1].Bytes - list[0].Bytes; added <= 0 || added > 1_000_000 {
		t.Errorf("Marshal and Unmarshal add %d bytes", added)
	}
}
