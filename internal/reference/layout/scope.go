package layout

import (
	"encoding"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"sync"
)

// field is a field of a struct. The fields of embedded structs are fields of
// the struct around them.
type field struct {
	name   string
	typ    reflect.Type
	path   []int // for reflect.Value.FieldByIndex
	opt    options
	orders []options // of the struct and of embedded structs around the field, outermost first
	where  string
}

// ordersStruct reports whether f only states the byte order of its struct.
func (f field) ordersStruct() bool {
	return f.name == "_" && f.typ == reflect.TypeFor[struct{}]() && (f.opt.order != "" || f.opt.orderOf != "") && f.opt.magic == "" && f.opt.skip < 0 && f.opt.align == 0
}

// silent reports whether f takes no bytes in any message.
func (f field) silent() bool { return f.opt.none || f.opt.raw != nil || f.ordersStruct() }

// fieldCache has the result of fieldsOf for each reflect.Type, because parsing tags takes more time than all else.
var fieldCache sync.Map

// fieldsOf lists the fields of the struct type t. Callers must not change them.
func fieldsOf(t reflect.Type) []field {
	if list, ok := fieldCache.Load(t); ok {
		return list.([]field)
	}
	list := appendFields(nil, []reflect.Type{t}, nil, nil)
	fieldCache.Store(t, list)
	return list
}

// appendFields appends the fields of the last type of around. The others are the structs that embed it, outermost first.
func appendFields(list []field, around []reflect.Type, path []int, orders []options) []field {
	t := around[len(around)-1]
	for i := range t.NumField() {
		sf := t.Field(i)
		where := t.String() + "." + sf.Name
		f := field{name: sf.Name, typ: sf.Type, where: where, orders: orders}
		f.path = append(append([]int{}, path...), i)
		f.opt = parse(sf.Tag.Get("layout"), where, sf.Type)
		if i == 0 && f.ordersStruct() {
			orders = append(append([]options{}, orders...), f.opt)
		}
		inner := sf.Type
		if inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		onlyOrder := reflect.DeepEqual(f.opt, parse("", "", sf.Type))
		if o := f.opt; !onlyOrder && (o.order != "" || o.orderOf != "") {
			o.order, o.orderOf = "", ""
			onlyOrder = reflect.DeepEqual(o, parse("", "", sf.Type))
		}
		if sf.Anonymous && inner.Kind() == reflect.Struct && onlyOrder && !isUser(inner) {
			if slices.Contains(around, inner) {
				fail(ErrTag, "%s: the struct embeds itself", where)
			}
			if inner != sf.Type && !sf.IsExported() {
				fail(ErrTag, "%s: reflection cannot set it", where)
			}
			list = appendFields(list, append(slices.Clip(around), inner), f.path, append(append([]options{}, orders...), f.opt))
			continue
		}
		if !sf.IsExported() && sf.Name != "_" && !f.opt.none {
			fail(ErrTag, "%s: not exported", where)
		}
		list = append(list, f)
	}
	return list
}

// run returns the first and the last index of the run of bits that contains the
// field i.
func run(fields []field, i int) (first, last int) {
	first = i
	for first > 0 && fields[first-1].opt.bits > 0 && !fields[first-1].opt.end {
		first--
	}
	last = i
	for last+1 < len(fields) && fields[last+1].opt.bits > 0 && !fields[last].opt.end {
		last++
	}
	return first, last
}

func runBits(fields []field) (n int) {
	for _, f := range fields {
		n += f.opt.bits
	}
	return n
}

// user types

type (
	appender interface {
		AppendLayout([]byte) ([]byte, error)
	}
	decoder interface {
		DecodeLayout([]byte) (int, error)
	}
)

func implements[I any](t reflect.Type) bool {
	i := reflect.TypeFor[I]()
	return t.Implements(i) || reflect.PointerTo(t).Implements(i)
}

// isUser reports whether t encodes itself and finds its own end.
func isUser(t reflect.Type) bool { return implements[appender](t) && implements[decoder](t) }

// isBinary reports whether t encodes itself into bytes whose length it must be
// told.
func isBinary(t reflect.Type) bool {
	return (implements[encoding.BinaryAppender](t) || implements[encoding.BinaryMarshaler](t)) &&
		implements[encoding.BinaryUnmarshaler](t)
}

// state is what is known of one field of one struct value.
type state struct {
	started, done, present bool
	start, end             int
	number                 *big.Int // of a number or bool
	order                  string   // that its constant names
	elements               int      // of a slice
}

// bound is a length of the fields first to last: an end once the first field has
// started, a size before.
type bound struct{ first, last, size, end int }

// scope is one struct value in a message.
type scope struct {
	parent  *scope
	at      int  // the field of parent that contains this struct
	element bool // the struct is an element of a slice or array
	hard    int  // end of the frame that is this struct; -1: none
	static  bool // there are no values: only what is known matters
	types   map[reflect.Type][]field
	path    string
	typ     reflect.Type
	order   string

	fields  []field
	states  []state
	bounds  []bound
	pending []bound
	counts  map[int]int
	raws    []rawBytes     // that are not complete
	unsaid  map[int][]link // the lengths and counts of fields in earlier numbers that are absent
}

// missing notes what the field i, which is absent, does not say: lengths and counts of later fields.
func (s *scope) missing(i int) {
	for _, l := range s.fields[i].opt.links {
		if in, first, last := s.findSpan(l.of, i); first == last && !in.states[first].started {
			in.unsaid[first] = append(in.unsaid[first], l)
		}
	}
}

// isUnsaid reports whether only numbers that are absent say where the field i ends. It must be empty then.
func (s *scope) isUnsaid(i int) bool {
	o, t := s.fields[i].opt, s.fields[i].typ
	if o.prefix != "" || slices.ContainsFunc(s.pending, func(b bound) bool { return b.first == i && b.last == i }) {
		return false
	}
	_, counted := s.counts[i]
	ends := o.count != "" || o.fixed >= 0 || o.cstring || o.until >= 0 || o.untilZero || o.magic != "" || o.raw != nil
	for _, l := range s.unsaid[i] {
		k := t.Kind()
		switch {
		case l.count && !counted && !ends:
			return true
		case l.count:
		case (k == reflect.String || isBytes(t)) && !isUser(t) && !isBinary(t):
			return !ends
		case k == reflect.Slice || (k == reflect.Struct || k == reflect.Pointer || k == reflect.Interface || isUser(t) || isBinary(t)) && o.fixed < 0:
			return true
		}
	}
	return false
}

// rawBytes sets a field to the bytes of a span that ends with the field last.
type rawBytes struct {
	last int
	set  func()
}

func newScope(t reflect.Type, parent *scope, at int) *scope {
	s := &scope{parent: parent, at: at, hard: -1, static: parent.static, typ: t, types: parent.types, counts: map[int]int{}, unsaid: map[int][]link{}}
	if s.types[t] == nil {
		s.types[t] = fieldsOf(t)
	}
	s.fields = s.types[t]
	s.states = make([]state, len(s.fields))
	return s
}

func (s *scope) name(i int) string {
	if s.path == "" || s.fields[i].name == "" {
		return s.path + s.fields[i].name
	}
	if s.fields[i].name == "_" {
		return fmt.Sprintf("%s._%d", s.path, i)
	}
	return s.path + "." + s.fields[i].name
}

// find looks for a field called name that an option of the field i denotes: in the
// struct whose field it is, which can be an embedded one, then in the structs around
// it.
func (s *scope) find(name string, i int) (*scope, int) {
	for ; s != nil; s, i = s.parent, s.at {
		own := s.fields[i].path
		for n := len(own) - 1; n >= 0; n-- {
			if found := s.findIn(own[:n], name); found >= 0 {
				return s, found
			}
		}
	}
	return nil, -1
}

// findIn looks for a field in the embedded struct at a path. The least embedded one
// counts.
func (s *scope) findIn(path []int, name string) int {
	found := -1
	for i, f := range s.fields {
		if f.name != name || name == "_" || name == "" || len(f.path) <= len(path) || !slices.Equal(f.path[:len(path)], path) {
			continue
		}
		if found < 0 || len(f.path) < len(s.fields[found].path) {
			found = i
		}
	}
	return found
}

func (s *scope) mustFind(name string, i int) (*scope, int) {
	in, found := s.find(name, i)
	if in == nil {
		fail(ErrTag, "%s: no field %s", s.fields[i].where, name)
	}
	return in, found
}

func (s *scope) findSpan(of span, i int) (in *scope, first, last int) {
	in, first = s.mustFind(of.first, i)
	other, last := s.mustFind(of.last, i)
	if in != other || first > last {
		fail(ErrTag, "%s: %s..%s is not a range of one struct", s.fields[i].where, of.first, of.last)
	}
	return in, first, last
}

// limit returns the offset that the field i may not go past.
func (s *scope) limit(i int) int {
	end := s.hard
	if end < 0 {
		end = s.parent.limit(s.at)
	}
	for _, b := range s.bounds {
		if b.first <= i && i <= b.last {
			end = min(end, b.end)
		}
	}
	return end
}

// rest returns the end of the field i if it takes what its frame leaves.
func (s *scope) rest(i int) int {
	where := s.fields[i].where
	var nearest *bound
	for j, b := range s.bounds {
		if b.first <= i && i <= b.last &&
			(nearest == nil || b.last < nearest.last || b.last == nearest.last && b.end < nearest.end) {
			nearest = &s.bounds[j]
		}
	}
	last := len(s.fields) - 1
	if nearest != nil {
		last = nearest.last
	}
	size, known := s.sizes(i+1, last)
	if !known {
		fail(ErrTag, "%s: takes the rest, but the size of a later field is not known", where)
	}
	switch {
	case nearest != nil:
		return nearest.end - size
	case s.hard >= 0:
		return s.hard - size
	case s.element:
		fail(ErrTag, "%s: takes the rest, but is in an element", where)
	}
	return s.parent.rest(s.at) - size
}

// sizes returns the bytes of the fields first to last, none of which has been
// decoded.
func (s *scope) sizes(first, last int) (n int, known bool) {
	for i := first; i <= last; i++ {
		size, known := s.size(i)
		skip := i
		for _, b := range s.pending {
			if b.first == i && b.last <= last && b.last >= skip {
				size, known, skip = b.size, true, b.last
			}
		}
		if !known {
			return 0, false
		}
		n, i = n+size, skip
	}
	return n, true
}

func (s *scope) size(i int) (n int, known bool) {
	f := s.fields[i]
	if f.silent() {
		return 0, true
	}
	if f.opt.bits > 0 {
		first, last := run(s.fields, i)
		if i > first {
			return 0, true
		}
		return runBits(s.fields[first:last+1]) / 8, true
	}
	for _, c := range f.opt.conds {
		if c.more {
			return 0, false
		}
		if in, j := s.mustFind(c.field, i); !in.states[j].done {
			return 0, false
		}
	}
	if !s.static && !s.holds(i) {
		return 0, true
	}
	return s.typeSize(i, f.typ)
}

func (s *scope) typeSize(i int, t reflect.Type) (n int, known bool) {
	o := s.fields[i].opt
	count, counted := s.counts[i]
	if o.fixed >= 0 {
		count, counted = o.fixed, true
	}
	switch {
	case o.prefix != "" || o.cstring || o.until >= 0 || o.count != "" || o.untilZero || o.align > 0:
		return 0, false
	case o.magic != "":
		return len(o.magic), true
	case o.skip >= 0:
		return o.skip, true
	case t.Kind() == reflect.Pointer:
		return s.typeSize(i, t.Elem())
	case isUser(t) || isBinary(t) || t.Kind() == reflect.String || isBytes(t):
		return count, counted
	case o.base > 0:
		return o.digits, true
	}
	switch t.Kind() {
	case reflect.Array, reflect.Slice:
		if t.Kind() == reflect.Array {
			count, counted = t.Len(), true
		}
		n, known = s.part(i, elementOptions(o), "").typeSize(0, t.Elem())
		return n * count, known && counted
	case reflect.Struct:
		for p := s; p != nil; p = p.parent {
			if p.typ == t {
				return 0, false // recursive: its size depends on its value
			}
		}
		inner := newScope(t, s, i)
		return inner.sizes(0, len(inner.fields)-1)
	case reflect.Interface:
		return 0, false
	}
	return wireSize(wireOf(t, o))
}

// part returns a scope with one field: the content of the frame of the field i or
// one of its elements, with the options o.
func (s *scope) part(i int, o options, path string) *scope {
	f := s.fields[i]
	f.opt, f.name, f.orders = o, "", nil
	p := &scope{parent: s, at: i, hard: -1, static: s.static, types: s.types, path: path, order: s.order, counts: map[int]int{}, unsaid: map[int][]link{}}
	p.fields, p.states = []field{f}, make([]state, 1)
	return p
}

// withoutPrefix returns the options of the content of a frame.
func withoutPrefix(o options) options {
	o.prefix = ""
	return o
}

// elementOptions keeps those options of a slice or array that are of its
// elements.
func elementOptions(o options) options {
	e := parse("", "", nil)
	e.number = o.number
	e.union = o.union
	return e
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !isUser(t.Elem())
}

// holds reports whether all conditions of the field i hold, apart from if=more.
func (s *scope) holds(i int) bool {
	for _, c := range s.fields[i].opt.conds {
		if c.more {
			continue
		}
		if in, j := s.mustFind(c.field, i); !c.holds(in.states[j].number) {
			return false
		}
	}
	return true
}

// asksMore reports whether the field has the option if=more.
func (o options) asksMore() bool {
	for _, c := range o.conds {
		if c.more {
			return true
		}
	}
	return false
}

func (c *condition) holds(n *big.Int) bool {
	if n == nil {
		n = new(big.Int) // of a field that is absent
	}
	switch c.op {
	case "&":
		return new(big.Int).And(n, c.value).Sign() != 0
	case "==":
		return n.Cmp(c.value) == 0
	case "!=":
		return n.Cmp(c.value) != 0
	}
	return n.Sign() != 0
}

// orderFor returns the byte order of the field i.
func (s *scope) orderFor(i int) string {
	order := s.order
	f := s.fields[i]
	for _, o := range append(append([]options{}, f.orders...), f.opt) {
		if o.order != "" {
			order = o.order
		}
		if o.orderOf != "" {
			in, j := s.mustFind(o.orderOf, i)
			if !in.states[j].done {
				fail(ErrTag, "%s: %s is not an earlier field", f.where, o.orderOf)
			}
			if !s.static {
				if order = in.states[j].order; order == "" {
					fail(ErrTag, "%s: %s names no order", f.where, o.orderOf)
				}
			}
		}
	}
	return order
}

func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
