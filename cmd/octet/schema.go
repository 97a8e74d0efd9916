package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/schemas"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/msgpack/schema"
)

const schemaHelp = `Schema prints what messages look like: the keys of maps, the widths of numbers,
and which values can be missing or nil. The form is JSON Schema, in which the
keyword msgpack has what JSON does not have.

  octet schema ./event.Event     of a Go type, as package msgpack encodes it
  octet schema clicks.rec        the schema that a record file has
  octet schema events.msgpack    of samples; more of them give a better schema

For a Go type it builds and runs a small program in the module of the type. The
options of a codec count if --codec names a variable of type *msgpack.Codec.`

const schemaExamples = `  octet schema std.msgpack -o std.schema.json
  octet schema check std.schema.json std.msgpack
  octet query 'del(.Doc)' std.msgpack | octet schema - -o new.schema.json
  octet schema diff std.schema.json new.schema.json`

// A described holds the flags of the commands that take what describes messages: a
// schema, a Go type or samples.
type described struct {
	reading
	gotypes.Options
	codec string
	found *schema.Schema // of a Go type
}

func (d *described) describedFlags(c *cobra.Command) {
	f := c.Flags()
	d.readFlags(c)
	f.StringVar(&d.codec, "codec", "", "`VARIABLE` of the codec of a Go type: Codec, or ./wire.Codec")
	f.StringVar(&d.Type, "type", "", "`NAME` of the type of the messages (default: from the input)")
	f.BoolVar(&d.Narrow, "narrow", false, "use the smallest integer types that hold the samples")
}

// schemaFlags holds the flags of the schema command.
type schemaFlags struct {
	described
	task.Target
}

func (a *app) schemaCommand() *cobra.Command {
	var v schemaFlags
	c := &cobra.Command{
		Use:     "schema [PACKAGE.TYPE | FILE...]",
		GroupID: groupCheck,
		Short:   "Print, compare and check schemas of messages",
		Long:    schemaHelp,
		Example: schemaExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.schema(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	v.describedFlags(c)
	c.AddCommand(a.schemaDiffCommand(), a.schemaCheckCommand())
	return c
}

func (a *app) schema(ctx context.Context, v *schemaFlags) error {
	if v.Type != "" && !token.IsIdentifier(v.Type) {
		return fmt.Errorf("--type %q is not an identifier", v.Type)
	}
	if err := checkOutput(v.Path, sniff.JSON); err != nil {
		return err
	}
	if err := input.NotOutput(v.paths, a.Stdin, v.Path, false); err != nil {
		return err
	}
	v.Visible = true
	if v.Type == "" {
		v.described.Type = typeName(v.paths)
	}
	if err := v.findType(ctx); err != nil {
		return err
	}
	return a.produce(ctx, v.Target, func(w io.Writer) error {
		s, _, err := a.findSchema(ctx, &v.described, w)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, s.String())
		return err
	})
}

// findType sets the schema if the argument names a Go type. It is not a part of what produces the output, which an
// interrupt leaves alone, because it removes its temporary files.
func (d *described) findType(ctx context.Context) (err error) {
	if len(d.paths) != 1 || d.paths[0] == "-" {
		return nil
	}
	if _, err := os.Lstat(d.paths[0]); err == nil {
		return nil
	}
	if n, ok := schemas.ParseName(d.paths[0]); ok {
		d.found, err = schemas.OfType(ctx, n, d.codec)
	}
	return err
}

// findSchema returns the schema of a type, of a record file, in a file or of samples. In
// the last case it also returns what is known of these.
func (a *app) findSchema(ctx context.Context, v *described, w io.Writer) (*schema.Schema, *gotypes.Samples, error) {
	if v.found != nil {
		return v.found, nil, nil
	}
	if len(v.paths) == 1 && v.paths[0] != "-" {
		path := v.paths[0]
		if _, err := os.Lstat(path); err != nil {
			if err := schemas.NotAType(path); err != nil {
				return nil, nil, err
			}
		}
		if s, err := schemas.Stored(path); s != nil || err != nil {
			return s, nil, err
		}
	}
	if v.codec != "" {
		return nil, nil, errors.New("--codec applies to Go types only")
	}
	var c gotypes.Sampler
	var found *schema.Schema
	err := a.files(&v.reading).Each(ctx, func(in *input.Input) (err error) {
		if len(v.paths) <= 1 && in.Format == sniff.JSON {
			if found, err = schemas.Read(in.Reader, in.Name); found != nil || err != nil {
				return err
			}
		}
		return in.Stream(w, func(_ *bufio.Writer, r io.Reader) error { return c.Add(scan.New(r, 0)) })
	})
	switch {
	case err != nil || found != nil:
		return found, nil, err
	case c.Values == 0:
		return nil, nil, failure.New(failure.Data, "", errors.New("there are no values"))
	}
	s, samples := c.Schema(v.Options)
	return s, samples, nil
}

const schemaDiffHelp = `Diff compares two schemas and prints a line for each change, with its effect on
programs that have the other schema. A new reader has the new schema and reads
messages of the old one. A reader fails, loses a field without an error, changes
a value (nil becomes zero), ignores a field that it never had, or does the same.
A line of a change by which a reader fails or loses a field begins with "!". The
exit code is 1 if there is one. Readers are strict: WrapInts, RoundInts and
Arrays of msgpack.Compat, with which a codec accepts other integers and arrays,
are not in a schema.

OLD and NEW are files with schemas, record files that have one, or Go types.`

func (a *app) schemaDiffCommand() *cobra.Command {
	var codec string
	format := flags.Choice{Value: "text", Words: []string{"text", "json"}}
	c := &cobra.Command{
		Use: "diff OLD NEW", Short: "Compare two schemas, and fail if a change breaks readers",
		Long: schemaDiffHelp,
		Example: `  octet schema std.msgpack -o old.schema.json
  octet query .Name std.msgpack | octet schema - -o new.schema.json
  octet schema diff old.schema.json new.schema.json
  octet schema diff --format json old.schema.json new.schema.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff takes two schemas, not %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			old, err := schemas.Load(c.Context(), args[0], codec)
			if err != nil {
				return err
			}
			new, err := schemas.Load(c.Context(), args[1], codec)
			if err != nil {
				return err
			}
			return a.printChanges(c.Context(), schema.Compare(old, new), format.Value == "json")
		},
	}
	c.Flags().Var(&format, "format", "how to print changes")
	flags.Complete(c, "format", format.Words)
	c.Flags().StringVar(&codec, "codec", "", "`VARIABLE` of the codec of Go types: Codec, or ./wire.Codec")
	return c
}

// A changeLine is a line of octet schema diff --format json.
type changeLine struct {
	schema.Change
	Breaking bool `json:"breaking"`
}

func (a *app) printChanges(ctx context.Context, changes []schema.Change, asJSON bool) error {
	palette := a.Palette(a.Stdout)
	err := a.produce(ctx, task.Target{Path: "-", Visible: true}, func(w io.Writer) error {
		for _, c := range changes {
			var err error
			switch {
			case asJSON:
				err = output.JSONLines(w).Encode(changeLine{c, c.Breaking()})
			case c.Breaking():
				_, err = fmt.Fprintln(w, palette.Alarm("! "+c.String()))
			default:
				_, err = fmt.Fprintln(w, "  "+c.String())
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if n := int64(len(schema.Breaking(changes))); err == nil && n > 0 {
		err = failure.New(failure.Finding, "", errors.New(console.Plural(n, "breaking change")))
	}
	return err
}

const schemaCheckHelp = `Check reports the messages in files that do not follow a schema, with the place
of the first fault in each. The exit code is 1 if there is one. Keys may be
missing unless the schema requires them, and there may be other keys unless it
refuses them. JSON is converted first, so its strings are str and never bin.

SCHEMA is a file with a schema, a record file that has one, or a Go type.`

func (a *app) schemaCheckCommand() *cobra.Command {
	var r reading
	var codec, name string
	limit := flags.Limit(1000)
	c := &cobra.Command{
		Use: "check SCHEMA [FILE...]", Short: "Report messages that do not follow a schema",
		Long: schemaCheckHelp,
		Example: `  octet schema --type Package std.msgpack -o std.schema.json
  octet schema check std.schema.json std.msgpack
  octet query '.Name = 1' std.msgpack -o bad.msgpack
  octet schema check --limit 3 std.schema.json bad.msgpack`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("check takes a schema and files")
			}
			name = args[0]
			return a.pathArgs(&r)(c, args[1:])
		},
		RunE: func(c *cobra.Command, _ []string) error {
			s, err := schemas.Load(c.Context(), name, codec)
			if err != nil {
				return err
			}
			return a.checkFiles(c.Context(), s, &r, limit)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&codec, "codec", "", "`VARIABLE` of the codec of a Go type: Codec, or ./wire.Codec")
	r.readFlags(c)
	r.command = "schema" // for hints, with check as its first argument
	f.Var(&limit, "limit", "print at most N messages")
	return c
}

func (a *app) checkFiles(ctx context.Context, s *schema.Schema, r *reading, limit flags.Limit) error {
	check := schemas.Check{Schema: s}
	return a.produce(ctx, task.Target{Path: "-", Visible: true}, func(w io.Writer) error {
		return a.files(r).Every(ctx, func(in *input.Input) error {
			return in.Stream(w, func(out *bufio.Writer, values io.Reader) error {
				check.Report = func(value, offset int64, err error) error {
					if limit.Passed(check.Wrong) {
						return nil
					}
					if in.Format != sniff.MessagePack {
						offset = -1 // JSON was converted, so the file has no such offset
					}
					_, err = fmt.Fprintf(out, "%s: value %d%s\n", a.Name(a.Stdout, in.Name), value, a.Visible(a.Stdout, schemas.Describe(err, offset)))
					return err
				}
				return check.Read(values)
			})
		}, func() error {
			if check.Wrong == 0 {
				return nil
			}
			verb := "do"
			if check.Wrong == 1 {
				verb = "does"
			}
			return failure.New(failure.Finding, "", fmt.Errorf("%s of %s %s not follow the schema", humanize.Comma(check.Wrong), console.Plural(check.Values, "value"), verb))
		})
	})
}
