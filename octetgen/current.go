package octetgen

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"testing"
)

// Current fails the test if the file that octet-gen has written for the package in the working directory, which is
// that of the package of the test, differs from what it would write now. It takes as long as compiling the package.
func Current(t testing.TB) {
	t.Helper()
	present, err := os.ReadFile(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("octetgen: there is no %s in the directory of the package", FileName)
		return
	}
	if err != nil {
		t.Fatal(err)
		return
	}
	source, err := Generate(".")
	if err != nil {
		t.Fatal(err)
		return
	}
	if !bytes.Equal(present, source) {
		t.Errorf("%s is not current: the types or the generator have changed. Run go generate", FileName)
	}
}
