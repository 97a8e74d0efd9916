package manual

import (
	"bytes"
	"io"

	"github.com/spf13/cobra"
)

// Completions returns the completions for shells of a program, by the names of the files.
func Completions(root *cobra.Command) (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, write := range map[string]func(io.Writer) error{
		root.Name() + ".bash": func(w io.Writer) error { return Bash(w, root, true) },
		"_" + root.Name():     root.GenZshCompletion,
		root.Name() + ".fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
		root.Name() + ".ps1":  root.GenPowerShellCompletionWithDesc,
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return nil, err
		}
		files[name] = b.Bytes()
	}
	return files, nil
}

// Bash writes the completion for bash.
func Bash(w io.Writer, root *cobra.Command, descriptions bool) error {
	var b bytes.Buffer
	if err := root.GenBashCompletionV2(&b, descriptions); err != nil {
		return err
	}
	script := bytes.Replace(b.Bytes(), []byte(packageWords), []byte(ownWords), 1)
	// The script quotes what it completes, and bash also quotes commas, which need no quotes.
	script = bytes.ReplaceAll(script, []byte(only), []byte(only+`
            COMPREPLY[0]=${COMPREPLY[0]//\\,/,}`))
	_, err := w.Write(script)
	return err
}

// only is the line of cobra's script that quotes the only completion.
const only = `            COMPREPLY[0]=$(printf "%q" "${COMPREPLY[0]}")`

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
