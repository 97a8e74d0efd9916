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

const tableData = table.Data

// A site is one use of a library's name.
type site struct {
	pkg    *Package
	file   *ast.File
	lib    *table.Library
	row    table.Row
	name   string
	id     *ast.Ident
	ref    ast.Expr      // the name with its qualifier or receiver
	call   *ast.CallExpr // the call of ref, or nil
	inner  *ast.CallExpr // the call whose result is the receiver, for rows "Func().Method"
	stack  []ast.Node    // around ref or call
	nodes  []node
	method bool
	note   string // what to check although it is rewritten
	open   bool   // values of other modules can reach it
	any    bool   // it decodes into interfaces
	byAny  bool   // it encodes maps whose keys are interfaces
	lost   string // what Octet refuses of the values in its interfaces
	why    string // why it stays; "" if it can be rewritten
}

// at returns the position that findings about the site have.
func (s *site) at() token.Pos { return s.id.Pos() }

// findSites finds the uses of libraries in a file, and reports those without
// counterpart.
func (p *program) findSites(pkg *Package, file *ast.File) {
	generated := p.generatedBy(file)
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		lib := table.For(p.libraries, path)
		if lib != nil && spec.Name != nil && spec.Name.Name == "_" {
			p.find(Left, spec.Pos(), lib, "import", "remove it: nothing uses the library by name")
		}
	}
	if generated != nil {
		p.find(Left, file.Package, generated, "generated file", "delete it together with its go:generate line when nothing calls its methods: Octet needs no generated code, and octet-gen writes it where speed matters")
		p.blockFile(pkg, file)
		return
	}
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o := pkg.Info.Uses[n]
			if lib := p.library(o); lib != nil {
				if _, isPackage := o.(*types.PkgName); !isPackage && o.Exported() {
					p.addSite(pkg, file, lib, n, o, stack)
				}
			} else if f, ok := o.(*types.Func); ok {
				p.addGenerated(pkg, file, n, f, stack)
			}
		case *ast.FuncDecl:
			p.findHook(pkg, n)
		}
		return true
	})
}

// blockFile keeps what the uses in a file of generated code refer to.
func (p *program) blockFile(pkg *Package, file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			for _, id := range f.Names {
				if v := pkg.Info.Defs[id]; v != nil && p.mentions(v.Type()) {
					p.flow.block(p.at(v.Pos()), p.fset.Position(v.Pos()), "it is in a generated file")
				}
			}
		}
		return true
	})
}

// generatedBy returns the library whose generator wrote a file, or nil.
func (p *program) generatedBy(file *ast.File) *table.Library {
	name := p.filename(file)
	for _, lib := range p.libraries {
		if p.isGenerated(name, lib) {
			return lib
		}
	}
	return nil
}

// addSite adds the use of a name.
func (p *program) addSite(pkg *Package, file *ast.File, lib *table.Library, id *ast.Ident, o types.Object, stack []ast.Node) {
	s := &site{pkg: pkg, file: file, lib: lib, name: p.name(o), id: id, ref: id, stack: slices.Clone(stack)}
	if sel, ok := s.parent().(*ast.SelectorExpr); ok && sel.Sel == id {
		s.ref, s.stack = sel, s.stack[:len(s.stack)-1]
	}
	if index, ok := s.parent().(*ast.IndexExpr); ok && index.X == s.ref { // a generic function
		if _, isFunc := o.(*types.Func); isFunc {
			s.ref, s.stack = index, s.stack[:len(s.stack)-1]
		}
	}
	if call, ok := s.parent().(*ast.CallExpr); ok && ast.Unparen(call.Fun) == s.ref {
		s.call, s.stack = call, s.stack[:len(s.stack)-1]
	}
	if v, ok := o.(*types.Var); ok && v.IsField() { // findHandles looks at options
		owner, _, _ := strings.Cut(s.name, ".")
		if r, _ := lib.Row(owner); r.Flags&table.Handle != 0 {
			return
		}
	}
	if p.inChain(s, o) {
		return
	}
	row, found := lib.Row(s.name)
	if !p.worthRewriting(lib, pkg, file) {
		return
	}
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		s.method = true
		p.chained(s, &row, &found)
	}
	if !found {
		if lib.Profile == "" { // a package of which only some names are replaced
			return
		}
		row = table.Row{Name: s.name, Do: "nothing replaces it"}
	}
	s.row = row
	s.nodes = p.nodesOf(s, o)
	p.sites = append(p.sites, s)
	if s.why = p.unfit(s, o); s.why != "" {
		for _, n := range s.nodes {
			p.flow.block(n, p.fset.Position(s.at()), s.name+" is not rewritten")
		}
		p.find(Left, s.at(), lib, s.name, s.why)
	}
}

// worthRewriting reports whether the library has no list OnlyWith, or the file uses one of
// the names in it. Other files would not get faster.
func (p *program) worthRewriting(lib *table.Library, pkg *Package, file *ast.File) bool {
	if len(lib.OnlyWith) == 0 {
		return true
	}
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if f, isFunc := pkg.Info.Uses[id].(*types.Func); ok && isFunc && f.Signature().Recv() == nil && p.library(f) == lib {
			found = found || slices.Contains(lib.OnlyWith, f.Name())
		}
		return !found
	})
	return found
}

func (s *site) parent() ast.Node {
	if len(s.stack) == 0 {
		return nil
	}
	return s.stack[len(s.stack)-1]
}

// inChain reports whether a call is part of a larger one that a row replaces as a
// whole.
func (p *program) inChain(s *site, o types.Object) bool {
	f, ok := o.(*types.Func)
	if !ok || s.call == nil || f.Signature().Recv() != nil || len(s.stack) < 2 {
		return false
	}
	sel, ok := s.parent().(*ast.SelectorExpr)
	if !ok || sel.X != s.call {
		return false
	}
	outer, ok := s.stack[len(s.stack)-2].(*ast.CallExpr)
	r, found := s.lib.Row(s.name + "()." + sel.Sel.Name)
	return ok && outer.Fun == sel && found && len(s.call.Args)+len(outer.Args) >= arity(r.Call)
}

// chained finds the row of a method that is called on the result of a function.
func (p *program) chained(s *site, row *table.Row, found *bool) {
	sel, ok := s.ref.(*ast.SelectorExpr)
	if !ok || s.call == nil {
		return
	}
	inner, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok {
		return
	}
	f := p.libraryFunc(s.pkg.Info, inner.Fun)
	if f == nil {
		return
	}
	_, method, _ := strings.Cut(s.name, ".")
	if r, ok := s.lib.Row(p.name(f) + "()." + method); ok && len(inner.Args)+len(s.call.Args) >= arity(r.Call) {
		*row, *found, s.inner = r, true, inner
	}
}

// arguments returns what {1}, {2} and so on stand for.
func (s *site) arguments() []ast.Expr {
	if s.call == nil {
		return nil
	}
	if s.inner != nil {
		return append(append([]ast.Expr{}, s.inner.Args...), s.call.Args...)
	}
	return s.call.Args
}

// unfit returns what to do by hand if the site cannot be rewritten, or "".
func (p *program) unfit(s *site, o types.Object) string {
	if !s.row.Rewrites() && s.row.Flags&table.Handle == 0 {
		return s.row.Do
	}
	f, isFunc := o.(*types.Func)
	if !isFunc {
		return p.unfitType(s, o)
	}
	if s.call == nil {
		if s.row.ValueFor(f.Signature().Params().Len()) == "" {
			return "call it, or write a function with the same parameters" + orDo(s.row)
		}
		return methodExpression(s)
	}
	if why := methodExpression(s); why != "" {
		return why
	}
	args := s.arguments()
	if s.row.Call == "" {
		if s.row.Value != "" {
			return ""
		}
		return s.row.Do
	}
	if n := arity(s.row.Call); len(args) < n || f.Signature().Variadic() && !strings.Contains(s.row.Call, "{rest}") && (len(args) != n || s.call.Ellipsis.IsValid()) {
		return "call it with one value at a time" + orDo(s.row)
	}
	if s.row.Flags&table.Discard != 0 && !discards(s) {
		return s.row.Do
	}
	if into := decodesInto.FindStringSubmatch(s.row.Call); into != nil && s.lib.Profile != "" && isMapOrSlice(s.pkg.Info.TypeOf(args[into[1][0]-'1'])) {
		return "it decodes into a map or a slice without a pointer, and Octet returns an error: give it a pointer; Octet then adds to the map, or sets the length of the slice"
	}
	for _, e := range args {
		if s.lib.Generator == nil {
			break
		}
		if why := p.contained(s.pkg.Info.TypeOf(e), 0); why != "" {
			return generatedShape + why + changeShape + "use the codec"
		}
	}
	if s.row.Flags&table.Reads != 0 {
		why, note := p.readsAhead(s, args[0])
		s.note = note
		return why
	}
	return ""
}

// decodesInto finds the argument that a replacement decodes into.
var decodesInto = regexp.MustCompile(`(?:Decode|Unmarshal)\((?:.*, )?\{(\d)\}\)$`)

func isMapOrSlice(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// methodExpression returns what to do by hand with a method expression such as (*T).Method, or "".
func methodExpression(s *site) string {
	if sel, ok := s.ref.(*ast.SelectorExpr); ok && s.method && s.pkg.Info.Types[sel.X].IsType() {
		return "call the method on a value: a method expression has another type in Octet"
	}
	return ""
}

func orDo(r table.Row) string {
	if r.Do == "" {
		return ""
	}
	return "; " + r.Do
}

// discards reports whether the first result of a call is not used.
func discards(s *site) bool {
	switch n := s.parent().(type) {
	case *ast.ExprStmt:
		return true
	case *ast.AssignStmt:
		id, ok := n.Lhs[0].(*ast.Ident)
		return ok && id.Name == "_" && len(n.Rhs) == 1
	}
	return false
}
