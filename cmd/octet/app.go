package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// An app is one run of the tool.
type app struct {
	*console.Console
	color flags.Choice
	args  []string // the command line without the name of the tool

	rewritten task.InPlace
	inputs    []string     // of the command; none means standard input
	read      atomic.Int64 // how many of their bytes were read
}

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, c *console.Console) int {
	a := &app{Console: c, color: flags.Choice{Value: "auto", Words: console.ColorModes}, args: args}
	root := a.root()
	root.SetArgs(joinVariables(args))
	root.SetIn(c.Stdin)
	help := &helpWriter{w: c.Stdout}
	root.SetOut(help)
	root.SetErr(c.Stderr)
	command, err := root.ExecuteContextC(ctx)
	if err == nil && help.err != nil {
		err = failure.Accessing("standard output", help.err)
	}
	return int(a.report(command, err))
}

// A helpWriter writes help texts. It keeps the first error, because the command line
// parser would print it and report success.
type helpWriter struct {
	w   io.Writer
	err error
}

func (h *helpWriter) Write(b []byte) (int, error) {
	if h.err == nil {
		_, h.err = h.w.Write(b)
	}
	return len(b), nil
}

// palette returns the colors of a stream.
func (a *app) palette(stream io.Writer) *console.Palette {
	return console.NewPalette(a.Colored(a.color.Value, stream))
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
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },

		SuggestionsMinimumDistance: 2,
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", fmt.Sprint("FlagUsagesWrapped ", helpWidth)))
	root.SetFlagErrorFunc(flags.Suggest)
	root.PersistentFlags().Var(&a.color, "color", "when to color the output")
	flags.Complete(root, "color", a.color.Words)
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
			c.Args = knownTopic
		}
	}
	return root
}

// helpWidth is the largest number of columns of help texts.
const helpWidth = 80

// helpTemplate prints only the text of a help topic, because a topic is a
// command that cannot run.
const helpTemplate = `{{.Long}}
{{if or .Runnable .HasSubCommands}}
{{.UsageString}}
` + failure.Help + `
{{end}}`

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

// report prints err on standard error and returns the exit code for it.
func (a *app) report(c *cobra.Command, err error) failure.Code {
	// A reader that closes the pipe, or a user who leaves the pager, is not a
	// failure.
	if err == nil || errors.Is(err, syscall.EPIPE) || err == task.ErrQuit {
		return failure.OK
	}
	palette := a.palette(a.Stderr)
	where := strings.ReplaceAll(c.CommandPath(), " ", ": ")
	a.Note("%s %v", console.Painted(palette.Alarm(where+":")), err)
	var f *failure.Error
	if errors.As(err, &f) && f.Detail != "" {
		a.Note("%s", console.Painted(f.Detail)) // it can have colors
	}
	code := failure.CodeOf(err)
	switch {
	case code != failure.Usage:
	case c.Name() == "help":
		a.Note("Try: octet help")
	default:
		a.Note("Try: %s --help", c.CommandPath())
	}
	return code
}
