package octetgen

import (
	"cmp"
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

// noCode begins the reasons that are about one field.
const noCode = "there is no generated code for "

// refuse returns why a message has no functions, or "".
func (p *printer) refuse(d *outline.Message) string {
	late, varints := 0, 0
	for _, n := range all(d.Root) {
		t, by, lateLinks := n.Go, cmp.Or(n.By, n), slices.DeleteFunc(slices.Clone(n.Links), known)
		otherBlock := by.Block != nil && by.Block != n.Block
		isContainer := n.Kind >= outline.StructNode && n.Kind <= outline.UnionNode
		isNameless := func(v outline.Variant) bool { return p.typeName(v.Go) == "" }
		mustName := n.Kind == outline.NumberNode || n.Kind == outline.PointerNode || n.Kind == outline.BytesNode || n.Part != "" ||
			len(n.Conditions) > 0 && (t.Kind() == reflect.Struct || t.Kind() == reflect.Array)
		isVarint := n.Varint && len(lateLinks) > 0 || n.Prefix == 0 && n.Kind != outline.BytesNode && elementSize(n) == 0
		// A number that is written when the varint before it may have become longer.
		isMoved := func(f *outline.Node) bool {
			ends := func(l *outline.Link) bool { return !known(l) && !slices.Contains(all(n)[1:], l.Of.To) }
			return f.Sum != nil && (f.Block == n.Block || f.Block == n) || slices.ContainsFunc(f.Links, ends)
		}
		why := firstOf([]obstacle{
			{n.Obstacle != "", noCode + n.Obstacle},
			{asksMore(n) && p.nonzero(t, "x") == "", "the plan must find out whether the field is zero"},
			{n.Part != "" && len(lateLinks) > 0, noCode + "a length with " + n.Part + " of later fields"},
			{n.By != nil && n.Part != "", noCode + n.Part + " in the byte order that " + by.Name + " names"},
			{n.By != nil && (by.Go.Kind() == reflect.Bool || len(by.Conditions) > 0 || otherBlock), noCode + "order=" + by.Name},
			{saysAgain(n.Rest), noCode + "a field before one whose size several numbers can say"},
			{n.Part != "" && !isAlone(n), noCode + "the option " + n.Part + " with fields that depend on others"},
			{slices.ContainsFunc(n.Variants, isNameless), "the package cannot name all variants"},
			{n.Blank && (n.Kind == outline.BytesNode || isContainer), noCode + "a blank field of this type"},
			{n.Kind == outline.SliceNode && ratio(n) > 100, "the elements take much more memory than bytes"},
			{!n.Blank && n.Kind == outline.BytesNode && !isBytes(t), "the bytes have a type of their own"},
			{n.Name != "" && !n.Blank && n.Scope.Go.PkgPath() != p.path && !allExported(n.Selector), "the field belongs to another package"},
			{!n.Blank && mustName && p.typeName(target(t)) == "", "the package cannot name the type " + t.String()},
			{n.Sum != nil && n.Limit < math.MaxUint64, noCode + "max on a checksum"},
			{n.Prefix == 0 && slices.ContainsFunc(all(n)[1:], isMoved), noCode + "a varint before a number that depends on later fields"},
			{isVarint && slices.ContainsFunc(all(n), isAlign), noCode + "a varint whose width align depends on"},
		})
		if why != "" {
			return fmt.Sprintf("field %s: %s", n.Path, why)
		}
		if late += len(lateLinks); n.Sum != nil {
			late++
		}
		if isVarint {
			varints++
		}
	}
	// A varint that is longer than expected moves what follows it, so nothing may remember a place.
	return firstOf([]obstacle{
		{d.Root.Kind != outline.StructNode, "it has methods or a form of its own"},
		{!slices.ContainsFunc(all(d.Root), hasBytes), "the message has no bytes"},
		{targets(d.Root) > 1<<19, "the targets of pointers take much memory"},
		{varints > 0 && late > 0 && varints+late > 2, noCode + "a varint that depends on later fields beside other such fields"},
	})
}

// isBytes reports whether a type of text is a string or has elements of type byte itself.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Elem() == reflect.TypeFor[byte]()
}

// hasBytes reports whether n itself, not what is inside, has bytes.
func hasBytes(n *outline.Node) bool {
	return n.Kind <= outline.AlignNode || slices.Contains([]outline.NodeKind{outline.SliceNode, outline.UnionNode, outline.UserNode}, n.Kind)
}

func isAlign(n *outline.Node) bool { return n.Kind == outline.AlignNode }

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
// where they are, it is simple whether one is zero, and no number chooses the order of its bytes that are not zero: those of
// prefixes. A prefix of the slice would count the zero element, too.
func (p *printer) findZeros(n *outline.Node) {
	if n.ToZero && n.Prefix < 0 && n.Elem.Kind == outline.StructNode && p.nonempty(n.Elem.Go, "x") != "" && isAlone(n) &&
		!slices.ContainsFunc(all(n.Elem), func(f *outline.Node) bool {
			return f.Kind == outline.AlignNode || asksMore(f) || f.Obstacle != "" || f.By != nil && f.Prefix > 1
		}) {
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
