package main

import (
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
)

// TestSlowPipe writes values to a pipe, one after another. Each must be converted
// before the next one arrives, without any time passing: the clock is fake, and
// the test ends when all goroutines wait.
func TestSlowPipe(t *testing.T) {
	const json, packed = "{\"a\":1}\n", "\x81\xa1a\x01"
	for _, c := range []struct{ from, to string }{{"json", "msgpack"}, {"msgpack", "json"}, {"json", "json"}, {"msgpack", "msgpack"}} {
		for _, flag := range []string{"--quiet", "--skip-bad", "--color=always"} {
			t.Run(c.from+" to "+c.to+" "+flag, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					in, out := map[string]string{"json": json, "msgpack": packed}[c.from], map[string]string{"json": json, "msgpack": packed}[c.to]
					if flag == "--color=always" && c.to == "json" {
						out = "{\x1b[36;1m\"a\"\x1b[0m:\x1b[33m1\x1b[0m}\n"
					}
					r, w := io.Pipe()
					var stdout consoletest.Buffer
					con, _, _ := consoletest.New("")
					con.Stdin, con.Stdout = r, &stdout
					done := make(chan int)
					go func() { done <- run(t.Context(), []string{"convert", "--from", c.from, "--to", c.to, flag}, con) }()
					for i := range 5 {
						io.WriteString(w, in)
						synctest.Wait()
						if want := strings.Repeat(out, i+1); stdout.String() != want {
							t.Errorf("after %d values: %q, want %q", i+1, stdout.String(), want)
						}
					}
					w.Close()
					if code := <-done; code != 0 {
						t.Errorf("exit %d", code)
					}
				})
			})
		}
	}
}

// TestStatsOfDevice requires that array stats, which reads a file several times, copies one that can be read only once.
func TestStatsOfDevice(t *testing.T) {
	stdout, stderr, code := runOctet(t, t.Context(), "array", "stats", "--from", "csv", os.DevNull)
	if code != 0 || !strings.Contains(stdout, "count     0") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
}

// TestRecordOfDevice requires that commands which need the size of a record file refuse one without, instead of finding
// no records in it.
func TestRecordOfDevice(t *testing.T) {
	for _, args := range [][]string{{"info"}, {"verify"}, {"index"}, {"split"}, {"merge", "-o", "new.rec"}, {"recover", "-o", "new.rec"}} {
		t.Chdir(t.TempDir())
		if _, stderr, code := runOctet(t, t.Context(), append([]string{"record", args[0], os.DevNull}, args[1:]...)...); code != 3 || !strings.Contains(stderr, "not a regular file") {
			t.Errorf("%s: exit %d, %s", args[0], code, stderr)
		}
		if _, err := os.Stat("new.rec"); err == nil {
			t.Errorf("%s left a file", args[0])
		}
	}
}
