package main

import (
	"io"

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

const zshHelp = `Zsh writes a script for the shell zsh. To use it in the current shell:

  source <(octet completion zsh)

To use it in every shell, write it into a folder in which zsh looks for
functions:

  octet completion zsh >"${fpath[1]}/_octet"

If zsh completes nothing yet, add this line to ~/.zshrc, and start a new shell:

  autoload -U compinit; compinit`

const fishHelp = `Fish writes a script for the shell fish. To use it in the current shell:

  octet completion fish | source

To use it in every shell:

  octet completion fish >~/.config/fish/completions/octet.fish`

const powerShellHelp = `PowerShell writes a script for PowerShell. To use it in the current session:

  octet completion powershell | Out-String | Invoke-Expression

To use it in every session, add the script to your profile:

  octet completion powershell >>$PROFILE`

// completion sets the help, the arguments and the work of the command that cobra adds.
// Those of cobra write to the standard output of the process, and ignore errors.
func completion(root *cobra.Command) {
	shells := map[string]struct {
		name, help string
		script     func(w io.Writer, descriptions bool) error
	}{
		"bash": {"bash", bashHelp, func(w io.Writer, descriptions bool) error { return manual.Bash(w, root, descriptions) }},
		"zsh": {"zsh", zshHelp, func(w io.Writer, descriptions bool) error {
			if descriptions {
				return root.GenZshCompletion(w)
			}
			return root.GenZshCompletionNoDesc(w)
		}},
		"fish": {"fish", fishHelp, root.GenFishCompletion},
		"powershell": {"PowerShell", powerShellHelp, func(w io.Writer, descriptions bool) error {
			if descriptions {
				return root.GenPowerShellCompletionWithDesc(w)
			}
			return root.GenPowerShellCompletion(w)
		}},
	}
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
			shell := shells[sub.Name()]
			sub.DisableFlagsInUseLine = false
			sub.Short, sub.Long = "Write the script for "+shell.name, shell.help
			if f := sub.Flags().Lookup("no-descriptions"); f != nil {
				f.Usage = "complete without descriptions"
			}
			sub.RunE = func(c *cobra.Command, _ []string) error {
				short, err := c.Flags().GetBool("no-descriptions")
				if err != nil {
					return err
				}
				if err := shell.script(c.OutOrStdout(), !short); err != nil {
					return failure.Accessing("standard output", err)
				}
				return nil
			}
		}
	}
}
