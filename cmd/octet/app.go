package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/command"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// An app is one run of the tool.
type app struct {
	command.Program
	args []string // the command line without the name of the tool

	rewritten task.InPlace
	inputs    []string     // of the command; none means standard input
	read      atomic.Int64 // how many of their bytes were read
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, c *console.Console) int {
	a := &app{Program: command.New(c), args: args}
	return int(a.Run(ctx, a.root(), joinVariables(args)))
}

// line returns the command line for hints: the name of the command first, then
// the flags and arguments.
func (a *app) line(command string) []string {
	list := slices.Clone(a.args)
	if i := slices.Index(list, command); i >= 0 {
		list = slices.Delete(list, i, i+1)
	}
	return append([]string{command}, list...)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "octet",
		Short: "Convert, inspect, query, check and compare MessagePack and JSON",
		Long: `Octet converts between JSON and MessagePack, shows the bytes of MessagePack
files, and queries, checks and compares the values of files of both formats.`,
		Example: `  go list -json std | octet convert -o std.msgpack  JSON to MessagePack
  octet convert std.msgpack | less                  MessagePack to JSON
  octet inspect std.msgpack                         every value with its bytes
  octet query .ImportPath std.msgpack               a program like that of jq
  octet stat std.msgpack                            where the bytes are`,
		Args: knownCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },

		SuggestionsMinimumDistance: 2,
	}
	a.Prepare(root)
	groups(root)
	root.AddCommand(a.convertCommand(), a.diagCommand(), a.fmtCommand(), a.typesCommand(),
		a.inspectCommand(), a.getCommand(), a.queryCommand(), a.statCommand(), a.pageCommand(), a.serveCommand(),
		a.lintCommand(), a.diffCommand(), a.schemaCommand(), a.arrayCommand(), a.recordCommand(), a.releaseCommand(),
		&cobra.Command{Use: "fields", Short: "Fields of the objects that inspect --json writes", Long: inspect.Fields},
		&cobra.Command{Use: "exts", Short: "Extension types that inspect recognizes", Long: inspect.Known},
	)
	root.InitDefaultHelpCmd()
	completion(root)
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Short = "Print the help of a command, or a help topic"
			c.Long = `Help prints the help of octet or, with its name, that of a command or topic. The
commands "octet help convert" and "octet convert --help" print the same.`
			c.Args = knownTopic
		}
	}
	return root
}

func knownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	close := c.SuggestionsFor(args[0])
	switch {
	case c == c.Root() && args[0] == "version":
		close = []string{"octet --version"}
	case len(close) > 0 || c == c.Root() || !c.HasAvailableSubCommands():
	default:
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		return fmt.Errorf("unknown command %q; the commands are %s", args[0], strings.Join(names, ", "))
	}
	if info, err := os.Stat(args[0]); err == nil && info.Mode().IsRegular() && len(close) == 0 && c == c.Root() {
		return fmt.Errorf("%s is a file, and the command is missing before it; for example: octet convert %s", args[0], input.Quote(args[0]))
	}
	if len(close) > 0 {
		return fmt.Errorf("unknown command %q; did you mean %s?", args[0], strings.Join(close, " or "))
	}
	return fmt.Errorf("unknown command %q", args[0])
}

// knownTopic makes the help command fail for an unknown command. By default,
// cobra prints the help of the root command instead.
func knownTopic(c *cobra.Command, args []string) error {
	about, rest, err := c.Root().Find(args)
	if err != nil {
		return err
	}
	return knownCommand(about, rest)
}
