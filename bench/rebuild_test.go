package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestRebuilt builds the program with the code of msgpackgen and measures one case with it.
func TestRebuilt(t *testing.T) {
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		t.Skip("builds this program with more libraries; set OCTET_LONG=1 to run it")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	program, err := buildWithResolver(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program, "-quick", "-rounds", "1", "-run", "(struct|array)/report/Marshal$")
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "msgpackgen:") {
			t.Error(line)
		}
	}
	if n := strings.Count(string(text), " msgpackgen "); n != 2 {
		t.Errorf("msgpackgen is in %d of 2 tables of\n%s", n, text)
	}
}
