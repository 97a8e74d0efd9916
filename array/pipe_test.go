//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package array

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/octet-go/octet/binary"
)

// TestPipe opens a pipe to which nobody writes. Opening it must not wait for that.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	_, stat := Stat(path)
	_, read := Open[byte](path, &Options{ReadOnly: true, Format: Raw(binary.LittleEndian)})
	_, write := Open[byte](path, nil)
	for name, err := range map[string]error{"Stat": stat, "Open to read": read, "Open to write": write} {
		if !errors.Is(err, ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
