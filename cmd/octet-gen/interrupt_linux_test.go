package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asCommand is the variable with which the program of the tests is octet-gen.
const asCommand = "OCTET_GEN_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	m.Run()
}

// TestInterrupted interrupts octet-gen, alone and with the go command that it runs, while that runs. It leaves no temporary files.
func TestInterrupted(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command:", err)
	}
	for _, group := range []bool{false, true} {
		temp := t.TempDir()
		var stderr strings.Builder
		command := exec.Command(os.Args[0], "-check", "-dir", "../../octetgen/internal/shapes")
		command.Env = append(os.Environ(), asCommand+"=1", "TMPDIR="+temp)
		command.Stderr = &stderr
		command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		// The first program that a Go program starts is preceded by a process that shares its memory and its handlers of
		// signals (os.checkClonePidfd). A signal to the group must not reach that one: it can stop both.
		for tries := 0; !entries(t, temp) || !hasChild(command.Process.Pid); tries++ {
			if tries == 60_000 {
				command.Process.Kill()
				t.Fatal("no temporary files appeared")
			}
			time.Sleep(time.Millisecond)
		}
		target := command.Process.Pid
		if group {
			target = -target
		}
		if err := syscall.Kill(target, syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		var exit *exec.ExitError
		if err := command.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 || !strings.HasSuffix(stderr.String(), "octet_gen.go is unchanged\n") {
			t.Errorf("group %v: %v\n%s", group, err, stderr.String())
		}
		if entries(t, temp) {
			t.Errorf("group %v: octet-gen leaves temporary files", group)
		}
	}
}

// hasChild reports whether a process has started another program, or that cannot be known.
func hasChild(pid int) bool {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(children)) {
			if program, err := os.Readlink("/proc/" + child + "/exe"); err == nil && filepath.Base(program) == "go" {
				return true
			}
		}
	}
	return len(lists) == 0
}

// entries reports whether octet-gen has a directory for its files in temp.
func entries(t *testing.T, temp string) bool {
	t.Helper()
	list, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), "octet-gen-") {
			return true
		}
	}
	return false
}
