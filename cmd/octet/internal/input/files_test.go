package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// TestEvery requires that an error about one file does not keep a command from the others, that every other error ends it, and
// that the last error has the worst code.
func TestEvery(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, data := range map[string]string{"a.json": "[1]", "b.json": "[2]", "cut.json": "[1"} {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	finding := failure.New(failure.Finding, "", errors.New("1 finding"))
	stop := errors.New("stop")
	for _, c := range []struct {
		paths, visited, reported []string
		stop                     string // the file whose visit returns stop
		result                   error
		want                     string
		code                     failure.Code
	}{
		{paths: []string{"a.json", "b.json"}, visited: []string{"a.json", "b.json"}, want: "<nil>"},
		{paths: []string{"a.json", "b.json"}, visited: []string{"a.json", "b.json"}, result: finding, want: "1 finding", code: failure.Finding},
		{paths: []string{"nope", "cut.json", "-", "a.json"}, visited: []string{"cut.json", "-", "a.json"}, reported: []string{"nope", "cut.json", "standard input"},
			want: "errors in 3 of 4 files", code: failure.Data},
		{paths: []string{"a.json", "nope"}, visited: []string{"a.json"}, reported: []string{"nope"}, result: finding,
			want: "1 finding; errors in 1 of 2 files", code: failure.Access},
		{paths: []string{"nope", "a.json", "b.json"}, visited: []string{"a.json"}, reported: []string{"nope"}, stop: "a.json", want: "stop", code: failure.Usage},
		{paths: []string{"nope"}, want: "nope: " + notThere(), code: failure.Access},
		{paths: []string{"a.json"}, visited: []string{"a.json"}, result: finding, want: "1 finding", code: failure.Finding},
	} {
		console, _, _ := consoletest.New(`{"a":`)
		var visited, reported []string
		f := Files{Console: console, Paths: c.paths, Report: func(err error) {
			var about *failure.Error
			errors.As(err, &about)
			reported = append(reported, about.Subject)
		}}
		err := f.Every(t.Context(), func(in *Input) error {
			visited = append(visited, in.Path)
			if in.Path == c.stop {
				return stop
			}
			return in.Stream(io.Discard, func(_ *bufio.Writer, r io.Reader) error {
				_, err := io.Copy(io.Discard, r)
				return err
			})
		}, func() error { return c.result })
		if fmt.Sprint(err) != c.want || failure.CodeOf(err) != c.code || !slices.Equal(visited, c.visited) || !slices.Equal(reported, c.reported) {
			t.Errorf("%q: %v, want %s; visited %q, reported %q", c.paths, err, c.want, visited, reported)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	console, _, _ := consoletest.New("")
	f := Files{Console: console, Paths: []string{"a.json", "b.json"}}
	if err := f.Every(ctx, func(*Input) error { return failure.ErrInterrupted }, func() error { return nil }); err != failure.ErrInterrupted {
		t.Errorf("interrupted: %v", err)
	}
}

// notThere returns the text of the error for a file that is not there.
func notThere() string {
	_, err := os.Stat("nope")
	var path *os.PathError
	errors.As(err, &path)
	return path.Err.Error()
}
