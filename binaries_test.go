package octet_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestNoPrograms requires that no compiled program, and no file that is larger than the largest one that is meant to
// be here, is part of the repository. go build leaves a program in the current folder.
func TestNoPrograms(t *testing.T) {
	const largest = 2 << 20
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skip("not a git repository: ", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		data, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) { // removed and not committed yet
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > largest {
			t.Errorf("%s has %d bytes, more than %d", name, len(data), largest)
		}
		for _, magic := range []string{"\x7fELF", "MZ\x90\x00", "\xcf\xfa\xed\xfe", "\x00asm"} {
			if bytes.HasPrefix(data, []byte(magic)) && !strings.Contains(name, "testdata/") {
				t.Errorf("%s is a compiled program", name)
			}
		}
	}
}
