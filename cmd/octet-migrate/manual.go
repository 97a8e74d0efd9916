package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// manual writes the help as a manual page in the language of man(7).
func manual(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, ".TH OCTET\\-MIGRATE 1 \"\" \"Octet\" \"Octet Manual\"\n.nh\n.ad l\n")
	fmt.Fprint(w, ".SH NAME\noctet\\-migrate \\- Rewrite programs that use other libraries\n")
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff(synopsis))
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s\n.PP\n%s\n", roff(about), roff(steps))
	fmt.Fprint(w, ".SH OPTIONS\n")
	flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace("-"+f.Name+" "+value)), roff(usage+standard(f)))
	})
	fmt.Fprintf(w, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(examples))
	fmt.Fprintf(w, ".SH EXIT STATUS\n%s\n.SH SEE ALSO\n.BR octet (1)\n", roff(exits))
}

// standard returns what the help says of the default of a flag.
func standard(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" {
		return ""
	}
	return " (default " + f.DefValue + ")"
}

// roff returns text in which no character has a meaning for man(7). Its lines
// begin with a letter.
func roff(text string) string { return strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text) }
