// Command octet-gen writes methods with which packages msgpack and layout encode and decode the struct types of a package
// faster. See package octetgen.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/interrupt"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/internal/version"
	"github.com/octet-go/octet/octetgen"
)

const usage = `Usage: octet-gen [-check] [-dir directory] [type ...]
       octet-gen -version

octet-gen writes octet_gen.go, with methods for the named types, or for the
types that have the comment //octet:generate above them. They are for package
msgpack, for package layout, or for both, as the tags of its fields say. If they
have none, the tags of what is in them count, and if there are none either, the
methods are for msgpack. The packages use the methods by themselves. To remove
them, delete the file.

A message of package layout with unions needs the comment
//octet:generate codec, where codec is any expression for a layout.Codec with
these unions.

A type with a tag option for which there is no generated code is an error that
names the field and the option.

	//go:generate go run github.com/octet-go/octet/cmd/octet-gen

In a module with a vendor folder, this needs a tool directive:

	go mod edit -tool github.com/octet-go/octet/cmd/octet-gen
	go mod tidy
	go mod vendor

The exit code is 0, 1 after an error, 2 after a wrong flag, and 130 after a
signal, which leaves the file as it was.

`

func main() {
	ctx, _ := interrupt.Notify(context.Background()) // so that a signal leaves no temporary files
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	stderr = errtext.Messages(stderr)
	f := flag.NewFlagSet("octet-gen", flag.ContinueOnError)
	f.SetOutput(io.Discard) // an error is one line, without the usage text
	f.Usage = func() {}
	check := f.Bool("check", false, "write nothing; exit with code 1 if the file is not current")
	dir := f.String("dir", ".", "directory of the package")
	show := f.Bool("version", false, "print the version and exit")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		var help strings.Builder
		help.WriteString(usage)
		f.SetOutput(&help)
		f.PrintDefaults()
		return printed(stdout, stderr, help.String())
	case err != nil:
		fmt.Fprintf(stderr, "octet-gen: %v; try octet-gen -help\n", err)
		return 2
	}
	if *show {
		return printed(stdout, stderr, version.Of("octet-gen")+"\n")
	}
	switch err := write(ctx, *dir, *check, f.Args()); {
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "octet-gen: interrupted;", filepath.Join(*dir, octetgen.FileName), "is unchanged")
		return 130
	case err != nil:
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// printed prints a text and returns the exit code.
func printed(stdout, stderr io.Writer, text string) int {
	if _, err := io.WriteString(stdout, text); err != nil {
		fmt.Fprintln(stderr, "octet-gen: standard output:", err)
		return 1
	}
	return 0
}

func write(ctx context.Context, dir string, check bool, names []string) error {
	source, err := octetgen.Generate(dir, names...)
	if stopped := interrupt.Err(ctx); stopped != nil { // which may have ended the go command too
		err = stopped
	}
	if err != nil {
		return err
	}
	path := filepath.Join(dir, octetgen.FileName)
	present, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(present, source):
		return nil
	case check:
		return fmt.Errorf("octet-gen: %s is not current", path)
	}
	// The package does not compile with a part of the file.
	out, err := output.Create(ctx, path, nil)
	if err == nil {
		if _, err = out.Write(source); err != nil {
			out.Discard()
		} else {
			err = out.Commit(ctx)
		}
	}
	if err != nil {
		return fmt.Errorf("octet-gen: %w", err)
	}
	return nil
}
