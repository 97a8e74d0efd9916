// Package schemas makes schemas of Go types, files and samples for the commands of octet
// schema.
package schemas

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/msgpack/schema"
)

// A Name is a name in a package, such as ./event.Event.
type Name struct{ Package, Name string }

// ParseName splits PACKAGE.NAME. ok is false for a text of another form.
func ParseName(text string) (n Name, ok bool) {
	i := strings.LastIndexByte(text, '.')
	if i <= 0 || i < strings.LastIndexByte(text, '/') {
		return n, false
	}
	n = Name{text[:i], text[i+1:]}
	return n, token.IsExported(n.Name) && token.IsIdentifier(n.Name)
}

// program is the source of a program that writes a schema to a file, because the packages that
// it imports can print when they are initialized. It stands in a folder below that of the
// package, so that it can import internal packages, too.
const program = `package main

import (
	"fmt"
	"os"

	"github.com/octet-go/octet/msgpack/schema"

	p %q
	%s
)

func main() {
	s, err := schema.Of[p.%s](%s)
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(s.String()), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

// folder is the name of the folder of the program. It does not exist on disk.
const folder = "octet-schema-program"

// OfType returns the schema of a Go type under a codec, which is a variable of type
// *msgpack.Codec in the same package or, with the path of a package before the name, in
// another one; empty means the functions of package msgpack. It builds and runs a small
// program in the module of the type, so it needs the go command, and the module must
// require Octet.
func OfType(ctx context.Context, n Name, codec string) (*schema.Schema, error) {
	p, err := find(ctx, n.Package)
	if err != nil {
		return nil, err
	}
	if p.Name == "main" {
		return nil, failure.New(failure.Data, n.Package, errors.New("is a program, whose types cannot be imported; move the type to a package"))
	}
	if p.Standard {
		if _, err := command(ctx, "", "doc", "-c", p.ImportPath, n.Name); err != nil {
			return nil, err
		}
		return nil, failure.New(failure.Data, n.Package, fmt.Errorf(
			"belongs to the standard library; name the type in a package of a module that requires Octet, as in type T = %s.%s", p.Name, n.Name))
	}
	variable, other := "nil", ""
	switch c, ok := ParseName(codec); {
	case ok:
		q, err := find(ctx, c.Package)
		if err != nil {
			return nil, err
		}
		variable, other = "c."+c.Name, fmt.Sprintf("c %q", q.ImportPath)
	case codec != "":
		if !token.IsIdentifier(codec) || !token.IsExported(codec) {
			return nil, fmt.Errorf("--codec %q is not an exported variable, as in Codec or ./wire.Codec", codec)
		}
		variable = "p." + codec
	}
	source := fmt.Sprintf(program, p.ImportPath, other, n.Name, variable)
	text, err := p.run(ctx, source)
	if err != nil {
		return nil, err
	}
	return schema.Parse(text)
}

// A goPackage is a package as go list prints it.
type goPackage struct {
	ImportPath, Dir, Name string
	Standard              bool // in the standard library, where no program can import Octet
}

func find(ctx context.Context, path string) (p goPackage, err error) {
	text, err := command(ctx, "", "list", "-json=ImportPath,Dir,Name,Standard", "--", path)
	if f := (*failure.Error)(nil); errors.As(err, &f) && f.Detail != "" {
		f.Subject, f.Err = path, errors.New("the go command cannot load this package")
	}
	if err != nil {
		return p, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err = d.Decode(&p); err == nil && d.More() {
		err = failure.New(failure.Data, path, fmt.Errorf("is the name of several packages, such as %s", p.ImportPath))
	}
	return p, err
}

// run runs a program in a folder below the package that exists for the go command only. It returns
// what the program has written to the file that its argument names.
func (p *goPackage) run(ctx context.Context, source string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "octet")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file, overlay, result := filepath.Join(dir, "main.go"), filepath.Join(dir, "overlay.json"), filepath.Join(dir, "result")
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(p.Dir, folder, "main.go"): file}})
	if err == nil {
		err = errors.Join(os.WriteFile(file, []byte(source), 0o600), os.WriteFile(overlay, replace, 0o600))
	}
	if err != nil {
		return nil, err
	}
	_, err = command(ctx, p.Dir, "run", "-overlay", overlay, "./"+folder, result)
	if f := (*failure.Error)(nil); errors.As(err, &f) && strings.Contains(f.Detail, "disabled by -mod=vendor") {
		// The vendor folder of a module has only what the module imports.
		_, err = command(ctx, p.Dir, "run", "-mod=readonly", "-overlay", overlay, "./"+folder, result)
	}
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(result)
	if err != nil {
		return nil, failure.New(failure.Data, p.ImportPath, errors.New("ends the program when it is initialized"))
	}
	return text, nil
}

// patience is how long the go command may take to remove its temporary files after an interrupt.
const patience = time.Second

// command runs the go command and returns its output.
func command(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	c.Cancel, c.WaitDelay = func() error { return c.Process.Signal(os.Interrupt) }, patience
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return nil, failure.ErrInterrupted
	case errors.Is(err, exec.ErrNotFound):
		return nil, failure.New(failure.Access, "", errors.New("the go command is not installed, which reads Go types"))
	case err != nil:
		return nil, &failure.Error{Code: failure.Data, Err: fmt.Errorf("go %s: %w", args[0], err), Detail: strings.TrimSpace(stderr.String())}
	}
	return stdout.Bytes(), nil
}
