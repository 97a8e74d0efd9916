package records

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// TestInterruptedSearch interrupts commands that search a very long file for a block.
func TestInterruptedSearch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is being read cannot be removed on Windows")
	}
	for name, run := range map[string]func(ctx context.Context, c *Command, path string) error{
		"info":  func(ctx context.Context, c *Command, path string) error { return c.Info(ctx, []string{path}) },
		"index": func(ctx context.Context, c *Command, path string) error { return c.Blocks(ctx, path) },
		"write": func(ctx context.Context, c *Command, path string) error { return c.WriteIndex(ctx, path) },
		"cat": func(ctx context.Context, c *Command, path string) error {
			return c.Cat(ctx, Cat{Output: path + "-o"}, []string{path})
		},
		"merge": func(ctx context.Context, c *Command, path string) error {
			return c.Merge(ctx, path+"-o", []string{path})
		},
		"split":   func(ctx context.Context, c *Command, path string) error { return c.Split(ctx, path+"-o", path, 3) },
		"verify":  func(ctx context.Context, c *Command, path string) error { return c.Verify(ctx, []string{path}) },
		"recover": func(ctx context.Context, c *Command, path string) error { return c.Recover(ctx, path, path+"-o") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Millisecond, cancel) // most likely while it searches
			path := filepath.Join(t.TempDir(), "in.rec")
			numbers(t, path, 0, 10)
			if err := os.Truncate(path, 1<<40); err != nil {
				t.Skip(err) // a file system without holes
			}
			c, _, _ := command("")
			if err := run(ctx, c, path); err != failure.ErrInterrupted {
				t.Error(err)
			}
			if err := os.Truncate(path, 0); err != nil { // ends the search
				t.Error(err)
			}
		})
	}
}

// TestInterruptedFiles interrupts a command that reads many short files after the first.
func TestInterruptedFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 10)
	ctx, cancel := context.WithCancel(t.Context())
	c, _, _ := command("")
	files := 0
	err := c.each(ctx, []string{"a.rec", "a.rec", "a.rec"}, func(source) error { files++; cancel(); return nil })
	if err != failure.ErrInterrupted || files != 1 {
		t.Errorf("%v after %d files", err, files)
	}
}

type ender func()

func (e ender) Read([]byte) (int, error) { e(); return 0, io.EOF }

// TestInterruptedInput ends standard input by Ctrl-C, which also ends the program that writes it.
func TestInterruptedInput(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 10)
	file, _ := os.ReadFile("a.rec")
	c, _, _ := command("")
	ctx, cancel := context.WithCancel(t.Context())
	c.Stdin = io.MultiReader(bytes.NewReader(file), ender(cancel))
	if err := c.Cat(ctx, Cat{Output: "b.rec"}, []string{"-"}); err != failure.ErrInterrupted {
		t.Error(err)
	}
	wantFiles(t, "a.rec")
}
