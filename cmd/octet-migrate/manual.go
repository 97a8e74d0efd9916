package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/octet-go/octet/internal/roff"
)

// manual writes the help as a manual page in the language of man(7).
func manual(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprint(w, ".TH OCTET\\-MIGRATE 1 \"\" \"Octet\" \"Octet Manual\"\n.nh\n.ad l\n")
	fmt.Fprint(w, ".SH NAME\noctet\\-migrate \\- Rewrite programs that use other libraries\n")
	fmt.Fprintf(w, ".SH SYNOPSIS\n.B %s\n", roff.Escape(synopsis))
	fmt.Fprintf(w, ".SH DESCRIPTION\n%s", roff.Text(about+"\n\n"+steps))
	fmt.Fprint(w, ".SH OPTIONS\n")
	flags.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff.Escape(strings.TrimSpace("-"+f.Name+" "+value)), roff.Escape(usage+standard(f)))
	})
	fmt.Fprintf(w, ".SH EXAMPLES\n%s", roff.Text("  "+strings.ReplaceAll(examples, "\n", "\n  ")))
	fmt.Fprintf(w, ".SH EXIT STATUS\n%s.SH SEE ALSO\n.BR octet (1)\n", roff.Text(exits))
}

// standard returns what the help says of the default of a flag.
func standard(f *flag.Flag) string {
	if f.DefValue == "" || f.DefValue == "false" {
		return ""
	}
	return " (default " + f.DefValue + ")"
}
