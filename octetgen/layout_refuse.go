package octetgen

import (
	"fmt"
	"go/token"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// all returns n and the fields inside.
func all(n *outline.Node) []*outline.Node {
	list := []*outline.Node{n}
	for _, f := range n.Fields {
		list = append(list, all(f)...)
	}
	if n.Elem != nil {
		list = append(list, all(n.Elem)...)
	}
	return list
}

// refuse returns why a message has no functions, or "".
func (p *printer) refuse(d *outline.Message) string {
	nodes, late, varints, targets := all(d.Root), 0, 0, uintptr(0)
	for _, n := range nodes {
		why := n.Obstacle
		switch t := n.Go; {
		case why != "":
			why = "there is no generated code for " + why
		case n.Sum != nil && n.Sum.Name == "inet" && n.Width != 2:
			why = "there is no generated code for inet in a number that has not 16 bits"
		case n.Blank && (n.Kind == outline.BytesNode || n.Kind >= outline.StructNode && n.Kind <= outline.ArrayNode):
			why = "there is no generated code for a blank field of this type"
		case n.Kind == outline.SliceNode && ratio(n) > 100:
			why = "the elements take much more memory than bytes"
		case !n.Blank && n.Kind == outline.BytesNode && t.Kind() == reflect.Slice && t.Elem() != reflect.TypeFor[byte]():
			why = "the bytes have a type of their own"
		case n.Name != "" && !n.Blank && n.Scope.Go.PkgPath() != p.path && !allExported(n.Selector):
			why = "the field belongs to another package"
		case !n.Blank && (n.Kind == outline.NumberNode || n.Kind == outline.PointerNode || n.Kind == outline.BytesNode) && p.typeName(base(t)) == "":
			why = "the package cannot name the type " + t.String()
		case len(n.Conditions) > 0 && !n.Blank && (p.nonzero(t, "x") == "" || t.Kind() == reflect.Struct && p.typeName(t) == ""):
			why = "the plan must find out whether the field is zero"
		}
		if why != "" {
			return fmt.Sprintf("field %s: %s", n.Path, why)
		}
		if n.Kind == outline.PointerNode {
			targets += n.Go.Elem().Size()
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
	if targets > 1<<19 {
		return "the targets of pointers take much memory"
	}
	// A varint that is longer than expected moves what follows it, so nothing may remember a place.
	if varints > 0 && late > 0 && varints+late > 2 {
		return "there is no generated code for a varint that depends on later fields beside other such fields"
	}
	return ""
}

func allExported(selector string) bool {
	return !slices.ContainsFunc(strings.Split(selector, "."), func(name string) bool { return !token.IsExported(name) })
}

// base returns the type that a pointer points to.
func base(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// elementSize returns the bytes of each element of a slice that has nothing but elements of one size, or 0.
func elementSize(n *outline.Node) int {
	if n.Kind == outline.SliceNode && n.Count < 0 {
		if size, fixed := sizeOf(n.Elem); fixed {
			return size
		}
	}
	return 0
}

// known reports whether the number of a link is known before what it measures is encoded.
func known(l *outline.Link) bool { return l.Early || l.Elements }

// ratio returns how much memory the elements of a slice take for each byte, at most.
func ratio(n *outline.Node) int {
	least, _ := sizeOf(n.Elem)
	if least == 0 {
		return math.MaxInt32
	}
	memory, inner := int(n.Elem.Go.Size()), 0
	for _, c := range all(n.Elem) {
		if c.Kind == outline.PointerNode {
			memory += int(c.Go.Elem().Size())
		}
		if c.Kind == outline.SliceNode {
			inner += ratio(c)
		}
	}
	return memory/least + inner
}

// sizeOf returns the fewest bytes of a field, and whether it always has so many.
func sizeOf(n *outline.Node) (least int, fixed bool) {
	if len(n.Conditions) > 0 {
		return 0, false
	}
	prefix := 0
	if n.Prefix >= 0 {
		prefix = max(1, n.Prefix)
	}
	switch n.Kind {
	case outline.NumberNode:
		switch {
		case n.Bits:
			return n.Run, true
		case n.Varint:
			return 1, false
		}
		return n.Width, true
	case outline.BytesNode:
		switch {
		case n.Fixed >= 0:
			return n.Fixed, true
		case n.Until >= 0:
			return 1, false
		case n.Count >= 0:
			return max(1, n.Count), false
		}
		return prefix, false
	case outline.MagicNode:
		return len(n.Magic), true
	case outline.SpaceNode:
		return n.Space, true
	case outline.AlignNode:
		return 0, false
	case outline.StructNode:
		least, fixed = prefix, !n.Framed
		for _, f := range n.Fields {
			k, ok := sizeOf(f)
			least, fixed = least+k, fixed && ok
		}
		return least, fixed
	case outline.PointerNode:
		least, fixed = sizeOf(n.Elem)
		return prefix + least, fixed && !n.Framed
	case outline.ArrayNode:
		least, fixed = sizeOf(n.Elem)
		return prefix + least*n.Go.Len(), fixed && !n.Framed
	case outline.SliceNode:
		if n.Count >= 0 {
			prefix += max(1, n.Count)
		}
		if n.Fixed >= 0 {
			least, fixed = sizeOf(n.Elem)
			return prefix + least*n.Fixed, fixed && !n.Framed
		}
		return prefix, false
	}
	return 0, true
}

// isPlain reports whether the bytes of a number are those in memory, perhaps in reverse.
func isPlain(n *outline.Node) bool {
	k := n.Go.Kind()
	return n.Kind == outline.NumberNode && !n.Bits && !n.Varint && !n.Blank && n.Width == int(n.Go.Size()) && k != reflect.Bool && k != reflect.Int && k != reflect.Uint &&
		(isFloat(n) || n.Signed == isSigned(n)) && len(n.Constants) == 0 && !n.Limited
}

func isFloat(n *outline.Node) bool {
	return n.Go.Kind() == reflect.Float32 || n.Go.Kind() == reflect.Float64
}

func isSigned(n *outline.Node) bool {
	return n.Go.Kind() >= reflect.Int && n.Go.Kind() <= reflect.Int64
}

// isWord reports whether a number is an int or uint, whose size depends on the machine.
func isWord(n *outline.Node) bool { return n.Go.Kind() == reflect.Int || n.Go.Kind() == reflect.Uint }

// memBits returns the bits of the values that the variable of a number can hold.
func memBits(n *outline.Node) int {
	switch {
	case n.Go.Kind() == reflect.Bool:
		return 1
	case n.Blank || isWord(n):
		return 64
	}
	return int(n.Go.Size()) * 8
}

// wireBits returns the bits of the values that the wire can hold.
func wireBits(n *outline.Node) int {
	switch {
	case n.Varint:
		return 64
	case n.Bits:
		return n.Width
	}
	return n.Width * 8
}
