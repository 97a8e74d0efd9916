package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/manual"
)

const completionHelp = `Completion writes a script for a shell, which then completes the commands, flags
and file names of octet when you press Tab. The help of each command below says
how to install the script.`

const bashHelp = `Bash writes a script for the shell bash, which needs no other package. To use it
in the current shell:

  source <(octet completion bash)

To use it in every shell, write it into the folder where your system keeps such
scripts, or source it in ~/.bashrc:

  octet completion bash >~/.local/share/bash-completion/completions/octet
  octet completion bash >~/.octet.bash && echo '. ~/.octet.bash' >>~/.bashrc`

// completion sets the help and the arguments of the command that cobra adds.
func completion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Short = "Write a script that completes command lines in your shell"
		c.Long = completionHelp
		c.Args = knownCommand
		c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		for _, sub := range c.Commands() {
			sub.Short = "Write the script for " + strings.Replace(sub.Name(), "powershell", "PowerShell", 1)
			if sub.Name() == "bash" {
				sub.Long = bashHelp
				sub.RunE = func(c *cobra.Command, _ []string) error {
					short, err := c.Flags().GetBool("no-descriptions")
					if err != nil {
						return err
					}
					if err := manual.Bash(c.OutOrStdout(), root, !short); err != nil {
						return failure.Accessing("standard output", err)
					}
					return nil
				}
			}
		}
	}
}
