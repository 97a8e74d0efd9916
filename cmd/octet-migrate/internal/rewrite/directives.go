package rewrite

import (
	"go/ast"
	"path"
	"regexp"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A directive tells a generator what to write, in a comment, or as an argument of the
// command that go generate runs.
type directive struct {
	comment *ast.Comment
	words   []string // the name, as a table has it, and the rest
}

// directivesOf returns the directives of a file for the generator of a library.
func directivesOf(file *ast.File, lib *table.Library) (list []directive) {
	if lib.Command == "" {
		return nil
	}
	mark := "//" + lib.Command + ":"
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, mark) {
				list = append(list, directive{c, strings.Fields(c.Text)})
			}
			for _, text := range arguments(c.Text, lib.Command) {
				if words := strings.Fields(mark + strings.TrimPrefix(strings.TrimSpace(text), lib.Command+":")); len(words) > 0 {
					list = append(list, directive{c, words})
				}
			}
		}
	}
	return list
}

var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[^ \t]+`)

// arguments returns the arguments of the flag -d if a comment tells go generate to run the
// command.
func arguments(comment, command string) (list []string) {
	line, ok := strings.CutPrefix(comment, "//go:generate ")
	if !ok {
		return nil
	}
	ran, flag := false, false
	for _, w := range word.FindAllString(line, -1) {
		w = strings.ReplaceAll(strings.Trim(w, `"`), `\"`, `"`)
		value, isFlag := strings.CutPrefix(w, "-d")
		name, _, _ := strings.Cut(path.Base(w), "@")
		switch {
		case flag:
			list, flag = append(list, w), false
		case !ran:
			ran = name == command
		case isFlag && value == "":
			flag = true
		case isFlag && value[0] == '=':
			list = append(list, value[1:])
		}
	}
	return list
}

// named returns the names that follow a directive.
func named(pkg *Package, lib *table.Library, name string) (names []string) {
	for _, f := range pkg.Files {
		for _, d := range directivesOf(f, lib) {
			if d.words[0] == name {
				names = append(names, d.words[1:]...)
			}
		}
	}
	return names
}
