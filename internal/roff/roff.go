// Package roff writes texts in the language of man(7).
package roff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// characters have a meaning for man(7), or become other characters where the terminal has
// them: nobody could copy an example with the quotes of a book.
var characters = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// Escape returns text in which no character has a meaning.
func Escape(text string) string {
	text = characters.Replace(text)
	if strings.ContainsFunc(text, isWide) {
		var b strings.Builder
		for _, r := range text {
			if isWide(r) { // groff takes a page for Latin-1
				fmt.Fprintf(&b, `\[u%04X]`, r)
			} else {
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

func isWide(r rune) bool { return r >= utf8.RuneSelf }

// Text returns the paragraphs of a text. Lines that begin with a space, such as those of
// tables and examples, stay as they are. Other lines are filled.
func Text(text string) string {
	var b strings.Builder
	for lines := strings.Split(strings.Trim(text, "\n"), "\n"); lines[0] != ""; {
		isTable := strings.HasPrefix(lines[0], " ")
		n := slices.IndexFunc(lines, func(line string) bool { return line == "" || strings.HasPrefix(line, " ") != isTable })
		if n < 0 {
			n = len(lines)
		}
		if isTable {
			table(&b, lines[:n])
		} else {
			for _, line := range lines[:n] {
				b.WriteString(Escape(line) + "\n")
			}
		}
		lines = lines[n:]
		if len(lines) == 0 {
			break
		}
		if lines[0] == "" || isTable {
			b.WriteString(".PP\n")
		}
		for lines[0] == "" { // the last one is not
			lines = lines[1:]
		}
	}
	return b.String()
}

// table writes lines as they are. They are indented like other text unless they would be
// too long for a terminal then.
func table(b *strings.Builder, lines []string) {
	const columns, usual = 80, 7
	indent := usual
	for _, line := range lines {
		indent = min(indent, columns-utf8.RuneCountInString(line))
	}
	b.WriteString(".br\n.nf\n")
	if indent < usual {
		fmt.Fprintf(b, ".in %dn\n", max(indent, 0))
	}
	for _, line := range lines {
		b.WriteString(Escape(line) + "\n")
	}
	b.WriteString(".fi\n")
}
