package layout

import (
	"cmp"

	"github.com/octet-go/octet/internal/errtext"
)

// find looks for the field that an option of n denotes: in the struct whose field n
// is, which may be an embedded one, then in the structs around it. A name of an
// embedded struct is hidden by the same name less deep.
func (b *builder) find(n *node, name string) *node {
	if name == "_" {
		return nil
	}
	passed := []*scope{}
	for n != nil {
		for n.owner != nil {
			n = n.owner
		}
		for g := n.group; g != nil; g = g.parent {
			if found, _ := g.find(name); found != nil {
				for _, p := range passed {
					p.outerNames = append(p.outerNames, outerName{name, found})
				}
				return found
			}
		}
		if n.scope == nil {
			return nil
		}
		passed = append(passed, n.scope)
		n = n.scope.owner
	}
	return nil
}

// find returns the node of a name that is embedded least, or nil, and how deeply it is
// embedded.
func (g *group) find(name string) (found *node, depth int) {
	for _, it := range g.items {
		if it.group == nil {
			if it.node.name == name {
				return it.node, 0
			}
			continue
		}
		if n, d := it.group.find(name); n != nil && (found == nil || d+1 < depth) {
			found, depth = n, d+1
		}
	}
	return found, depth
}

// around returns the scope around s, or nil.
func (s *scope) around() *scope {
	if s.owner == nil {
		return nil
	}
	return s.owner.scope
}

// mustFind returns the field that an option of n names. The error for a name that there is
// not suggests a similar one, because most are misspelled or were renamed in one place. The
// suggestion is a field of the struct or of those around it, where find looks, or to embed a
// struct with this name, as in Go.
func (b *builder) mustFind(n *node, name, option string) (*node, error) {
	f := b.find(n, name)
	if f != nil {
		return f, nil
	}
	if name == "_" {
		return nil, wrong(n.path(), "%s: a field _ has no name; put it into a struct of its own, and name that", option)
	}
	var names []string
	text := ""
	for s := n.scope; s != nil; s = s.around() {
		for _, o := range s.nodes {
			if o.name != "_" {
				names = append(names, o.name)
			}
			if in := cmp.Or(o.elem, o).inner; in != nil && o.kind != sliceNode && o.kind != arrayNode && text == "" {
				if f, _ := in.fields.find(name); f != nil {
					text = "; to name a field of " + o.name + ", embed that struct"
				}
			}
		}
	}
	if near := errtext.Similar(name, names); near != "" && text == "" {
		text = "; did you mean " + near + "?"
	}
	return nil, wrong(n.path(), "%s: no field %s in %s or the structs around it%s", option, name, typeName(n.scope.typ), text)
}

// mustFindExtent returns the range of fields that an option of n names. Options with the
// same range share one extent, so that its beginning and end are noted once. A range
// contains whole runs of bits.
func (b *builder) mustFindExtent(n *node, s span, option string) (*extent, error) {
	from, err := b.mustFind(n, s.from, option)
	if err != nil {
		return nil, err
	}
	to, err := b.mustFind(n, s.to, option)
	if err != nil {
		return nil, err
	}
	if from.scope != to.scope {
		return nil, wrong(n.path(), "%s: %s and %s are not fields of one struct", option, s.from, s.to)
	}
	if from.index > to.index {
		return nil, wrong(n.path(), "%s: %s comes after %s", option, s.from, s.to)
	}
	if from.runFirst != nil {
		from = from.runFirst
	}
	for next := to.index + 1; to.runFirst != nil && next < len(to.scope.nodes) && to.scope.nodes[next].runFirst == to.runFirst; next++ {
		to = to.scope.nodes[next]
	}
	for _, e := range from.scope.extents {
		if e.from == from.index && e.to == to.index {
			return e, nil
		}
	}
	e := &extent{scope: from.scope, from: from.index, to: to.index}
	from.scope.extents = append(from.scope.extents, e)
	return e, nil
}

// checkLoops verifies that the names in a recursive type denote the same fields in
// each level of the recursion. There is one list for all levels, which could not ask
// different fields, and that the recursion can end.
func (b *builder) checkLoops() error {
	for _, n := range b.loops {
		for _, f := range n.inner.nodes {
			if l := f.endless(n.inner); l != nil {
				return wrong(l.path(), "each %v contains another one, so no message ends; add the option if, or use a slice", l.typ)
			}
		}
		for _, o := range n.inner.outerNames {
			if found := b.find(n, o.name); found != o.node {
				return wrong(n.path(), "the name %s in the recursive type %s refers to a different field than where the recursion begins", o.name, typeName(n.inner.typ))
			}
		}
	}
	return nil
}
