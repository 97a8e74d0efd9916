package cases

import (
	"os/exec"
	"testing"

	"github.com/octet-go/octet/bench/engine"
)

// TestSize checks that Marshal and Unmarshal add no more to a program than when the limit was set; one
// megabyte is documented, and the size of a program is a multiple of a page.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("skipping in short mode: builds two programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	list, err := ProgramSizes()
	if err != nil {
		t.Fatal(err)
	}
	t.Log(list)
	if len(list) != len(sized) || list[1].Library != engine.Ours {
		t.Fatal(list)
	}
	if added := list[1].Bytes - list[0].Bytes; added <= 0 || added > 1<<20 {
		t.Errorf("Marshal and Unmarshal add %d bytes", added)
	}
}
