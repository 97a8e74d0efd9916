package main

import (
	"context"
	"fmt"
	"go/token"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/langs"
	"github.com/octet-go/octet/cmd/octet/internal/schemas"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

const typesHelp = `Types writes the types of messages for a program in another language, or in Go.

  octet types --lang typescript ./event.Event     of a Go type
  octet types --lang python event.schema.json     of a schema from octet schema
  octet types --lang go events.msgpack            of samples

A record file that has a schema counts as that schema. The languages are:

  go           types into which package msgpack of Octet decodes
  typescript   what @msgpack/msgpack decodes: a field that may be missing has a
               question mark, 64-bit integers are number | bigint, a bin is a
               Uint8Array, a timestamp is a Date, and a union has its tags
  python       dataclasses with methods from_message and to_message, for
               msgpack.unpackb and packb
  jsonschema   JSON Schema 2020-12, as octet schema prints it

Types of samples follow these rules. More samples give better types.

  - A key that some samples lack is optional: in Go, its field has the option
    omitempty, or is a pointer if some samples have the zero value. A comment
    says how many samples have the key.
  - A field that is nil in some samples is a pointer, unless it is a slice or
    map.
  - Integers are int64, or uint64 if a sample needs it; with --narrow they have
    the smallest type that holds all samples, which in a slice is not uint8,
    because the message of a []uint8 is a bin. Integers and floats together
    are float64 if that is exact, otherwise msgpack.Number.
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
  octet types --lang typescript --type Package std.msgpack -o package.ts
  octet schema std.msgpack | octet types --lang python
  octet types --json std.msgpack | jq '.[].fields[]?.key'`

// The languages of types.
const (
	langGo         = "go"
	langTypeScript = "typescript"
	langPython     = "python"
	langJSONSchema = "jsonschema"
)

// typesFlags holds the flags of the types command.
type typesFlags struct {
	described
	task.Target
	lang        flags.Choice
	packageName string
	json        bool
}

func (a *app) typesCommand() *cobra.Command {
	v := typesFlags{lang: flags.Choice{Value: langGo, Words: []string{langGo, langTypeScript, langPython, langJSONSchema}}}
	c := &cobra.Command{
		Use:     "types [PACKAGE.TYPE | FILE...]",
		GroupID: groupConvert,
		Short:   "Write types for Go, TypeScript or Python",
		Long:    typesHelp,
		Example: typesExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.types(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	f.Var(&v.lang, "lang", "the language to write")
	flags.Complete(c, "lang", v.lang.Words)
	v.describedFlags(c)
	f.StringVar(&v.packageName, "package", "", "`NAME` of the Go package (default: types without a package clause)")
	f.BoolVar(&v.json, "json", false, "print the Go types as JSON: an array of name, count, type or fields")
	return c
}

func (a *app) types(ctx context.Context, v *typesFlags) error {
	for flag, name := range map[string]string{"--type": v.Type, "--package": v.packageName} {
		if name != "" && !token.IsIdentifier(name) {
			return fmt.Errorf("%s %q is not a Go identifier", flag, name)
		}
	}
	switch {
	case v.lang.Value == langGo:
	case v.json:
		return fmt.Errorf("--json prints Go types, not %s", v.lang.Value)
	case v.packageName != "":
		return fmt.Errorf("--package is for Go types, not %s", v.lang.Value)
	}
	format := sniff.Text
	if v.json || v.lang.Value == langJSONSchema {
		format = sniff.JSON
	}
	if err := checkOutput(v.Path, format); err != nil {
		return err
	}
	// A file users.json suggests that each value is a User. A name that the user has
	// given is not changed.
	named := v.Type
	if named == "" {
		v.described.Type, v.Plural = typeName(v.paths), true
	}
	if err := input.NotOutput(v.paths, a.Stdin, v.Path, false); err != nil {
		return err
	}
	v.Visible = true
	if err := v.findType(ctx); err != nil {
		return err
	}
	return a.produce(ctx, v.Target, func(w io.Writer) error {
		s, samples, err := a.findSchema(ctx, &v.described, w)
		if err != nil {
			return err
		}
		if root := s.Root.Type; samples == nil && named != "" && root.Kind >= msgpack.FormArray {
			root.Name = named
		}
		return v.print(w, s, langs.Options{Type: v.Type, Package: v.packageName, Samples: samples})
	})
}

// print writes the types of a schema.
func (v *typesFlags) print(w io.Writer, s *schema.Schema, o langs.Options) (err error) {
	var source []byte
	switch {
	case v.json:
		types, err := langs.GoTypes(s, o)
		if err != nil {
			return failure.New(failure.Data, "", err)
		}
		return output.JSONLines(w).Encode(types)
	case v.lang.Value == langTypeScript:
		source = langs.TypeScript(s, o)
	case v.lang.Value == langPython:
		source = langs.Python(s, o)
	case v.lang.Value == langJSONSchema:
		source = []byte(s.String())
	default:
		if source, err = langs.Go(s, o); err != nil {
			return failure.New(failure.Data, "", err)
		}
	}
	_, err = w.Write(source)
	return err
}

// typeName returns a name for the type of the messages, from the name of the only file or
// Go type. It returns Value if there are several files or the name cannot be a Go
// identifier.
func typeName(paths []string) string {
	if len(paths) != 1 || paths[0] == "-" {
		return "Value"
	}
	base, _, _ := strings.Cut(filepath.Base(paths[0]), ".")
	if n, ok := schemas.ParseName(paths[0]); ok && sniff.ByName(paths[0]) == sniff.Unknown {
		base = n.Name
	}
	name := gotypes.Name(base)
	if !token.IsIdentifier(name) {
		return "Value"
	}
	return name
}
