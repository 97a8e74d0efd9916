package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/bench/cases"
)

// resolverFile is the file of package shape that msgpackgen generates. It has too many lines to be committed.
const resolverFile = "resolver_gen.go"

// rebuilt generates the code of msgpackgen, builds this program with it, and runs it with the same arguments. It
// returns the exit code of that program, or an error if it could not be built.
func rebuilt(args []string) (code int, err error) {
	folder, err := os.MkdirTemp("", "octet-bench-*")
	if err != nil {
		return 0, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(folder)
	program, err := buildWithResolver(folder)
	if err != nil {
		return 0, err
	}
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = c.Run()
	if failure, ok := errors.AsType[*exec.ExitError](err); ok {
		return failure.ExitCode(), nil
	}
	return 0, err
}

// buildWithResolver builds this program with the code of msgpackgen, and returns its path in folder.
func buildWithResolver(folder string) (string, error) {
	bench, err := cases.Home()
	if err != nil {
		return "", err
	}
	// The generator writes code for the package in the folder of its output, so it gets a copy of the package.
	copied := filepath.Join(folder, "bench", "shape")
	files, err := filepath.Glob(filepath.Join(bench, "shape", "*.go"))
	if err != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	if err := os.MkdirAll(copied, 0o777); err != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	texts := map[string][]byte{filepath.Join(folder, "bench", "go.mod"): []byte("module github.com/octet-go/octet/bench\n")}
	for _, path := range files {
		if strings.HasSuffix(path, "_gen.go") || strings.HasPrefix(filepath.Base(path), "resolver") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return "", fmt.Errorf("bench: %w", err)
		}
		texts[filepath.Join(copied, filepath.Base(path))] = text
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {
		filepath.Join(bench, "shape", resolverFile): filepath.Join(copied, resolverFile),
	}})
	if err != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	texts[filepath.Join(folder, "overlay.json")] = overlay
	for path, text := range texts {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return "", fmt.Errorf("bench: %w", err)
		}
	}
	generator, program := filepath.Join(folder, "msgpackgen"), filepath.Join(folder, "bench", "bench")
	for _, c := range []struct {
		in   string
		args []string
	}{
		{bench, []string{"go", "build", "-o", generator, "github.com/shamaton/msgpackgen"}},
		{copied, []string{generator, "-output-file", resolverFile, "-strict"}},
		{bench, []string{"go", "build", "-tags", "msgpackgen", "-overlay", filepath.Join(folder, "overlay.json"), "-o", program, "."}},
	} {
		command := exec.Command(c.args[0], c.args[1:]...)
		command.Dir = c.in
		if text, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("bench: %s: %w\n%s", strings.Join(c.args, " "), err, text)
		}
	}
	return program, nil
}
