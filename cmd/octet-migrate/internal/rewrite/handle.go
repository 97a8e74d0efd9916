package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A handle is a variable of a library that only holds options, such as a
// MsgpackHandle. It is removed if all its uses are options that are set to
// constants, and arguments of calls that are rewritten. A Codec takes its place.
type handle struct {
	lib      *table.Library
	node     node
	settings []string
	removals []removal
	home     *types.Info    // of the package that declares the variable
	block    *ast.BlockStmt // in which a variable is declared, nil for one of a package
	sets     []setting
	used     []handleUse
}

type removal struct {
	e        *fileEdits
	pos, end token.Pos
}

// handleArg returns the expression of an argument that is a handle: the variable,
// its address, or a literal.
func (s *site) handleArg(i int) (ast.Expr, bool) {
	args := s.arguments()
	named := namedOf(s.pkg.Info.TypeOf(args[i]))
	if named == nil || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != s.lib.Path {
		return nil, false
	}
	// An argument of type Handle, an interface, cannot be removed.
	r, ok := s.lib.Row(named.Obj().Name())
	return args[i], ok && r.Flags&table.Handle != 0
}

func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	if pt, ok := types.Unalias(t).(*types.Pointer); ok {
		t = pt.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// handleNodes returns the nodes of the handles among the arguments of a call.
func (p *program) handleNodes(s *site) (nodes []node) {
	for i := range s.arguments() {
		if e, ok := s.handleArg(i); ok {
			nodes = append(nodes, p.carrier(s.pkg.Info, e))
		}
	}
	return nodes
}

// settingsOf returns the settings of the handles of a call.
func (p *program) settingsOf(s *site) (settings []string) {
	for _, n := range p.handleNodes(s) {
		if h := p.handles[n]; h != nil {
			settings = append(settings, h.settings...)
		}
	}
	return settings
}

// findHandles looks at all uses of variables of handles, and blocks those that
// have other uses.
func (p *program) findHandles() {
	for _, pkg := range p.packages {
		for _, file := range pkg.Files {
			ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if v, ok := object(pkg.Info, n).(*types.Var); ok && v.IsField() {
						p.useField(pkg, n, v, stack)
					} else if ok {
						p.useHandle(pkg, file, n, v, stack)
					}
				case *ast.CompositeLit:
					if lib, row := p.handleType(pkg.Info.TypeOf(n)); lib != nil && row.Flags&table.Handle != 0 {
						p.handleLiteral(pkg, n, stack)
					}
				}
				return true
			})
		}
	}
	for _, h := range p.handles {
		p.keepUnordered(h)
	}
	// A handle stays if a call that takes it does.
	for _, s := range p.sites {
		for i := range s.arguments() {
			if e, ok := s.handleArg(i); ok && !p.isKnown(s.pkg, e) {
				p.flow.block(p.carrier(s.pkg.Info, e), p.fset.Position(e.Pos()), otherHandle)
			}
		}
		if s.why == "" {
			continue
		}
		for _, n := range p.handleNodes(s) {
			p.flow.block(n, p.fset.Position(s.at()), s.name+" is not rewritten")
		}
	}
}

// handleType returns the library and the row of a handle's type.
func (p *program) handleType(t types.Type) (*table.Library, table.Row) {
	named := namedOf(t)
	if named == nil {
		return nil, table.Row{}
	}
	lib := p.library(named.Obj())
	if lib == nil {
		return nil, table.Row{}
	}
	row, _ := lib.Row(named.Obj().Name())
	return lib, row
}

func (p *program) handleOf(n node) *handle {
	h := p.handles[n]
	if h == nil {
		h = &handle{node: n}
		p.handles[n] = h
	}
	return h
}

const handleStays = "it is also used in another way: make a Codec of a profile by hand"

const handleOption = "an option has no counterpart, or not with this value"

// useHandle records one use of a variable that may be a handle.
func (p *program) useHandle(pkg *Package, file *ast.File, id *ast.Ident, v *types.Var, stack []ast.Node) {
	_, row := p.handleType(v.Type())
	if row.Flags&table.Handle == 0 {
		return
	}
	h := p.handleOf(p.at(v.Pos()))
	e := &fileEdits{p: p, pkg: pkg, file: file}
	block := func() { p.flow.block(h.node, p.fset.Position(id.Pos()), handleStays) }
	parent := stack[len(stack)-1]
	if pkg.Info.Defs[id] != nil { // its declaration
		h.home = pkg.Info
		for _, n := range stack {
			if b, ok := n.(*ast.BlockStmt); ok {
				h.block = b
			}
		}
		switch d := parent.(type) {
		case *ast.ValueSpec:
			gen, ok := stack[len(stack)-2].(*ast.GenDecl)
			if !ok || len(d.Names) != 1 || id.IsExported() && !p.Closed || len(d.Values) > 0 && !p.isHandleValue(pkg, d.Values[0]) {
				block()
				return
			}
			pos, end := d.Pos(), d.End()
			if len(gen.Specs) == 1 {
				pos, end = gen.Pos(), gen.End()
			}
			h.removals = append(h.removals, removal{e, pos, end})
		case *ast.AssignStmt:
			if len(d.Lhs) != 1 || !p.isHandleValue(pkg, d.Rhs[0]) {
				block()
				return
			}
			h.removals = append(h.removals, removal{e, d.Pos(), d.End()})
		default:
			block()
		}
		return
	}
	if u, ok := parent.(*ast.UnaryExpr); ok && u.Op == token.AND {
		stack = stack[:len(stack)-1]
		parent = stack[len(stack)-1]
	}
	switch n := parent.(type) {
	case *ast.CallExpr:
		if p.libraryFunc(pkg.Info, n.Fun) == nil {
			block()
		}
		h.used = append(h.used, handleUse{id.Pos(), slices.ContainsFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })})
	case *ast.SelectorExpr:
		if !p.setOption(pkg, h, e, n, stack[:len(stack)-1]) {
			p.flow.block(h.node, p.fset.Position(id.Pos()), handleOption)
		}
	default:
		block()
	}
}

// isHandleValue reports whether an expression makes a handle: new(T), T{} or &T{}.
func (p *program) isHandleValue(pkg *Package, e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return pkg.Info.Types[e.Fun].IsBuiltin()
	}
	return false
}

// setOption records the statement h.Option = constant.
func (p *program) setOption(pkg *Package, h *handle, e *fileEdits, sel *ast.SelectorExpr, stack []ast.Node) bool {
	for len(stack) > 0 {
		outer, ok := stack[len(stack)-1].(*ast.SelectorExpr)
		if !ok {
			break
		}
		sel, stack = outer, stack[:len(stack)-1]
	}
	if len(stack) == 0 {
		return false
	}
	set, ok := stack[len(stack)-1].(*ast.AssignStmt)
	if !ok || len(set.Lhs) != 1 || set.Lhs[0] != ast.Expr(sel) || set.Tok != token.ASSIGN {
		return false
	}
	if !p.setting(h, pkg.Info.Uses[sel.Sel], set.Rhs[0]) {
		return false
	}
	h.removals = append(h.removals, removal{e, set.Pos(), set.End()})
	h.sets = append(h.sets, setting{pkg.Info, set.Pos(), slices.Clone(stack[:len(stack)-1])})
	return true
}

// handleLiteral records the options in a literal.
func (p *program) handleLiteral(pkg *Package, lit *ast.CompositeLit, stack []ast.Node) {
	if len(lit.Elts) == 0 {
		return
	}
	n := p.at(lit.Pos())
	outer, known := ast.Node(lit), false
	for i := len(stack) - 1; i >= 0; i-- { // the variable that it is assigned to, or the literal it is in
		switch s := stack[i].(type) {
		case *ast.UnaryExpr:
			outer = s
			continue
		case *ast.KeyValueExpr:
			if _, row := p.handleType(pkg.Info.TypeOf(stack[i-1].(ast.Expr))); row.Flags&table.Handle != 0 {
				return // a part of another literal, which finds it
			}
		case *ast.AssignStmt:
			if id, ok := s.Lhs[0].(*ast.Ident); ok && len(s.Lhs) == 1 {
				n, known = p.carrier(pkg.Info, id), true
			}
		case *ast.ValueSpec:
			if len(s.Names) == 1 {
				n, known = p.at(s.Names[0].Pos()), true
			}
		case *ast.CallExpr:
			if u, ok := outer.(*ast.UnaryExpr); ok && p.libraryFunc(pkg.Info, s.Fun) != nil {
				n, known = p.carrier(pkg.Info, u), true
			}
		}
		break
	}
	if !known {
		p.literalSettings(pkg, &handle{}, lit) // for what it reports
		p.flow.block(n, p.fset.Position(lit.Pos()), otherHandle)
		return
	}
	if !p.literalSettings(pkg, p.handleOf(n), lit) {
		p.flow.block(n, p.fset.Position(lit.Pos()), handleOption)
	}
}

func (p *program) literalSettings(pkg *Package, h *handle, lit *ast.CompositeLit) bool {
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return false
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			return false
		}
		if inner, ok := kv.Value.(*ast.CompositeLit); ok {
			if _, row := p.handleType(pkg.Info.TypeOf(inner)); row.Flags&table.Handle != 0 {
				if !p.literalSettings(pkg, h, inner) {
					return false
				}
				continue
			}
		}
		if !p.setting(h, pkg.Info.Uses[key], kv.Value) {
			return false
		}
	}
	return true
}

// configOption matches the texts of rows that only name a field of Options.
var configOption = regexp.MustCompile("^`[A-Z][A-Za-z0-9]*(: [A-Za-z]+)?`($|[;,])")

// setting adds the field of Options that an option with a constant has.
func (p *program) setting(h *handle, option types.Object, value ast.Expr) bool {
	lib := p.library(option)
	if lib == nil {
		return false
	}
	text := types.ExprString(value)
	row, ok := lib.Row(p.name(option) + " = " + strings.ReplaceAll(text, "interface{}", "any"))
	if !ok {
		row, _ = lib.Row(p.name(option))
		do := row.Do
		if configOption.MatchString(do) {
			do = "make a `Codec` with " + do
		}
		p.find(Left, value.Pos(), lib, p.name(option), do)
		return false
	}
	h.lib = lib
	if row.Value != "" {
		h.settings = append(h.settings, row.Value)
	}
	return true
}

// sortsKeys reports whether a handle of a library has an option that sorts the keys of maps.
func (p *program) sortsKeys(lib *table.Library) bool {
	for _, h := range p.handles {
		if h.lib == lib && slices.ContainsFunc(h.settings, func(text string) bool { return strings.Contains(text, "SortKeys") }) {
			return true
		}
	}
	return false
}

// removeHandles removes the declarations and options of handles that no code
// needs any more.
func (p *program) removeHandles() {
	for _, h := range p.handles {
		if p.flow.blocked(h.node) != nil {
			continue
		}
		for _, r := range h.removals {
			e := p.editsOf(r.e.pkg, r.e.file)
			pos, end := e.lines(r.pos, r.end)
			e.replace(pos, end)
		}
	}
}
