package rewrite

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// findTagReads reports the calls that read tags with a key of which some were rewritten. The program
// sees what the command has written there.
func (p *program) findTagReads() {
	if len(p.newTags) == 0 {
		return
	}
	for _, pkg := range p.packages {
		for _, f := range pkg.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
				key := pkg.Info.Types[call.Args[0]].Value
				if !ok || key == nil || key.Kind() != constant.String || p.newTags[constant.StringVal(key)] == nil {
					return true
				}
				if m, ok := pkg.Info.Uses[sel.Sel].(*types.Func); ok && (m.FullName() == "(reflect.StructTag).Get" || m.FullName() == "(reflect.StructTag).Lookup") {
					p.find(Beside, sel.Sel.Pos(), p.newTags[constant.StringVal(key)], "struct tags", "the program reads tags with this key, and the command has changed some: check what it does with their names and options")
				}
				return true
			})
		}
	}
}
