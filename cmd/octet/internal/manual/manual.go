// Package manual makes manual pages from the help texts of commands, and completions for
// shells.
package manual

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/octet-go/octet/internal/roff"
)

// A Page is one manual page in the language of man(7).
type Page struct {
	Name string // of the file, such as octet-convert.1
	Text []byte
}

// Pages returns the page of c, and one for each command and help topic below it that
// its help shows. exits describes the exit codes.
func Pages(c *cobra.Command, exits string) []Page {
	list := []Page{page(c, exits)}
	for _, sub := range shown(c) {
		list = append(list, Pages(sub, exits)...)
	}
	return list
}

// shown returns the commands and topics directly below c that its help lists.
func shown(c *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(c.Commands()), func(sub *cobra.Command) bool { return sub.Hidden })
}

// title returns the name of a page.
func title(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func page(c *cobra.Command, exits string) Page {
	name := title(c)
	c.InitDefaultHelpFlag() // cobra adds these two when it runs a command
	c.InitDefaultVersionFlag()
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"Octet\" \"Octet Manual\"\n.nh\n.ad l\n", strings.ToUpper(roff.Escape(name)))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff.Escape(name), roff.Escape(c.Short))
	if c.Runnable() {
		fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff.Escape(c.UseLine()))
		if len(shown(c)) > 0 {
			fmt.Fprintf(&b, ".br\n.B %s [command]\n", roff.Escape(c.CommandPath()))
		}
	}
	section(&b, "DESCRIPTION", c.Long)
	commands(&b, c)
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

// commands lists the commands and topics below c: by groups, and then those in none.
func commands(b *bytes.Buffer, c *cobra.Command) {
	left := shown(c)
	if len(left) == 0 {
		return
	}
	b.WriteString(".SH COMMANDS\n")
	list := func(heading, group string) {
		for _, sub := range left {
			if sub.GroupID != group {
				continue
			}
			if heading != "" {
				fmt.Fprintf(b, ".SS %s\n", roff.Escape(strings.TrimSuffix(heading, ":")))
				heading = ""
			}
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff.Escape(sub.Name()), roff.Escape(sub.Short))
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, g.ID)
	}
	if len(c.Groups()) > 0 {
		list("Additional help topics", "")
	} else {
		list("", "")
	}
}

// section writes a section.
func section(b *bytes.Buffer, title, text string) {
	if strings.TrimSpace(text) != "" {
		fmt.Fprintf(b, ".SH %s\n%s", title, roff.Text(text))
	}
}

// options writes the flags, those of the command first.
func options(b *bytes.Buffer, c *cobra.Command) {
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
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff.Escape(name), roff.Escape(strings.ReplaceAll(usage, "\n", " ")))
	}
	c.NonInheritedFlags().VisitAll(write)
	c.InheritedFlags().VisitAll(write)
}

// also lists the pages of the commands above, beside and below c.
func also(b *bytes.Buffer, c *cobra.Command) {
	others := shown(c)
	if c.HasParent() {
		others = append(others, shown(c.Parent())...)
	}
	for above := c.Parent(); above != nil; above = above.Parent() {
		others = append(others, above)
	}
	var names []string
	for _, other := range others {
		if other != c && other.Name() != "help" && other.Name() != "completion" {
			names = append(names, ".BR "+roff.Escape(title(other))+" (1)")
		}
	}
	slices.Sort(names)
	b.WriteString(".SH SEE ALSO\n" + strings.Join(names, ",\n") + "\n")
}
