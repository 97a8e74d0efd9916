package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// missing lists the blocks that no test executes: where they begin, the function they are in, and their first line.
func (p profile) missing(w io.Writer, root string) error {
	var lines []string
	var functions []function
	file := ""
	for _, b := range p.blocks() {
		if p[b] || b.statements == 0 {
			continue
		}
		if b.file != file {
			name := filepath.Join(root, filepath.FromSlash(b.file))
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if functions, err = parseFunctions(name, text); err != nil {
				return err
			}
			file, lines = b.file, strings.Split(string(text), "\n")
		}
		if b.line > len(lines) || b.end > len(lines) { // the file has changed since
			return fmt.Errorf("%s is not the file of the profile", b.file)
		}
		fmt.Fprintf(w, "%s:%d\t%s\t%d\t%s\n", b.file, b.line, enclosing(functions, b.line), b.statements, b.text(lines))
	}
	return nil
}

// text returns the first line of the block that has code. A block can begin or end in the
// middle of a line, such as after a brace.
func (b block) text(lines []string) string {
	for n := b.line; n <= b.end; n++ {
		line, from, to := lines[n-1], 0, len(lines[n-1])
		if n == b.line {
			from = min(b.col-1, to)
		}
		if n == b.end {
			to = min(b.endCol-1, to)
		}
		if from > to {
			continue
		}
		if s := strings.Trim(line[from:to], "{} \t"); s != "" && !strings.HasPrefix(s, "//") {
			return s
		}
	}
	return ""
}

// A function is a declared function with its lines.
type function struct {
	name      string
	line, end int
}

func parseFunctions(name string, text []byte) ([]function, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var list []function
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			list = append(list, function{fn.Name.Name, set.Position(fn.Pos()).Line, set.Position(fn.End()).Line})
		}
	}
	return list, nil
}

func enclosing(functions []function, line int) string {
	for _, f := range functions {
		if f.line <= line && line <= f.end {
			return f.name
		}
	}
	return "-"
}
