package layout

import (
	"math"
	"reflect"
	"slices"
	"strings"
)

// optionSets says how a kind of node is called in errors, and which options it may have. It is a
// list of what is allowed, so that a new option is refused everywhere until someone adds it where
// it has a meaning. An option that would be ignored is an error of its author.
var optionSets = map[nodeKind]struct{ name, options string }{
	numberNode:  {"a number", "form order oct dec bits msb lsb end len count if const sum max"},
	bytesNode:   {"bytes", "order prefix fixed fill cstring until utf16 count if max"},
	magicNode:   {"a magic", "order if magic"},
	spaceNode:   {"a space", "if skip"},
	alignNode:   {"a space", "if align"},
	structNode:  {"a struct", "order prefix if"},
	pointerNode: {"a pointer", "order prefix if"},
	sliceNode:   {"a slice", "form oct dec order prefix count fixed until if max switch"},
	arrayNode:   {"an array", "form oct dec order prefix if switch"},
	unionNode:   {"a union", "order prefix if switch"},
	userNode:    {"a type with methods", "order prefix fixed if"},
	rawNode:     {"raw bytes", "raw"},
	emptyNode:   {"an empty field", ""},
}

// optionClass returns the word in optionSets for an option: its name, or what it has in
// common with others.
func optionClass(name string) string {
	if _, ok := sums[name]; ok {
		return "sum"
	}
	if name == "be" || name == "le" {
		return "order"
	}
	if f, _ := formOf(name); f != noForm {
		return "form"
	}
	return name
}

// checkOptions verifies that the options suit the kind of node and each other. Where two
// options exclude each other, the error says what would be right, because the author of a
// tag sees it instead of documentation.
func (n *node) checkOptions() (err error) {
	g := &n.tag
	if allowed := optionSets[n.kind]; !g.element && g.text != "" {
		for option := range strings.SplitSeq(g.text, ",") {
			name, value, _ := strings.Cut(option, "=")
			if !slices.Contains(strings.Fields(allowed.options), optionClass(name)) {
				if _, err := numeral(value, 0, math.MaxInt); err == nil && name == "len" && n.kind == bytesNode {
					return wrong(n.path(), "len is an option of the number that holds the length; for a length that never changes, use fixed=%s", value)
				}
				if name == "len" && n.kind != userNode {
					return wrong(n.path(), "len is an option of the number that holds the length, with the name of this field")
				}
				if name == "skip" || name == "align" {
					return wrong(n.path(), "option %s requires a field _ struct{}", name)
				}
				return wrong(n.path(), "option %s is not allowed on %s (%v)", name, allowed.name, n.typ)
			}
		}
	}
	ways := b2i(g.prefix != "") + b2i(g.fixed >= 0) + b2i(g.cstring) + b2i(g.until >= 0) + b2i(g.count != "" && n.kind == bytesNode)
	refuse := func(bad bool, format string, args ...any) {
		if bad && err == nil {
			err = wrong(n.path(), format, args...)
		}
	}
	refuse(g.order != noOrder && g.orderOf != "", "both a byte order and order=")
	refuse((g.fill != byOrder || g.closeRun) && g.bits == 0, "msb, lsb and end require bits=n")
	refuse(g.bits > 0 && len(g.conditions) > 0, "a bit field cannot have a condition; put the run of bits into a struct with the condition")
	refuse(g.bits > 0 && n.tag.element, "bits requires a single number")
	refuse(ways > 1, "more than one of prefix, count, fixed, cstring and until")
	refuse(g.fillByte >= 0 && g.fixed < 0, "fill requires fixed=n")
	refuse(g.form != noForm && !g.element && (n.kind == sliceNode || n.kind == arrayNode) && !formSuits(g.form, n.typ), "form %s cannot be used for the elements of %v", g.formName(), n.typ)
	refuse(g.limited && n.typ.Kind() == reflect.Slice && g.fillByte < 0 && g.fixed > int(min(g.limit, math.MaxInt)), "fixed=%d exceeds max=%d", g.fixed, g.limit)
	refuse(g.utf16 && n.typ.Kind() != reflect.String, "utf16 requires a string, not %v", n.typ)
	refuse(g.utf16 && g.fixed > 0 && g.fixed%2 != 0, "the fixed length of a UTF-16 string is an odd number of bytes")
	refuse(g.toZero && n.kind != sliceNode, "until=zero requires a slice whose elements are not bytes; for bytes use cstring or until=0xNN")
	refuse(n.kind == sliceNode && g.until >= 0, "until=0xNN requires bytes; for a slice use until=zero or until=end")
	refuse(n.kind == sliceNode && (b2i(g.count != "")+b2i(g.fixed >= 0)+b2i(g.toZero)+b2i(g.toEnd)) > 1, "more than one of count, fixed and until")
	refuse(g.toEnd && ways > 0, "both until=end and another length")
	refuse(len(g.constants) > 0 && (len(g.links) > 0 || g.sum.name != ""), "a constant cannot be computed; remove const, or the link or checksum")
	refuse(len(g.links) > 0 && g.sum.name != "", "both a link and a checksum")
	refuse((len(g.links) > 0 || g.sum.name != "") && (n.num.kind == floatKind || n.num.kind == boolKind), "links and checksums require an integer, not %v", n.typ)
	refuse(n.kind == numberNode && g.limited && n.num.kind == floatKind, "max requires an integer, bytes or a slice")
	refuse(g.union != "" && n.kind != unionNode && innermostElem(n.typ).Kind() != reflect.Interface, "switch requires an interface or a slice of interfaces, not %v", n.typ)
	refuse(n.kind == unionNode && g.union == "", "an interface needs switch=FIELD, the number that selects the type that it holds")
	return err
}

// innermostElem returns the type of the elements of t that are no slices or arrays.
func innermostElem(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t
}

// b2i returns 1 if b is true, otherwise 0. The compiler makes it one instruction without a
// branch.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// formSuits reports whether the elements of a slice or array are numbers that can
// have the form.
func formSuits(f form, t reflect.Type) bool {
	t = innermostElem(t)
	kind, ok := kindOf(t.Kind())
	return ok && (f == floatForm) == (kind == floatKind) && !isUserType(t)
}
