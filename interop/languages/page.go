package main

import (
	"fmt"
	"slices"
	"strings"
)

// pageHead is the beginning of the page.
const pageHead = `# Octet and other MessagePack libraries

<!-- Written by go test ./interop/languages -run Libraries -update. Do not edit. -->

Octet and the libraries below read the same messages and write the values again. This page lists every value that a library does
not read or write unchanged. A test fails if a library does anything else.

Each library reads a message, describes the value, and writes the value again. The description is compared exactly: an integer
differs from a float of the same value, and floats are compared bit by bit after a float 32 is widened. Octet reads what the library wrote,
and that value is compared in the same way. ✓ means that the library reads what Octet writes, and that Octet reads what the library writes.

%[1]d messages are written by hand: the bounds of every format, special floats, timestamps, keys, malformed messages. %[2]d more contain
generated values that Octet encoded. Malformed messages must be refused.

` + "```" + `
go run ./interop/languages -install    installs the libraries, runs them, and prints what they do; -n and -seed choose the generated values
` + "```" + `

The libraries run with their default options. A column with the suffix + shows the same library with the options that preserve the most values.
`

// makePage returns docs/interop.md. All libraries must have run.
func makePage(folder string, t table) (string, error) {
	var b strings.Builder
	random := 0
	for _, v := range t.vectors {
		if v.section == generated {
			random++
		}
	}
	fmt.Fprintf(&b, pageHead, len(t.vectors)-random, random)
	writeSummary(&b, t)
	writeMatrix(&b, t)
	b.WriteString("\n## Differences of each library\n")
	for _, c := range t.columns {
		known, err := readKnown(folder, c)
		if err != nil {
			return "", err
		}
		writeDifferences(&b, c, known)
	}
	return b.String(), nil
}

func writeSummary(b *strings.Builder, t table) {
	b.WriteString("\n## Summary\n\nThe last column counts the generated values that the library wrote as the bytes that it had read. Most libraries, Octet among them, read a float 32 as a float 64 and write it as one, so that 500 values have other bytes.\n\n" +
		"| language | library | version | messages as expected | generated values as expected | same bytes |\n|---|---|---|---|---|---|\n")
	for _, c := range t.columns {
		s := c.sum(t.vectors)
		fmt.Fprintf(b, "| %s | [%s](#%s) | %s | %d of %d | %d of %d | %d |\n",
			c.language, c.name, anchor(c), c.version, s.good, s.all, s.generatedGood, s.generatedAll, s.same)
	}
}

// title is the heading of a library. anchor is the target that GitHub derives from this heading for links.
func title(c column) string {
	if strings.HasSuffix(c.name, "+") {
		return strings.TrimSuffix(c.name, "+") + " with options (" + c.language + ")"
	}
	return c.name + " (" + c.language + ")"
}

func anchor(c column) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case strings.ContainsRune("()@/+.", r):
			return -1
		}
		return r
	}, strings.ToLower(title(c)))
}

func writeMatrix(b *strings.Builder, t table) {
	b.WriteString("\n## Values\n\n| symbol | meaning |\n|---|---|\n" +
		"| ✓ | read and written unchanged; a malformed message is refused |\n" +
		"| ≠ | read or written as another value; a malformed message is accepted |\n" +
		"| ✗ | not read, or read but not written |\n| † | the process ends |\n\n" +
		"A column with the heading + is the library of the column before it, with options.\n")
	rows := t.rows()
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r row) bool { return r.section != rows[0].section })
		if n < 0 {
			n = len(rows)
		}
		t.writeSection(b, rows[:n])
		rows = rows[n:]
	}
}

// writeSection writes a table of the rows that some library does not handle as expected, and the names of the others.
func (t table) writeSection(b *strings.Builder, rows []row) {
	fmt.Fprintf(b, "\n### %s\n\n", rows[0].section)
	var same []string
	var differ []row
	for _, r := range rows {
		if slices.ContainsFunc(t.columns, func(c column) bool { return c.outcome(r).text != "" }) {
			differ = append(differ, r)
		} else {
			same = append(same, escape(r.name))
		}
	}
	if len(same) > 0 {
		fmt.Fprintf(b, "✓ in every library: %s.\n", strings.Join(same, "; "))
	}
	if len(differ) == 0 {
		return
	}
	if len(same) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("| value |")
	for _, c := range t.columns {
		fmt.Fprintf(b, " %s |", heading(c))
	}
	b.WriteString("\n|---|" + strings.Repeat(":-:|", len(t.columns)) + "\n")
	for _, r := range differ {
		fmt.Fprintf(b, "| %s |", escape(r.name))
		for _, c := range t.columns {
			fmt.Fprintf(b, " %s |", symbol(c.outcome(r)))
		}
		b.WriteByte('\n')
	}
}

// heading returns a short name of the library.
func heading(c column) string {
	if strings.HasSuffix(c.name, "+") {
		return "+"
	}
	return strings.TrimSuffix(strings.TrimSuffix(c.name, "/msgpack"), "-dataformat-msgpack")
}

func symbol(o outcome) string {
	switch o.kind {
	case "":
		return "✓"
	case crashed:
		return "†"
	case notRead, notWritten:
		return "✗"
	}
	return "≠"
}

func writeDifferences(b *strings.Builder, c column, known []difference) {
	fmt.Fprintf(b, "\n### %s\n", title(c))
	if c.options != "" {
		fmt.Fprintf(b, "\nOptions: %s.\n", escape(c.options))
	}
	if len(known) == 0 {
		b.WriteString("\nNo differences.\n")
	}
	reason := ""
	for _, d := range known {
		if d.reason != reason {
			reason = d.reason
			fmt.Fprintf(b, "\n%s\n\n", escape(reason))
		}
		fmt.Fprintf(b, "- %s: %s\n", escape(d.row), escape(d.what))
	}
}

// escape returns text that Markdown shows unchanged.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "_", `\_`, "*", `\*`, "<", "&lt;", "[", `\[`, "`", "\\`").Replace(text)
}
