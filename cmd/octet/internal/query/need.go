package query

import (
	"maps"
	"strings"

	"github.com/itchyny/gojq"
)

// A need says which parts of a value a program looks at. The rest of the value can
// stay encoded. The zero need is that of a program which returns the value as it is,
// or looks only at its type or whether it is true: each array or map then has a
// substitute, which the encoder replaces by the bytes.
type need struct {
	all    bool             // every part
	fields map[string]*need // the values of these keys
	each   *need            // all elements, or the values of all keys
}

var (
	passes = &need{}
	whole  = &need{all: true}
)

// both returns the need of a program that looks at what a and b need.
func both(a, b *need) *need {
	switch {
	case a == b || b == passes:
		return a
	case a == passes:
		return b
	case a.all || b.all:
		return whole
	}
	n := &need{fields: maps.Clone(a.fields), each: a.each}
	for name, x := range b.fields {
		if y := n.fields[name]; y != nil {
			x = both(x, y)
		} else if n.fields == nil {
			n.fields = map[string]*need{}
		}
		n.fields[name] = x
	}
	switch {
	case n.each == nil:
		n.each = b.each
	case b.each != nil:
		n.each = both(n.each, b.each)
	}
	return n
}

// of returns what is needed of the value of a key, and whether it is needed at all.
func (n *need) of(name string) (*need, bool) {
	x, ok := n.fields[name]
	switch {
	case n.all:
		return whole, true
	case ok && n.each != nil:
		return both(x, n.each), true
	case n.each != nil:
		return n.each, true
	}
	return x, ok
}

// element returns what is needed of the elements of an array.
func (n *need) element() *need {
	switch {
	case n.all:
		return whole
	case n.each != nil:
		return n.each
	}
	return passes
}

// needOf returns what q needs of its input if what follows it needs out of its results.
// It knows the forms of programs that select and rearrange; every other one needs all.
func needOf(q *gojq.Query, out *need) *need {
	switch {
	case q == nil:
		return out
	case len(q.FuncDefs) > 0 || len(q.Imports) > 0 || len(q.Patterns) > 0:
		return whole
	case q.Term != nil:
		return needOfTerm(q.Term, out)
	}
	switch q.Op {
	case gojq.OpPipe:
		return needOf(q.Left, needOf(q.Right, out))
	case gojq.OpComma, gojq.OpAlt:
		return both(needOf(q.Left, out), needOf(q.Right, out))
	case gojq.OpAnd, gojq.OpOr:
		return both(needOf(q.Left, passes), needOf(q.Right, passes))
	case gojq.OpAdd, gojq.OpSub, gojq.OpMul, gojq.OpDiv, gojq.OpMod,
		gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		return both(needOf(q.Left, whole), needOf(q.Right, whole))
	}
	return whole // an assignment
}

func needOfTerm(t *gojq.Term, out *need) *need {
	for i := len(t.SuffixList) - 1; i >= 0; i-- {
		s := t.SuffixList[i]
		switch {
		case s.Index != nil:
			out = needOfIndex(s.Index, out)
		case s.Iter:
			out = &need{each: out}
		}
		if out == whole && s.Index != nil && !isConstant(s.Index) {
			return whole // the index is computed from the input
		}
	}
	switch t.Type {
	case gojq.TermTypeIdentity:
		return out
	case gojq.TermTypeIndex:
		if !isConstant(t.Index) {
			return whole
		}
		return needOfIndex(t.Index, out)
	case gojq.TermTypeNumber, gojq.TermTypeNull, gojq.TermTypeTrue, gojq.TermTypeFalse:
		return passes
	case gojq.TermTypeString:
		if t.Str != nil && len(t.Str.Queries) == 0 {
			return passes
		}
		n := passes
		for _, q := range t.Str.Queries {
			n = both(n, needOf(q, whole))
		}
		return n
	case gojq.TermTypeQuery:
		return needOf(t.Query, out)
	case gojq.TermTypeArray:
		if t.Array.Query == nil {
			return passes
		}
		return needOf(t.Array.Query, out.element())
	case gojq.TermTypeObject:
		return needOfObject(t.Object, out)
	case gojq.TermTypeFunc:
		return needOfFunc(t.Func, out)
	case gojq.TermTypeIf:
		n := needOf(t.If.Cond, passes)
		n = both(n, needOf(t.If.Then, out))
		for _, e := range t.If.Elif {
			n = both(n, both(needOf(e.Cond, passes), needOf(e.Then, out)))
		}
		return both(n, needOf(t.If.Else, out)) // without else, the input is the result
	case gojq.TermTypeTry:
		if t.Try.Catch == nil {
			return needOf(t.Try.Body, out)
		}
	}
	return whole
}

// isConstant reports whether an index does not depend on the input.
func isConstant(i *gojq.Index) bool {
	if i.Str != nil {
		return len(i.Str.Queries) == 0
	}
	if i.Name != "" {
		return true
	}
	_, isName := constant(i.Start)
	return !i.IsSlice && (isName || isNumber(i.Start))
}

// needOfIndex returns what a constant index needs.
func needOfIndex(i *gojq.Index, out *need) *need {
	name, isName := i.Name, i.Name != ""
	switch {
	case !isConstant(i):
		return whole
	case i.Str != nil:
		name, isName = i.Str.Str, true
	case !isName:
		name, isName = constant(i.Start)
	}
	if isName {
		return &need{fields: map[string]*need{name: out}}
	}
	return &need{each: out}
}

// constant returns the text of a query that is a string.
func constant(q *gojq.Query) (string, bool) {
	if q == nil || q.Term == nil || q.Term.Type != gojq.TermTypeString || len(q.Term.SuffixList) > 0 || len(q.Term.Str.Queries) > 0 {
		return "", false
	}
	return q.Term.Str.Str, true
}

// isNumber reports whether a query is a number, which may be negative.
func isNumber(q *gojq.Query) bool {
	if q == nil || q.Term == nil || len(q.Term.SuffixList) > 0 {
		return false
	}
	t := q.Term
	return t.Type == gojq.TermTypeNumber || t.Type == gojq.TermTypeUnary && t.Unary.Term.Type == gojq.TermTypeNumber && len(t.Unary.Term.SuffixList) == 0
}

func needOfObject(o *gojq.Object, out *need) *need {
	n := passes
	for _, kv := range o.KeyVals {
		name := kv.Key
		switch {
		case kv.KeyQuery != nil || kv.KeyString != nil && len(kv.KeyString.Queries) > 0:
			return whole
		case kv.KeyString != nil:
			name = kv.KeyString.Str
		}
		of, ok := out.of(name)
		switch {
		case !ok:
			of = passes
		case out.all:
			of = whole
		}
		switch {
		case kv.Val != nil:
			n = both(n, needOf(kv.Val, of))
		case kv.KeyString != nil || !strings.HasPrefix(name, "$"): // not a variable
			n = both(n, &need{fields: map[string]*need{name: of}})
		}
	}
	return n
}

func needOfFunc(f *gojq.Func, out *need) *need {
	if strings.HasPrefix(f.Name, "$") {
		return passes // a variable, which a flag defines
	}
	switch len(f.Args) {
	case 0:
		switch f.Name {
		case "empty", "null", "true", "false", "not", "type":
			return passes
		case "values", "nulls", "booleans", "numbers", "strings", "arrays", "objects", "iterables", "scalars":
			return out
		case "first", "last":
			return &need{each: out}
		case "length", "keys", "keys_unsorted":
			return &need{each: passes}
		}
	case 1:
		switch f.Name {
		case "select":
			return both(needOf(f.Args[0], passes), out)
		case "map":
			return &need{each: needOf(f.Args[0], out.element())}
		case "first", "last":
			return needOf(f.Args[0], out)
		case "any", "all":
			return &need{each: needOf(f.Args[0], passes)}
		}
	}
	return whole
}
