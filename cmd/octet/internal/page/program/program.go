// Package program builds the file inspector.wasm.gz of package page and reads it.
// The file has two gzip members: the script of Go that runs WebAssembly, and the
// WebAssembly. The comment of the first one names the version of Go.
package program

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A Program is the part of the page that runs in a worker.
type Program struct {
	Version string // of Go
	Script  []byte // runs the WebAssembly
	Wasm    []byte // compressed
}

// Read returns the parts of a file.
func Read(file []byte) (Program, error) {
	r := bytes.NewReader(file)
	z, err := gzip.NewReader(r)
	if err != nil {
		return Program{}, err
	}
	z.Multistream(false) // the reader then stops at the second member
	script, err := io.ReadAll(z)
	return Program{Version: z.Comment, Script: script, Wasm: file[len(file)-r.Len():]}, err
}

// Pack returns the file with a script and WebAssembly that this version of Go has
// made.
func Pack(script, wasm []byte) ([]byte, error) {
	var b bytes.Buffer
	for i, part := range [][]byte{script, wasm} {
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			z.Comment = runtime.Version()
		}
		if _, err := z.Write(part); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// inlined are the packages that read every byte of a file, or write every byte of an
// export, and one whose functions they call for every value. Inlining elsewhere is off,
// because it makes the program a tenth larger.
var inlined = []string{
	"encoding/binary",
	"github.com/octet-go/octet/cmd/octet/internal/index",
	"github.com/octet-go/octet/cmd/octet/internal/scan",
	"github.com/octet-go/octet/msgpack/wire",
	"github.com/octet-go/octet/transcode",
}

// Build compiles the package in dir and returns the script of Go with the result,
// which depends only on the sources and on the version of Go.
func Build(dir string) (script, wasm []byte, err error) {
	if wasm, err = compile(dir, "-s -w -buildid="); err != nil {
		return nil, nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, nil, err
	}
	script, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	return script, wasm, err
}

// Parts compiles the package in dir with the names of its functions, and returns its parts.
func Parts(dir string) ([]Part, error) {
	wasm, err := compile(dir, "-buildid=")
	if err != nil {
		return nil, err
	}
	return Sizes(wasm)
}

// compile compiles the package in dir with flags for the linker.
func compile(dir, flags string) ([]byte, error) {
	tmp, err := os.MkdirTemp("", "octet")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "inspector.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=" + flags, "-gcflags=all=-l"}
	for _, p := range inlined {
		args = append(args, "-gcflags="+p+"=")
	}
	c := exec.Command("go", append(args, "-o", out, dir)...)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "GOEXPERIMENT=", "CGO_ENABLED=0")
	if output, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, output)
	}
	return os.ReadFile(out)
}
