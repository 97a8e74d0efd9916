package octetgen

import (
	"fmt"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/outline"
	"github.com/octet-go/octet/layout"
)

// all returns n and the fields inside, apart from those that a plan encodes.
func all(n *outline.Node) []*outline.Node {
	list := []*outline.Node{n}
	if n.Part == "" {
		for _, f := range inside(n) {
			list = append(list, all(f)...)
		}
	}
	return list
}

// inside returns the fields, elements or variants of n.
func inside(n *outline.Node) []*outline.Node {
	list := slices.Concat(n.Targets, n.Fields)
	if n.Elem != nil {
		list = append(list, n.Elem)
	}
	for _, v := range n.Variants {
		list = append(list, v.Node)
	}
	return list
}

// refuse returns why a message has no functions, or "".
func (p *printer) refuse(d *outline.Message) string {
	nodes, late, varints := all(d.Root), 0, 0
	for _, n := range nodes {
		why := n.Obstacle
		switch t := n.Go; {
		case why != "":
			why = "there is no generated code for " + why
		case asksMore(n) && p.nonzero(t, "x") == "":
			why = "the plan must find out whether the field is zero"
		case n.Part != "" && slices.ContainsFunc(n.Links, func(l *outline.Link) bool { return !known(l) }):
			why = "there is no generated code for a length with " + n.Part + " of later fields"
		case n.By != nil && n.Part != "":
			why = "there is no generated code for " + n.Part + " in the byte order that " + n.By.Name + " names"
		case n.By != nil && (n.By.Go.Kind() == reflect.Bool || len(n.By.Conditions) > 0 || n.By.Block != nil && n.By.Block != n.Block):
			why = "there is no generated code for order=" + n.By.Name
		case saysAgain(n.Rest):
			why = "there is no generated code for a field before one whose size several numbers can say"
		case n.Part != "" && !isAlone(n):
			why = "there is no generated code for the option " + n.Part + " with fields that depend on others"
		case n.Kind == outline.UnionNode && slices.ContainsFunc(n.Variants, func(v outline.Variant) bool { return p.typeName(v.Go) == "" }):
			why = "the package cannot name all variants"
		case n.Blank && (n.Kind == outline.BytesNode || n.Kind >= outline.StructNode && n.Kind <= outline.UnionNode):
			why = "there is no generated code for a blank field of this type"
		case n.Kind == outline.SliceNode && ratio(n) > 100:
			why = "the elements take much more memory than bytes"
		case !n.Blank && n.Kind == outline.BytesNode && t.Kind() == reflect.Slice && t.Elem() != reflect.TypeFor[byte]():
			why = "the bytes have a type of their own"
		case n.Name != "" && !n.Blank && n.Scope.Go.PkgPath() != p.path && !allExported(n.Selector):
			why = "the field belongs to another package"
		case !n.Blank && p.typeName(target(t)) == "" && (n.Kind == outline.NumberNode || n.Kind == outline.PointerNode || n.Kind == outline.BytesNode || n.Part != "" ||
			len(n.Conditions) > 0 && (t.Kind() == reflect.Struct || t.Kind() == reflect.Array)):
			why = "the package cannot name the type " + t.String()
		}
		if why != "" {
			return fmt.Sprintf("field %s: %s", n.Path, why)
		}
		for _, l := range n.Links {
			if !known(l) {
				late++
			}
		}
		if n.Sum != nil {
			late++
		}
		if n.Varint && slices.ContainsFunc(n.Links, func(l *outline.Link) bool { return !known(l) }) ||
			n.Prefix == 0 && n.Kind != outline.BytesNode && elementSize(n) == 0 {
			varints++
			if slices.ContainsFunc(all(n), func(c *outline.Node) bool { return c.Kind == outline.AlignNode }) {
				return fmt.Sprintf("field %s: there is no generated code for a varint whose width align depends on", n.Path)
			}
		}
	}
	if targets(d.Root) > 1<<19 {
		return "the targets of pointers take much memory"
	}
	// A varint that is longer than expected moves what follows it, so nothing may remember a place.
	if varints > 0 && late > 0 && varints+late > 2 {
		return "there is no generated code for a varint that depends on later fields beside other such fields"
	}
	return ""
}

// saysAgain reports whether another number says a size if that of a link is absent.
func saysAgain(list []outline.Rest) bool {
	return slices.ContainsFunc(list, func(r outline.Rest) bool { return r.Link != nil && r.Inner != nil || saysAgain(r.Inner) })
}

// isAlone reports whether a field can be the only one of a struct.
func isAlone(n *outline.Node) bool {
	_, err := (*layout.Codec)(nil).Outline(alone(n))
	return err == nil
}

// alone returns the type of a struct with a field that a plan encodes.
func alone(n *outline.Node) reflect.Type {
	return reflect.StructOf([]reflect.StructField{{Name: "V", Type: n.Go, Tag: reflect.StructTag(fmt.Sprintf("layout:%q", n.Part))}})
}

// findZeros finds the slices that end with a zero element for which no plan is needed: nothing in the elements depends on
// where they are, and it is simple whether one is zero.
func (p *printer) findZeros(n *outline.Node) {
	if n.ToZero && n.Elem.Kind == outline.StructNode && p.nonempty(n.Elem.Go, "x") != "" && isAlone(n) &&
		!slices.ContainsFunc(all(n.Elem), func(f *outline.Node) bool { return f.Kind == outline.AlignNode || asksMore(f) || f.Obstacle != "" }) {
		zero, err := layout.Marshal(reflect.New(alone(n)).Interface())
		if err == nil {
			n.Zero, n.Part = zero, ""
		}
	}
	for _, f := range inside(n) {
		p.findZeros(f)
	}
}

func allExported(selector string) bool {
	return !slices.ContainsFunc(strings.Split(selector, "."), func(name string) bool { return !token.IsExported(name) })
}

// target returns the type that a pointer points to.
func target(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// elementSize returns the bytes of each element of a slice that has nothing but elements of one size, or 0.
func elementSize(n *outline.Node) int {
	if n.Kind == outline.SliceNode && n.Count < 0 {
		return max(n.Elem.Size, 0)
	}
	return 0
}

// known reports whether the number of a link is known before what it measures is encoded.
func known(l *outline.Link) bool { return l.Early || l.Elements }

// ratio returns how much memory the elements of a slice take for each byte, at most.
func ratio(n *outline.Node) int {
	if n.Elem.Least == 0 && n.Part == "" {
		return math.MaxInt32
	}
	inner := 0
	for _, c := range all(n.Elem) {
		if c.Kind == outline.SliceNode {
			inner += ratio(c)
		}
	}
	return (int(n.Elem.Go.Size())+targets(n.Elem))/max(1, n.Elem.Least) + inner
}

// targets returns how much memory the targets of the pointers in n and the variants of its unions take, at most.
func targets(n *outline.Node) (size int) {
	if n.Kind == outline.PointerNode {
		size = int(n.Go.Elem().Size())
	}
	for _, f := range inside(n) {
		switch {
		case n.Part != "":
		case n.Kind == outline.UnionNode:
			size = max(size, int(f.Go.Size())+targets(f))
		default:
			size += targets(f)
		}
	}
	return size
}
