package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
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
					return bashCompletion(c.OutOrStdout(), root, !short)
				}
			}
		}
	}
}

// bashCompletion writes the script for bash.
func bashCompletion(w io.Writer, root *cobra.Command, descriptions bool) error {
	var b bytes.Buffer
	if err := root.GenBashCompletionV2(&b, descriptions); err != nil {
		return err
	}
	if _, err := w.Write(bytes.Replace(b.Bytes(), []byte(packageWords), []byte(ownWords), 1)); err != nil {
		return failure.Accessing("standard output", err)
	}
	return nil
}

// packageWords is the line of cobra's script that calls a function of the package
// bash-completion, which may not be installed. ownWords does the same without it.
const packageWords = `    _get_comp_words_by_ref "$@" cur prev words cword
`

// ownWords sets the words of the command line up to the cursor. Bash divides a word
// such as --color=always or a:b at "=" and ":"; what no blank divides is joined.
const ownWords = `    local i part rest=${COMP_LINE:0:COMP_POINT}
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        part=${COMP_WORDS[i]}
        if ((i == 0)) || [[ $rest == [[:blank:]]* ]]; then
            words+=("")
        fi
        rest=${rest#"${rest%%[![:blank:]]*}"}
        if ((i == COMP_CWORD)); then
            part=$rest
        fi
        words[${#words[@]}-1]+=$part
        rest=${rest#"$part"}
    done
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    if ((cword > 0)); then
        prev=${words[cword-1]}
    fi
`
