package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A mutant is one change of one file.
type mutant struct {
	dir, file string // the package, and the path of the file
	function  string
	line      int
	old, new  string
	context   string // the line of code
	same      int    // number of mutants before it in the function with the same context, old and new
	source    []byte // of the file
	text      []byte // of the changed file
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %q becomes %q in: %s", m.file, m.line, m.function, m.old, m.new, m.context)
}

// key identifies the mutant in the list of survivors. It has no line numbers, because they change often.
func (m mutant) key() string {
	key := fmt.Sprintf("%s %s: %s: %s -> %s", filepath.ToSlash(m.file), m.function, m.context, flat(m.old), cmp.Or(flat(m.new), "(nothing)"))
	if m.same > 0 {
		key += fmt.Sprintf(" #%d", m.same+1)
	}
	return key
}

// flat returns text on one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// choose sorts the mutants by hashes of their keys and the seed.
func choose(all []mutant, seed uint64) {
	hash := func(m mutant) uint64 {
		h := fnv.New64a()
		fmt.Fprintf(h, "%d %s", seed, m.key())
		return h.Sum64()
	}
	slices.SortFunc(all, func(a, b mutant) int { return cmp.Compare(hash(a), hash(b)) })
}

// mutantsOf returns every mutant of the package in a directory, as the current platform builds it.
func mutantsOf(dir string) ([]mutant, error) {
	p, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range p.GoFiles {
		path := filepath.Join(dir, name)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := mutantsOfFile(dir, path, source)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no mutants", dir)
	}
	return all, nil
}

func mutantsOfFile(dir, path string, source []byte) ([]mutant, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(source), "\n")
	var all []mutant
	seen := make(map[string]int)
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		change := func(from, to token.Pos, replacement string) {
			start, end := set.Position(from).Offset, set.Position(to).Offset
			line := set.Position(from).Line
			changed := slices.Concat(source[:start], []byte(replacement), source[end:])
			m := mutant{
				dir: dir, file: path, function: fn.Name.Name, line: line, source: source, text: changed,
				old: string(source[start:end]), new: replacement, context: strings.TrimSpace(lines[line-1]),
			}
			m.same = seen[m.key()]
			seen[m.key()]++
			all = append(all, m)
		}
		text := func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			mutate(n, text, change)
			return true
		})
	}
	return all, nil
}

// operators are the replacements of binary operators.
var operators = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.LAND: "||", token.LOR: "&&", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*",
	token.SHL: ">>", token.SHR: "<<", token.AND: "|", token.OR: "&", token.AND_NOT: "&",
}

// mutate calls change for every mutant that begins at n. text returns the source of a node.
func mutate(n ast.Node, text func(ast.Node) string, change func(from, to token.Pos, replacement string)) {
	remove := func(n ast.Node) { change(n.Pos(), n.End(), "") }
	negate := func(e ast.Expr) {
		if e != nil {
			change(e.Pos(), e.End(), "!("+text(e)+")")
		}
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		negate(n.Cond)
	case *ast.ForStmt:
		negate(n.Cond)
	case *ast.BinaryExpr:
		if other, ok := operators[n.Op]; ok {
			change(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other)
		}
	case *ast.BasicLit:
		if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil && n.Kind == token.INT {
			change(n.Pos(), n.End(), strconv.FormatUint(v+1, 10))
		}
	case *ast.Ident:
		switch n.Name {
		case "true":
			change(n.Pos(), n.End(), "false")
		case "false":
			change(n.Pos(), n.End(), "true")
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			change(n.Pos(), n.Pos()+1, "")
		}
	case *ast.ReturnStmt:
		mutateReturn(n, text, change)
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok != token.FALLTHROUGH {
			remove(n)
		}
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			remove(n)
		}
	case *ast.ExprStmt, *ast.DeferStmt, *ast.IncDecStmt:
		remove(n)
	}
}

// mutateReturn swaps the first two results and drops an error.
func mutateReturn(n *ast.ReturnStmt, text func(ast.Node) string, change func(from, to token.Pos, replacement string)) {
	if len(n.Results) == 0 {
		return
	}
	first, last := n.Results[0], n.Results[len(n.Results)-1]
	if len(n.Results) > 1 {
		second := n.Results[1]
		change(first.Pos(), second.End(), text(second)+", "+text(first))
	}
	if id, ok := last.(*ast.Ident); ok && id.Name == "err" {
		change(last.Pos(), last.End(), "nil")
	}
}
