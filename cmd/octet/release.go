package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/manual"
)

const releaseHelp = `Release writes the files that belong to a release besides the program:

  man/man1/octet.1, octet-convert.1, …  manual pages of all commands and topics
  completions/octet.bash                for bash
  completions/_octet                    for zsh
  completions/octet.fish                for fish
  completions/octet.ps1                 for PowerShell

The files depend only on the program, so those of two builds can be compared.`

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

func (a *app) release(root *cobra.Command, dir string) error {
	files := map[string][]byte{}
	for _, page := range manual.Pages(root, failure.Help) {
		files[filepath.Join("man", "man1", page.Name)] = page.Text
	}
	for name, write := range map[string]func(io.Writer) error{
		"octet.bash": func(w io.Writer) error { return bashCompletion(w, root, true) },
		"_octet":     root.GenZshCompletion,
		"octet.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		"octet.ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		files[filepath.Join("completions", name)] = b.Bytes()
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
