package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/dustin/go-humanize"
)

// The same program with and without. Both print, which brings in most of what Marshal and Unmarshal would.
const (
	programWithout = `package main

import "fmt"

type T struct{ A int; B string; C []float64; D map[string]any }

func main() { fmt.Println(T{A: 1}) }
`
	programWith = `package main

import (
	"fmt"

	"github.com/octet-go/octet/msgpack"
)

type T struct{ A int; B string; C []float64; D map[string]any }

func main() {
	v := T{A: 1}
	data, err := msgpack.Marshal(v)
	if err == nil {
		err = msgpack.Unmarshal(data, &v)
	}
	fmt.Println(v, err)
}
`
)

// programSizes builds the two and returns the size of each, in bytes, without symbols.
func programSizes() (sizeWithout, sizeWith int64, err error) {
	// The programs need the workspace, so they are files that it is given, in no folder of it.
	folder, err := os.MkdirTemp("", "octet-size-*")
	if err != nil {
		return 0, 0, fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(folder)
	var sizes [2]int64
	for i, source := range []string{programWithout, programWith} {
		file, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "program")
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			return 0, 0, fmt.Errorf("bench: %w", err)
		}
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, file)
		if text, err := build.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("bench: go build: %w\n%s", err, text)
		}
		info, err := os.Stat(program)
		if err != nil {
			return 0, 0, fmt.Errorf("bench: %w", err)
		}
		sizes[i] = info.Size()
	}
	return sizes[0], sizes[1], nil
}

func printSizes(w io.Writer) error {
	sizeWithout, sizeWith, err := programSizes()
	if err != nil {
		return err
	}
	print := func(what string, bytes int64) {
		fmt.Fprintf(w, "%-40s %8s  %d bytes\n", what, humanize.Bytes(uint64(bytes)), bytes)
	}
	print("a program that prints a struct", sizeWithout)
	print("the same with Marshal and Unmarshal", sizeWith)
	print("difference", sizeWith-sizeWithout)
	return nil
}
