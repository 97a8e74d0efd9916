package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/query"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// variables are the values that the command line of query gives to the program.
type variables struct {
	named      []variable
	marks      []mark
	positional []string // in JSON
}

// A variable is one of --arg, --argjson, --slurpfile or --rawfile.
type variable struct{ flag, name, value string }

// A mark is one of --args or --jsonargs. The arguments from an index on are values.
type mark struct {
	from int
	json bool
}

// variableFlags are the flags that take two arguments, with the kind of the second one.
var variableFlags = map[string]string{"arg": "TEXT", "argjson": "JSON", "slurpfile": "FILE", "rawfile": "FILE"}

// flags defines the flags.
func (v *variables) flags(c *cobra.Command) {
	f := c.Flags()
	define := func(flag, usage string) { f.Var(&definition{v, flag}, flag, usage) }
	define("arg", "define the variable $NAME as a string; also NAME=TEXT")
	define("argjson", "define the variable $NAME; also NAME=JSON")
	define("slurpfile", "define $NAME as the array of all values of a file; also NAME=FILE")
	define("rawfile", "define $NAME as the text of a file; also NAME=FILE")
	follow := func(json bool) func(string) error {
		return func(string) error {
			v.marks = append(v.marks, mark{f.NArg(), json})
			return nil
		}
	}
	f.BoolFunc("args", "the arguments that follow, after the program, are strings in $ARGS.positional", follow(false))
	f.BoolFunc("jsonargs", "the arguments that follow, after the program, are JSON values there", follow(true))
}

// A definition is a flag that defines a variable.
type definition struct {
	variables *variables
	flag      string
}

func (d *definition) String() string { return "" }

// Type returns what the help shows for the arguments.
func (d *definition) Type() string { return "NAME " + variableFlags[d.flag] }

// Set takes both arguments, which joinVariables has joined.
func (d *definition) Set(text string) error {
	v := d.variables
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("--%s takes a name and a value", d.flag)
	}
	if !slices.ContainsFunc(v.named, func(other variable) bool { return other.name == name }) { // as in jq, the first one counts
		v.named = append(v.named, variable{d.flag, name, value})
	}
	return nil
}

// take takes the values from the arguments that follow the program, and returns the rest.
// before is the number of arguments before them.
func (v *variables) take(args []string, before int) (paths []string, err error) {
	for i, arg := range args {
		kind := -1
		for k, m := range v.marks {
			if m.from <= before+i {
				kind = k
			}
		}
		switch {
		case kind < 0:
			paths = append(paths, arg)
		case !v.marks[kind].json:
			v.positional = append(v.positional, quoted(arg))
		case !json.Valid([]byte(arg)):
			return nil, fmt.Errorf("--jsonargs: %q is not JSON", arg)
		default:
			v.positional = append(v.positional, arg)
		}
	}
	return paths, nil
}

// quoted returns text as JSON. A string can always be encoded.
func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// values returns the values of the variables in JSON, and those of --slurpfile in
// MessagePack.
func (a *app) values(ctx context.Context, v *variables, reversible bool) (values map[string]string, slurped map[string][][]byte, err error) {
	values, slurped = map[string]string{}, map[string][][]byte{}
	for _, n := range v.named {
		switch n.flag {
		case "arg":
			values[n.name] = quoted(n.value)
		case "argjson":
			values[n.name] = n.value
		case "rawfile":
			text, err := task.Await(ctx, nil, nil, func() ([]byte, error) { return os.ReadFile(n.value) })
			if err != nil {
				return nil, nil, failure.Accessing(n.value, err)
			}
			values[n.name] = quoted(string(text))
		default:
			if slurped[n.name], err = a.slurp(ctx, n.value, reversible); err != nil {
				return nil, nil, err
			}
		}
	}
	return values, slurped, nil
}

// read reports whether one of the variables is the content of the file.
func (v *variables) read(path string) bool {
	return slices.ContainsFunc(v.named, func(n variable) bool {
		return (n.flag == "rawfile" || n.flag == "slurpfile") && input.IsOutput([]string{n.value}, nil, path)
	})
}

// slurp returns the values of a file.
func (a *app) slurp(ctx context.Context, path string, reversible bool) ([][]byte, error) {
	if path == "-" {
		return nil, failure.New(failure.Usage, "", errors.New("--slurpfile takes a file; query reads standard input with input and --null-input"))
	}
	in, err := input.Open(ctx, a.Console, path, input.Options{Args: a.line("query"), Format: sniff.Unknown})
	if err != nil {
		return nil, err
	}
	return task.Await(ctx, nil, nil, func() ([][]byte, error) {
		defer in.Close()
		return query.Slurp(in, reversible)
	})
}

// joinVariables returns a command line in which the two arguments of each flag of query
// that takes two are one, NAME=VALUE, because the parser passes one to a flag. The
// name of a variable cannot contain an equals sign, so NAME=VALUE stays as it is.
func joinVariables(args []string) []string {
	command := slices.IndexFunc(args, func(s string) bool { return !strings.HasPrefix(s, "-") })
	if command < 0 || args[command] != "query" && !(args[0] == "--color" && slices.Contains(args[:min(3, len(args))], "query")) {
		return args
	}
	var list []string
	for i := 0; i < len(args); i++ {
		list = append(list, args[i])
		if args[i] == "--" {
			return append(list, args[i+1:]...)
		}
		name, isFlag := strings.CutPrefix(args[i], "--")
		if isFlag && variableFlags[name] != "" && i+2 < len(args) && !strings.Contains(args[i+1], "=") {
			list = append(list, args[i+1]+"="+args[i+2])
			i += 2
		}
	}
	return list
}
