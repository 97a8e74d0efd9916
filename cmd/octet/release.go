package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/command"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/manual"
	"github.com/octet-go/octet/cmd/octet/internal/serving"
)

const releaseHelp = `Release writes the files that belong to a release besides the program:

  man/man1/octet.1, octet-convert.1, …  manual pages of all commands and topics
  completions/octet.bash                for bash
  completions/_octet                    for zsh
  completions/octet.fish                for fish
  completions/octet.ps1                 for PowerShell

and the completions of octet-serve. The files depend only on the program, so
those of two builds can be compared.`

// releaseCommand is hidden from the list of commands, because it is only
// needed to make a release.
func (a *app) releaseCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "release DIR",
		Hidden:  true,
		Short:   "Write manual pages and completions into a folder",
		Long:    releaseHelp,
		Example: "  go run ./cmd/octet release dist",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("release needs the name of one folder")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.release(c.Root(), args[0]) },
	}
}

// release writes one manual page for octet serve and octet-serve, which would have the
// same name.
func (a *app) release(root *cobra.Command, dir string) error {
	server := serving.Root(nil)
	p := command.New(a.Console)
	p.Prepare(server)
	files := map[string][]byte{}
	for _, page := range manual.Pages(root, failure.Help) {
		files[filepath.Join("man", "man1", page.Name)] = page.Text
	}
	for _, c := range []*cobra.Command{root, server} {
		completions, err := manual.Completions(c)
		if err != nil {
			return err
		}
		for name, text := range completions {
			files[filepath.Join("completions", name)] = text
		}
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return failure.Accessing(filepath.Dir(path), err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return failure.Accessing(path, err)
		}
	}
	_, err := fmt.Fprintf(a.Stdout, "%d files in %s\n", len(files), dir)
	return err
}
