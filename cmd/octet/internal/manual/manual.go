// Package manual makes manual pages from the help texts of commands. The texts
// keep their lines, because they contain tables.
package manual

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A Page is one manual page in the language of man(7).
type Page struct {
	Name string // of the file, such as octet-convert.1
	Text []byte
}

// Pages returns the page of root, and one for each command and help topic below
// it. exits describes the exit codes.
func Pages(root *cobra.Command, exits string) []Page {
	list := []Page{page(root, exits)}
	for _, c := range root.Commands() {
		if !c.Hidden && c.Name() != "help" {
			list = append(list, page(c, exits))
		}
	}
	return list
}

func page(c *cobra.Command, exits string) Page {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"Octet\" \"Octet Manual\"\n.nh\n.ad l\n", strings.ToUpper(escape(name)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", escape(name), escape(c.Short))
	if c.Runnable() {
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", escape(c.UseLine()))
	}
	section(&b, "DESCRIPTION", c.Long)
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, g := range c.Groups() {
			fmt.Fprintf(&b, ".SS %s\n", escape(strings.TrimSuffix(g.Title, ":")))
			for _, sub := range c.Commands() {
				if sub.GroupID == g.ID && !sub.Hidden {
					fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", escape(sub.Name()), escape(sub.Short))
				}
			}
		}
	}
	if c.Runnable() {
		options(&b, c)
	}
	section(&b, "EXAMPLES", c.Example)
	if c.Runnable() {
		_, codes, _ := strings.Cut(exits, "\n")
		section(&b, "EXIT STATUS", codes)
	}
	also(&b, c)
	return Page{name + ".1", b.Bytes()}
}

// section writes a section whose text keeps its lines.
func section(b *bytes.Buffer, title, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintf(b, ".SH %s\n.nf\n", title)
	for line := range strings.Lines(text) {
		b.WriteString(escape(strings.TrimRight(line, "\n")) + "\n")
	}
	b.WriteString(".fi\n")
}

// options writes the flags, those of the command first.
func options(b *bytes.Buffer, c *cobra.Command) {
	c.InitDefaultHelpFlag()
	b.WriteString(".SH OPTIONS\n")
	write := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if kind != "" {
			name += " " + kind
		}
		if d := f.DefValue; d != "" && d != "false" && d != "[]" && d != "0" {
			usage += " (default " + d + ")"
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", escape(name), escape(strings.ReplaceAll(usage, "\n", " ")))
	}
	c.NonInheritedFlags().VisitAll(write)
	c.InheritedFlags().VisitAll(write)
}

// also lists the pages of the other commands.
func also(b *bytes.Buffer, c *cobra.Command) {
	var names []string
	for _, other := range c.Root().Commands() {
		if !other.Hidden && other != c && other.Name() != "help" && other.Name() != "completion" {
			names = append(names, ".BR "+escape(c.Root().Name()+"-"+other.Name())+" (1)")
		}
	}
	if c != c.Root() {
		names = append(names, ".BR "+c.Root().Name()+" (1)")
	}
	slices.Sort(names)
	b.WriteString(".SH SEE ALSO\n" + strings.Join(names, ",\n") + "\n")
}

// escape returns text in which no character has a meaning for man(7).
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
