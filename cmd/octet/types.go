package main

import (
	"bufio"
	"context"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const typesHelp = `Types reads sample values and writes Go types into which package msgpack of
Octet can decode them. More samples give better types.

  - A key that some samples lack is optional: its field has the option
    omitempty, or is a pointer if some samples have the zero value. A comment
    says how many samples have the key.
  - A field that is nil in some samples is a pointer, unless it is a slice or
    map.
  - Integers are int64, or uint64 if a sample needs it; with --narrow they have
    the smallest type that holds all samples. Integers and floats together are
    float64 if that is exact, otherwise msgpack.Number.
  - A bin is []byte, a timestamp is time.Time, and another ext is msgpack.Ext.
  - A map is a struct if its keys are names. It is a Go map if its keys are not
    strings, if they look like paths or addresses, or if there are many
    different keys of which each sample has only a few.
  - A field with values of different kinds has the type any.

Structs with the same fields share a type. Names follow the conventions of Go:
user_id becomes UserID, and an element of "users" is a User.

Memory use is limited: after 65,536 different paths, maps with new keys become
Go maps. A map of more than 256 keys is a Go map.`

const typesExamples = `  octet types --package store --type Package std.msgpack -o package.go
  go list -json std | octet types --type Package
  octet types --narrow std.msgpack
  octet types --json std.msgpack | jq '.[].fields[]?.key'`

// typesFlags holds the flags of the types command.
type typesFlags struct {
	reading
	task.Target
	gotypes.Options
	json bool
}

func (a *app) typesCommand() *cobra.Command {
	var v typesFlags
	c := &cobra.Command{
		Use:     "types [FILE]...",
		GroupID: groupConvert,
		Short:   "Write Go types for sample values",
		Long:    typesHelp,
		Example: typesExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.types(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	v.readFlags(c)
	f.StringVar(&v.Type, "type", "", "`NAME` of the type of the values (default: from the file name)")
	f.StringVar(&v.Package, "package", "", "`NAME` of the package (default: types without a package clause)")
	f.BoolVar(&v.Narrow, "narrow", false, "use the smallest integer types that hold the samples")
	f.BoolVar(&v.json, "json", false, "print the types as JSON: an array of name, count, type or fields")
	return c
}

func (a *app) types(ctx context.Context, v *typesFlags) error {
	for flag, name := range map[string]string{"--type": v.Type, "--package": v.Package} {
		if name != "" && !token.IsIdentifier(name) {
			return fmt.Errorf("%s %q is not a Go identifier", flag, name)
		}
	}
	format := sniff.Text
	if v.json {
		format = sniff.JSON
	}
	if err := checkOutput(v.Path, format); err != nil {
		return err
	}
	// A file users.json suggests that each value is a User. A name that the user has
	// given is not changed.
	if v.Type == "" {
		v.Type, v.Plural = typeName(v.paths), true
	}
	v.Visible = true
	return a.produce(ctx, v.Target, func(w io.Writer) error {
		var c gotypes.Sampler
		err := a.files(&v.reading).Each(ctx, func(in *input.Input) error {
			return in.Stream(w, func(_ *bufio.Writer, r io.Reader) error { return c.Add(scan.New(r, 0)) })
		})
		switch {
		case err != nil:
			return err
		case c.Values == 0:
			return failure.New(failure.Data, "", fmt.Errorf("there are no values"))
		case v.json:
			return output.JSONLines(w).Encode(c.Types(v.Options))
		}
		source, err := c.Source(v.Options)
		if err != nil {
			return err
		}
		_, err = w.Write(source)
		return err
	})
}

// typeName returns a name for the type of the values, from the name of the only file.
// It returns Value if there are several files or the name cannot be a Go identifier.
func typeName(paths []string) string {
	if len(paths) != 1 || paths[0] == "-" {
		return "Value"
	}
	base, _, _ := strings.Cut(filepath.Base(paths[0]), ".")
	name := gotypes.Name(base)
	if !token.IsIdentifier(name) {
		return "Value"
	}
	return name
}
