// Package command runs the command line of a program, octet or octet-serve: what all
// its commands have in common, its errors, and its exit codes.
package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/interrupt"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/internal/version"
)

// A Program is one run of a program.
type Program struct {
	*console.Console
	Color flags.Choice
}

// New returns a run with the streams of c.
func New(c *console.Console) Program {
	return Program{Console: c, Color: flags.Choice{Value: "auto", Words: console.ColorModes}}
}

// Main calls run with the command line, the console of this process, and a context that
// a signal cancels. It ends the process with the exit code that run returns.
func Main(run func(context.Context, []string, *console.Console) int) {
	ctx, _ := interrupt.Notify(context.Background())
	os.Exit(run(ctx, os.Args[1:], console.System()))
}

// Palette returns the colors of a stream.
func (p *Program) Palette(stream io.Writer) *console.Palette {
	return console.NewPalette(p.Colored(p.Color.Value, stream))
}

// HelpWidth is the largest number of columns of help texts.
const HelpWidth = 80

// helpTemplate prints only the text of a help topic, because a topic is a
// command that cannot run.
const helpTemplate = `{{.Long}}
{{if or .Runnable .HasSubCommands}}
{{.UsageString}}
` + failure.Help + `
{{end}}`

// Prepare sets the version, the flag --color, the form of the help texts, and the errors
// for wrong flags of the main command and of all commands below it.
func (p *Program) Prepare(root *cobra.Command) {
	root.Version = version.Of(root.Name())
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpTemplate(helpTemplate)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages", fmt.Sprint("FlagUsagesWrapped ", HelpWidth)))
	root.SetFlagErrorFunc(flags.Suggest)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return flags.CheckNames(c) }
	root.PersistentFlags().Var(&p.Color, "color", "when to color the output")
	flags.Complete(root, "color", p.Color.Words)
}

// Run executes a command line, prints the error, and returns the exit code for it.
func (p *Program) Run(ctx context.Context, root *cobra.Command, args []string) failure.Code {
	root.SetArgs(args)
	root.SetIn(p.Stdin)
	help := &helpWriter{w: p.Stdout, isCompletion: len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)}
	if help.isCompletion {
		flags.Offer(root)
	}
	root.SetOut(help)
	root.SetErr(p.Stderr)
	c, err := root.ExecuteContextC(ctx)
	if err == nil && help.err != nil {
		err = failure.Accessing("standard output", help.err)
	}
	return p.report(c, err)
}

// A helpWriter writes help texts, and completions for a shell. It keeps the first error,
// because the command line parser would print it and report success.
type helpWriter struct {
	w            io.Writer
	isCompletion bool
	err          error
}

func (h *helpWriter) Write(b []byte) (int, error) {
	text := b
	if h.isCompletion { // usage texts mark the name of the value, which only help texts show
		text = bytes.ReplaceAll(b, []byte("`"), nil)
	}
	if h.err == nil {
		_, h.err = h.w.Write(text)
	}
	return len(b), nil
}

// Print prints an error of a command on standard error.
func (p *Program) Print(c *cobra.Command, err error) {
	where := strings.ReplaceAll(c.CommandPath(), " ", ": ") + ":"
	p.Note("%s %v", console.Painted(p.Palette(p.Stderr).Alarm(where)), err)
	var f *failure.Error
	if errors.As(err, &f) && f.Detail != "" {
		p.Note("%s", console.Painted(f.Detail)) // it can have colors
	}
}

// report prints err on standard error and returns the exit code for it.
func (p *Program) report(c *cobra.Command, err error) failure.Code {
	// A reader that closes the pipe, or a user who leaves the pager, is not a
	// failure.
	if err == nil || output.IsClosedPipe(err) || err == task.ErrQuit {
		return failure.OK
	}
	code := failure.CodeOf(err)
	if errors.Is(err, companion.ErrPrinted) {
		return code
	}
	p.Print(c, err)
	switch {
	case code != failure.Usage:
	case c.Name() == "help":
		p.Note("Try: octet help")
	default:
		p.Note("Try: %s --help", c.CommandPath())
	}
	return failure.ExitOf(err)
}
