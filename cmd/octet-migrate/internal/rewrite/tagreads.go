package rewrite

import (
	"go/ast"
	"go/constant"
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// findTagReads reports what reads tags with a key of which some were rewritten: calls of package reflect, and
// what other packages get the key by, such as a field TagName. The program sees what the command has written there.
func (p *program) findTagReads() {
	if len(p.newTags) == 0 {
		return
	}
	for _, pkg := range p.packages {
		// The expression has the key as its value, and the name says what it is for.
		found := func(e ast.Expr, at ast.Node, name string) {
			key := pkg.Info.Types[e].Value
			if key == nil || key.Kind() != constant.String || !aboutTags(name) {
				return
			}
			if lib := p.newTags[constant.StringVal(key)]; lib != nil {
				p.find(Beside, at.Pos(), lib, "struct tags", "the program reads tags with this key, and the command has changed some: check what it does with their names and options")
			}
		}
		for _, f := range pkg.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					m := function(pkg.Info, n.Fun)
					if m == nil || p.library(m) != nil {
						break
					}
					for i, arg := range n.Args {
						if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && (m.FullName() == "(reflect.StructTag).Get" || m.FullName() == "(reflect.StructTag).Lookup") {
							found(arg, sel.Sel, "tag")
						} else if params := m.Signature().Params(); i < params.Len() {
							found(arg, arg, params.At(i).Name()+"_"+m.Name())
						}
					}
				case *ast.KeyValueExpr:
					if id, ok := n.Key.(*ast.Ident); ok {
						if v, ok := pkg.Info.Uses[id].(*types.Var); ok && v.IsField() {
							found(n.Value, n.Value, id.Name)
						}
					}
				case *ast.AssignStmt:
					for i := 0; len(n.Lhs) == len(n.Rhs) && i < len(n.Rhs); i++ {
						switch l := ast.Unparen(n.Lhs[i]).(type) {
						case *ast.Ident:
							found(n.Rhs[i], n.Rhs[i], l.Name)
						case *ast.SelectorExpr:
							found(n.Rhs[i], n.Rhs[i], l.Sel.Name)
						}
					}
				}
				return true
			})
		}
	}
}

// aboutTags reports whether a name has the word tag, as TagName, structTag, JSONTag and tag_key have, but not stage or Percentage.
func aboutTags(name string) bool {
	name = wordAfterLower.ReplaceAllString(wordAfterUpper.ReplaceAllString(name, "${1}_$2"), "${1}_$2")
	return slices.ContainsFunc(strings.Split(strings.ToLower(name), "_"), func(word string) bool {
		return slices.Contains([]string{"tag", "tags", "tagged", "tagkey", "tagname", "structtag", "structtags"}, strings.TrimRight(word, "0123456789"))
	})
}

// Where a word begins in a name such as JSONTag and in one such as structTag.
var (
	wordAfterUpper = regexp.MustCompile(`([A-Z])([A-Z][a-z])`)
	wordAfterLower = regexp.MustCompile(`([a-z0-9])([A-Z])`)
)
