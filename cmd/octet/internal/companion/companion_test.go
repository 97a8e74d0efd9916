package companion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// child is the program that the tests start: the test binary with this name. It prints its
// arguments and its input, and ends with the exit code in CHILD. If that is "wait", it ends
// when it is interrupted.
var child = Program{"is started by tests", "example.com/octet-child"}

func TestMain(m *testing.M) {
	code, isChild := os.LookupEnv("CHILD")
	if !isChild {
		os.Exit(m.Run())
	}
	fmt.Println(os.Args[1:])
	if code == "wait" {
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		fmt.Println("ready")
		<-interrupted
		fmt.Println("interrupted")
		os.Exit(0)
	}
	io.Copy(os.Stdout, os.Stdin)
	n, _ := strconv.Atoi(code)
	os.Exit(n)
}

// install puts the child into a new folder, and returns the folder and the file.
func install(t *testing.T) (dir, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	file = filepath.Join(dir, child.Name())
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, file
}

func TestFind(t *testing.T) {
	beside, besideFile := install(t)
	inPath, inPathFile := install(t)
	empty := t.TempDir()
	for _, c := range []struct {
		name, self, path, want string
	}{
		{"beside", filepath.Join(beside, "octet"), empty, besideFile},
		{"beside before PATH", filepath.Join(beside, "octet"), inPath, besideFile},
		{"in PATH", filepath.Join(empty, "octet"), inPath, inPathFile},
		{"in PATH, executable unknown", "", inPath, inPathFile},
		{"nowhere", filepath.Join(empty, "octet"), empty, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			got, err := child.find(c.self)
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%s, %v, want %s", got, err, c.want)
			}
			if err == nil {
				return
			}
			want := "octet-child, which is started by tests, is not installed; the archives of octet have it, and so does: go install example.com/octet-child@latest"
			if failure.CodeOf(err) != failure.Access || err.Error() != want {
				t.Errorf("code %d: %v", failure.CodeOf(err), err)
			}
		})
	}
}

// TestFindLink requires the program beside the file that a link to octet names.
func TestFindLink(t *testing.T) {
	dir, file := install(t)
	t.Setenv("PATH", t.TempDir())
	octet, link := filepath.Join(dir, "octet"), filepath.Join(t.TempDir(), "octet")
	if err := os.WriteFile(octet, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(octet, link); err != nil {
		t.Skip("no links:", err)
	}
	got, err := child.find(link)
	if err != nil {
		t.Fatal(err)
	}
	want, err := filepath.EvalSymlinks(file)
	if err != nil || got != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
}

func TestRun(t *testing.T) {
	dir, _ := install(t)
	t.Setenv("PATH", dir)
	for _, code := range []failure.Code{failure.OK, failure.Usage, failure.Data} {
		t.Setenv("CHILD", strconv.Itoa(int(code)))
		c, stdout, _ := consoletest.New("input")
		err := child.Run(t.Context(), c, []string{"--port=1", "a b"})
		if got := failure.CodeOf(err); got != code || errors.Is(err, ErrPrinted) != (code != failure.OK) {
			t.Errorf("code %d, %v, want %d", got, err, code)
		}
		if got := stdout.String(); got != "[--port=1 a b]\ninput" {
			t.Errorf("%q", got)
		}
	}
}

// TestRunInterrupt requires that the program gets the interrupt, and that Run waits for its
// end.
func TestRunInterrupt(t *testing.T) {
	dir, _ := install(t)
	t.Setenv("PATH", dir)
	t.Setenv("CHILD", "wait")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, _, _ := consoletest.New("")
	var out bytes.Buffer
	c.Stdout = writer(func(b []byte) (int, error) {
		out.Write(b)
		if strings.Contains(out.String(), "ready\n") {
			cancel()
		}
		return len(b), nil
	})
	if err := child.Run(ctx, c, nil); err != failure.ErrInterrupted {
		t.Error(err)
	}
	if runtime.GOOS != "windows" && !strings.HasSuffix(out.String(), "ready\ninterrupted\n") {
		t.Errorf("the program printed %q", &out)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
