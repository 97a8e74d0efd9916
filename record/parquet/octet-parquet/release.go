package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/internal/roff"
)

// release writes the manual page and the completions for shells into a folder.
func release(flags *flag.FlagSet, dir string) error {
	for _, f := range []struct {
		folder, name string
		write        func(io.Writer, *flag.FlagSet)
	}{
		{"man/man1", "octet-parquet.1", manual},
		{"completions", "octet-parquet.bash", bash},
		{"completions", "_octet-parquet", zsh},
		{"completions", "octet-parquet.fish", fish},
	} {
		folder := filepath.Join(dir, filepath.FromSlash(f.folder))
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
		var text bytes.Buffer
		f.write(&text, flags)
		if err := os.WriteFile(filepath.Join(folder, f.name), text.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// manual writes the help as a manual page in the language of man(7).
func manual(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, ".TH OCTET\\-PARQUET 1 \"\" \"Octet\" \"Octet Manual\"\n.nh\n.ad l\n")
	fmt.Fprint(w, ".SH NAME\noctet\\-parquet \\- Write records as columns, in the format Parquet\n")
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff.Escape(synopsis))
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s", roff.Text(about))
	fmt.Fprint(w, ".SH OPTIONS\n")
	flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff.Escape(strings.TrimSpace(spelled(f)+" "+value)), roff.Escape(usage+standard(f)))
	})
	fmt.Fprintf(w, ".SH EXAMPLES\n%s", roff.Text(indented(examples)))
	fmt.Fprintf(w, ".SH EXIT STATUS\n%s.SH SEE ALSO\n.BR octet (1)\n", roff.Text(indented(exits)))
}

// spelled returns a flag as the help writes it.
func spelled(f *flag.Flag) string {
	if len(f.Name) == 1 {
		return "-" + f.Name
	}
	return "--" + f.Name
}

// standard returns what the help says of the default of a flag.
func standard(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// choices are the values of flags that have few of them.
var choices = map[string]string{
	"compression": "snappy zstd gzip none",
	"from":        "record msgpack json",
	"progress":    "auto never",
}

// hasValue reports whether a value follows the flag.
func hasValue(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return !ok || !b.IsBoolFlag()
}

// bash writes the completion for bash.
func bash(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, "# Completes octet-parquet in bash.\n_octet_parquet() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n")
	fmt.Fprint(w, "\tif [[ $word == = ]]; then # bash divides --from=json\n\t\tword=\n\telif [[ $before == = ]]; then\n\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n\tfi\n\tcase $before in\n")
	var all []string
	flags.VisitAll(func(f *flag.Flag) {
		all = append(all, spelled(f))
		if list := choices[f.Name]; list != "" {
			fmt.Fprintf(w, "\t%s) COMPREPLY=($(compgen -W %q -- \"$word\")) && return ;;\n", spelled(f), list)
		}
	})
	fmt.Fprintf(w, "\tesac\n\tif [[ $word == -* ]]; then\n\t\tCOMPREPLY=($(compgen -W %q -- \"$word\"))\n\tfi\n}\n", strings.Join(all, " "))
	fmt.Fprint(w, "complete -o default -F _octet_parquet octet-parquet\n")
}

// zsh writes the completion for zsh.
func zsh(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, "#compdef octet-parquet\n_arguments \\\n")
	flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		usage = strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(usage)
		name, action := spelled(f), ""
		if hasValue(f) && len(f.Name) > 1 {
			name += "=" // which also stands for a blank
		}
		switch {
		case choices[f.Name] != "":
			action = ":" + f.Name + ":(" + choices[f.Name] + ")"
		case hasValue(f) && value == "FILE":
			action = ":file:_files"
		case hasValue(f):
			action = ":" + strings.ToLower(value) + ":"
		}
		fmt.Fprintf(w, "\t'%s[%s]%s' \\\n", name, usage, action)
	})
	fmt.Fprint(w, "\t'*:file:_files'\n")
}

// fish writes the completion for fish.
func fish(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, "# Completes octet-parquet in fish.\n")
	flags.VisitAll(func(f *flag.Flag) {
		_, usage := flag.UnquoteUsage(f)
		name := "-l " + f.Name
		if len(f.Name) == 1 {
			name = "-s " + f.Name
		}
		switch {
		case choices[f.Name] != "":
			name += " -x -a '" + choices[f.Name] + "'"
		case hasValue(f):
			name += " -r"
		}
		fmt.Fprintf(w, "complete -c octet-parquet %s -d '%s'\n", name, strings.ReplaceAll(usage, "'", `\'`))
	})
}
