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
	"runtime"

	"github.com/octet-go/octet/cmd/octet/internal/page/program"
)

func main() {
	renew := flag.Bool("renew", false, "build with this version of Go, even if another built the current file")
	flag.Parse()
	if err := run(*renew); err != nil {
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
