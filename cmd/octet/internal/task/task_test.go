package task

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// wait is work that takes a second and a half.
func wait() (int, error) {
	time.Sleep(1500 * time.Millisecond)
	return 7, nil
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ticks := 0
		if n, err := Await(t.Context(), nil, func() { ticks++ }, wait); n != 7 || err != nil || ticks < 14 || ticks > 15 {
			t.Errorf("%d, %v after %d ticks", n, err, ticks)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if n, err := Await(ctx, nil, nil, wait); n != 0 || err != failure.ErrInterrupted {
			t.Errorf("interrupted: %d, %v", n, err)
		}
		quit := make(chan struct{})
		close(quit)
		if n, err := Await(t.Context(), quit, nil, wait); n != 0 || err != ErrQuit {
			t.Errorf("pager closed: %d, %v", n, err)
		}
		time.Sleep(time.Minute) // the goroutines of the last two end
	})
}

// TestAwaitEnd requires an error of work that has ended after an interrupt, because its
// input may have ended for the same reason.
func TestAwaitEnd(t *testing.T) {
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		n, err := Await(ctx, nil, nil, func() (int, error) { cancel(); return 7, nil })
		if n != 0 || err != failure.ErrInterrupted {
			t.Fatalf("%d, %v", n, err)
		}
	}
}

// TestSettle requires that work which notices an interrupt is waited for, and other work
// for a second only.
func TestSettle(t *testing.T) {
	own := errors.New("own")
	for _, c := range []struct {
		takes time.Duration
		want  error
	}{{500 * time.Millisecond, own}, {5 * time.Second, failure.ErrInterrupted}} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			start := time.Now()
			err := Settle(ctx, nil, func() error {
				time.Sleep(c.takes)
				return own
			})
			if waited := time.Since(start); err != c.want || waited > settleDelay {
				t.Errorf("work of %v: %v after %v, want %v", c.takes, err, waited, c.want)
			}
			time.Sleep(time.Minute)
		})
	}
}

// TestProgress runs work on a terminal, and requires that it is shown after a second.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		name           string
		terminal, pipe bool // standard error is one; the output is not
		quiet          bool
		takes          time.Duration
		want           bool
	}{
		{"long", true, true, false, 1500 * time.Millisecond, true},
		{"short", true, true, false, 500 * time.Millisecond, false},
		{"quiet", true, true, true, 1500 * time.Millisecond, false},
		{"no terminal", false, true, false, 1500 * time.Millisecond, false},
		{"output on the terminal", true, false, false, 1500 * time.Millisecond, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var stderr, out bytes.Buffer
				con := &console.Console{
					Stderr: &stderr, LookupEnv: func(string) (string, bool) { return "", false },
					IsTerminal: func(stream any) bool { return stream == &stderr && c.terminal || stream == &out && !c.pipe },
				}
				var done atomic.Int64
				p := NewProgress(con, 100, &out, c.quiet)
				if _, err := Await(t.Context(), nil, p.Tick(done.Load), func() (int, error) {
					done.Store(50)
					time.Sleep(c.takes)
					return 0, nil
				}); err != nil {
					t.Fatal(err)
				}
				p.Clear()
				if got := strings.Contains(stderr.String(), "50"); got != c.want {
					t.Errorf("shown: %v, want %v, %q", got, c.want, &stderr)
				}
			})
		})
	}
}

func TestRate(t *testing.T) {
	for _, c := range []struct {
		d     time.Duration
		bytes int64
		want  string
	}{
		{1234 * time.Microsecond, 10, "1.23ms"},
		{12345678, 999_999, "12.3ms"},
		{2 * time.Second, 5e6, "2s, 2.5 MB/s"},
		{123456 * time.Millisecond, 0, "2m3s"},
	} {
		if got := rate(c.d, c.bytes); got != c.want {
			t.Errorf("%v, %d bytes: %s, want %s", c.d, c.bytes, got, c.want)
		}
	}
}

// TestProduce checks when a file is replaced.
func TestProduce(t *testing.T) {
	t.Chdir(t.TempDir())
	con := &console.Console{Stdout: io.Discard, IsTerminal: func(stream any) bool { return stream == io.Discard }}
	found, broken := failure.New(failure.Finding, "", errors.New("found")), errors.New("broken")
	for _, c := range []struct {
		name string
		to   Target
		err  error // of the work
		want error
		text string // of the file
	}{
		{"complete", Target{Path: "out"}, nil, nil, "new"},
		{"finding", Target{Path: "out"}, found, found, "new"},
		{"finding in the input", Target{Path: "out", Input: true}, found, found, "old"},
		{"complete input", Target{Path: "out", Input: true}, nil, nil, "new"},
		{"failed", Target{Path: "out"}, broken, broken, "old"},
		{"no name", Target{}, nil, failure.ErrNoName, "old"},
		{"terminal", Target{Path: "-", Binary: true}, nil, ErrTerminal, "old"},
		{"forced", Target{Path: "-", Binary: true, Force: true}, nil, nil, "old"},
		{"binary file", Target{Path: "out", Binary: true}, nil, nil, "new"},
	} {
		if err := os.WriteFile("out", []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		err := c.to.Produce(t.Context(), con, func(w io.Writer) error {
			if _, err := io.WriteString(w, "new"); err != nil {
				t.Error(err)
			}
			return c.err
		})
		text, _ := os.ReadFile("out")
		if list, _ := os.ReadDir("."); !errors.Is(err, c.want) || string(text) != c.text || len(list) != 1 {
			t.Errorf("%s: %v, the file has %q, and there are %d", c.name, err, text, len(list))
		}
	}
}

// TestPainted requires that JSON is colored on standard output only.
func TestPainted(t *testing.T) {
	t.Chdir(t.TempDir())
	var stdout bytes.Buffer
	con := &console.Console{Stdout: &stdout, IsTerminal: func(any) bool { return false }}
	for _, path := range []string{"-", "out"} {
		to := Target{Path: path, Painted: true}
		if err := to.Produce(t.Context(), con, func(w io.Writer) error {
			_, err := io.WriteString(w, "[1]\n")
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile("out")
	if string(text) != "[1]\n" || !strings.Contains(stdout.String(), "\x1b[") {
		t.Errorf("the file has %q, and standard output %q", text, &stdout)
	}
}

func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	broken := errors.New("broken")
	_, err := os.OpenFile("none/out", os.O_WRONLY|os.O_CREATE, 0o666)
	missing := errors.Unwrap(err) // in the words of the system
	for _, c := range []struct {
		path string
		err  error // of the work
		want string
		text string // of the file
	}{{"out", nil, "", "new"}, {"out", broken, "out: broken", "new"}, {"none/out", nil, "none/out: " + missing.Error(), "new"}} {
		err := Write(t.Context(), c.path, nil, func(w io.Writer) error {
			if _, err := io.WriteString(w, "new"); err != nil {
				t.Error(err)
			}
			return c.err
		})
		text, _ := os.ReadFile("out")
		if list, _ := os.ReadDir("."); (err == nil) != (c.want == "") || err != nil && (err.Error() != c.want || failure.CodeOf(err) != failure.Access) || string(text) != c.text || len(list) != 1 {
			t.Errorf("%s: %v, want %s; the file has %q, and there are %d", c.path, err, c.want, text, len(list))
		}
	}
}

// A screen is a terminal that several goroutines write to.
type screen struct {
	mu   sync.Mutex
	text []byte
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = append(s.text, b...)
	return len(b), nil
}

// take returns what was written since the last call.
func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(s.text)
	s.text = nil
	return text
}

// TestProgressWriter requires that the progress gives way to output on the same terminal,
// and comes back only when the output has paused at the end of a line.
func TestProgressWriter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var screen screen
		con := &console.Console{
			Stdout: &screen, Stderr: &screen, LookupEnv: func(string) (string, bool) { return "", false },
			IsTerminal: func(stream any) bool { return stream != nil },
		}
		to := Target{Path: "-", Total: 1000, Done: func() int64 { return 500 }}
		shown := func() bool { return strings.Contains(screen.take(), "50") }
		if err := to.Produce(t.Context(), con, func(w io.Writer) error {
			for _, step := range []struct {
				text string
				want bool // the progress is shown in the two seconds after the text
			}{{"", true}, {"a line\n", true}, {"no end", false}, {" of line\n", true}} {
				if _, err := io.WriteString(w, step.text); err != nil {
					return err
				}
				if text := screen.take(); !strings.HasSuffix(text, step.text) {
					t.Errorf("%q is written as %q", step.text, text)
				}
				time.Sleep(progressDelay - time.Millisecond)
				synctest.Wait()
				if shown() {
					t.Errorf("%q: the progress is shown at once", step.text)
				}
				time.Sleep(progressDelay)
				synctest.Wait()
				if got := shown(); got != step.want {
					t.Errorf("%q: the progress is shown: %v, want %v", step.text, got, step.want)
				}
			}
			con.Note("a note")
			if text := screen.take(); text != "\x1b[2K\ra note\n" {
				t.Errorf("a note is written as %q", text)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if text := screen.take(); text != "" {
			t.Errorf("the screen has %q at the end", text)
		}
	})
}

// TestInterrupted requires that the error says how far the work came.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		done, total int64
		kept, want  string
	}{
		{0, 0, "", "interrupted"},
		{0, 5, "out", "interrupted; nothing was written to out"},
		{1500, 0, "", "interrupted after 1.5 kB"},
		{1500, 3e6, "out", "interrupted after 1.5 kB of 3.0 MB; nothing was written to out"},
		{7, 5, "", "interrupted after 7 B of 7 B"}, // the file has grown
	} {
		if err := Interrupted(c.done, c.total, c.kept); err.Error() != c.want || failure.CodeOf(err) != failure.Interrupted || !errors.Is(err, failure.ErrInterrupted) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
