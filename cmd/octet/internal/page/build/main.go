// The command build writes inspector.wasm.gz. `go generate` runs it in the folder
// of package page.
//
// The file depends on the version of Go. With another version than the one that
// built the current file, build changes nothing unless the flag -renew is set.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/octet-go/octet/cmd/octet/internal/page/program"
)

func main() {
	renew := flag.Bool("renew", false, "build with this version of Go, even if another built the current file")
	sizes := flag.Bool("sizes", false, "print the parts of the program instead, with the bytes of each before compression")
	flag.Parse()
	work := func() error { return run(*renew) }
	if *sizes {
		work = printSizes
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

const file = "inspector.wasm.gz"

func run(renew bool) error {
	var current program.Program
	if data, err := os.ReadFile(file); err == nil {
		if current, err = program.Read(data); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	if current.Version != "" && current.Version != runtime.Version() && !renew {
		fmt.Printf("%s was built by %s, this is %s. To build it anew: go run ./build -renew\n", file, current.Version, runtime.Version())
		return nil
	}
	script, wasm, err := program.Build("./wasm")
	if err != nil {
		return err
	}
	// Versions of Go may compress differently, so the content counts.
	if bytes.Equal(script, current.Script) && bytes.Equal(wasm, unpack(current.Wasm)) {
		return nil
	}
	packed, err := program.Pack(script, wasm)
	if err != nil {
		return err
	}
	return os.WriteFile(file, packed, 0o666)
}

// printSizes prints the parts of the program.
func printSizes() error {
	_, dir, _, _ := runtime.Caller(0)
	parts, err := program.Parts(filepath.Join(filepath.Dir(dir), "..", "wasm"))
	if err != nil {
		return err
	}
	total := 0
	for _, p := range parts {
		total += p.Bytes
	}
	for _, p := range parts {
		fmt.Printf("%9d  %4.1f %%  %s\n", p.Bytes, 100*float64(p.Bytes)/float64(total), p.Name)
	}
	fmt.Printf("%9d         in all\n", total)
	return nil
}

func unpack(data []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	content, err := io.ReadAll(z)
	if err != nil {
		return nil
	}
	return content
}
