package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/command"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// TestMain runs the program instead of the tests if the test binary has its name.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "octet-serve" {
		main()
	}
	os.Exit(m.Run())
}

// request sends a request and returns the status and the body.
func request(t *testing.T, method, address, host string) (int, string) {
	t.Helper()
	q, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Host = host
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	put(t, file, `{"first": 1}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		c, _, _ := consoletest.New("")
		c.Stdout = w
		done <- run(ctx, []string{file, "--from", "json"}, c)
	}()
	address, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("the address is %s", address)
	}
	if code, body := request(t, "GET", address, ""); code != 200 || !strings.Contains(body, ">first</span>") {
		t.Errorf("the page has status %d", code)
	}
	put(t, file, `{"second": 1}`)
	if _, body := request(t, "GET", address, ""); !strings.Contains(body, ">second</span>") {
		t.Error("the file was not read again")
	}
	if code, _ := request(t, "GET", address, "evil.example"); code != http.StatusMisdirectedRequest {
		t.Errorf("another host name has status %d", code)
	}
	root := address[:strings.LastIndex(strings.TrimSuffix(address, "/"), "/")+1]
	if code, _ := request(t, "GET", root, ""); code != 404 {
		t.Errorf("without the secret, the status is %d", code)
	}
	if code, _ := request(t, "POST", address, ""); code != 405 {
		t.Errorf("POST has status %d", code)
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestMessages(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "bad.json", `{`)
	_, err := os.Lstat("none.msgpack")
	missing := errors.Unwrap(err) // in the words of the system
	for _, c := range []struct {
		args, want string
		code       failure.Code
	}{
		{"none.msgpack", "octet-serve: none.msgpack: " + missing.Error() + "\n", failure.Access},
		{"bad.json", "octet-serve: bad.json: ", failure.Data},
		{"-", "octet-serve: serve reads the file each time the page is loaded", failure.Usage},
		{"a b", "octet-serve: serve shows one file, not 2\nTry: octet-serve --help\n", failure.Usage},
		{"--prot 1", "octet-serve: unknown flag: --prot; did you mean --port or --from?\n", failure.Usage},
	} {
		con, _, stderr := consoletest.New("")
		if code := run(t.Context(), strings.Fields(c.args), con); code != int(c.code) || !strings.HasPrefix(stderr.String(), c.want) {
			t.Errorf("%s: exit %d, %s", c.args, code, stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	con, stdout, stderr := consoletest.New("")
	if code := run(t.Context(), []string{"--help"}, con); code != 0 {
		t.Fatal(stderr)
	}
	for _, part := range []string{"Serve runs a web server", "  octet-serve --open std.msgpack         opens", "--port N", "Exit codes:"} {
		if !strings.Contains(stdout.String(), part) {
			t.Errorf("the help does not contain %q:\n%s", part, stdout)
		}
	}
	for line := range strings.Lines(stdout.String()) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > command.HelpWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	con, stdout, _ = consoletest.New("")
	if code := run(t.Context(), []string{"--version"}, con); code != 0 || !strings.HasPrefix(stdout.String(), "octet-serve ") {
		t.Errorf("--version: exit %d, %q", code, stdout)
	}
}

// TestCompletion asks what the scripts for shells ask.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{"--from ": "json\nmsgpack\n", "--op": "--open\topen the page in the browser\n"} {
		con, stdout, _ := consoletest.New("")
		if code := run(t.Context(), append([]string{"__complete"}, strings.Split(line, " ")...), con); code != 0 || !strings.HasPrefix(stdout.String(), want) {
			t.Errorf("%q: exit %d, %q", line, code, stdout)
		}
	}
}

// TestStartedByOctet builds octet, puts this program beside it, and loads the page that
// octet serve serves.
func TestStartedByOctet(t *testing.T) {
	if testing.Short() {
		t.Skip("skipping in short mode: builds octet")
	}
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", dir, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "octet-serve")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "a.json"), `{"first": 1}`)
	c := exec.Command(filepath.Join(dir, "octet"), "serve", "a.json")
	c.Dir, c.Env = dir, append(os.Environ(), "PATH="+t.TempDir())
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(out)
	address, err := r.ReadString('\n')
	if err != nil {
		c.Process.Kill()
		t.Fatal(err, c.Wait(), &stderr)
	}
	if code, body := request(t, "GET", strings.TrimSpace(address), ""); code != 200 || !strings.Contains(body, ">first</span>") {
		t.Errorf("the page has status %d", code)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 { // ends when neither program has the pipe
		t.Errorf("%q, %v", rest, err)
	}
	if err := c.Wait(); err != nil || stderr.String() != "Press Ctrl-C to stop.\n" {
		t.Errorf("%v, %s", err, &stderr)
	}
}
