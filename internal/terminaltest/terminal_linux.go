package terminaltest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A Terminal is a terminal whose screen a test can read.
type Terminal struct {
	*os.File // as a program gets it
	screen   *os.File
}

// Open opens a terminal until the test ends. It skips the test if the system has none.
func Open(t testing.TB) *Terminal {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	f, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { f.Close() })
	return &Terminal{f, screen}
}

// Shown returns what was written to the terminal since the last call.
func (s *Terminal) Shown(t testing.TB) string {
	t.Helper()
	const end = "END OF TEST"
	if _, err := s.WriteString(end); err != nil {
		t.Fatal(err)
	}
	shown := ""
	for b := make([]byte, 4096); !strings.HasSuffix(shown, end); {
		size, err := s.screen.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		shown += string(b[:size])
	}
	return strings.TrimSuffix(shown, end)
}
