package typeplan

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Struct is what [Fields] finds out about a struct type.
type Struct struct {
	Type reflect.Type
	// Fields are the fields to encode in the order of their Index, which is
	// that of their declaration with promoted fields in the place of the
	// struct they come from. No two have the same name.
	Fields []Field
	// Rest is the map that holds the keys without a field, tagged "inline"; nil
	// where there is none.
	Rest *Field
	// Options are those of the blank fields of the root, as in
	//	_ struct{} `msgpack:",as_array"`
	Options Options
	// Hidden reports that the struct, or one promoted into it, holds unexported
	// fields of non-zero size and has no field tagged "-", which would show
	// that its author thought of what to leave out. A struct with Hidden and
	// no Fields, as time.Time is one, would lose all that it holds.
	Hidden bool
}

// Field is one field to encode.
type Field struct {
	Name   string       // from the tag, else the Go name
	GoName string       // selector that Go code writes after the root: "Name", or "Base.Name" where needed
	Type   reflect.Type // as declared
	Index  []int        // as for [reflect.Value.FieldByIndex]
	Hops   []Hop        // pointers that lead to it, outermost first
	// Offset is in bytes from the start of the struct that the last hop
	// points at, or of the root without any hop.
	Offset  uintptr
	Options Options
	Tagged  bool // Name is from the tag
}

// Hop is an embedded or inlined pointer on the way to a promoted field.
type Hop struct {
	Offset   uintptr      // like that of a field
	Type     reflect.Type // the struct pointed at
	Exported bool         // a decoder may set the pointer; false for an embedded pointer to an unexported type
}

// Fields resolves the fields of struct type t by the rules of encoding/json:
//
//   - Exported fields count, and the fields of embedded structs and pointers to
//     structs count as fields of the outer one, also when the embedded type is
//     unexported. An embedded struct whose tag has a name is an ordinary field.
//     So is an embedded value of any other exported type.
//   - Of several fields with one name the least deep wins; at the same depth
//     the only one that has the name from its tag wins; else all are left out.
//   - A field tagged "-" is left out; the tag "-," gives the name "-".
//
// Beyond them the option "inline" makes a named field act as an embedded one,
// and a tag that cannot mean what it says is an [*Error]: an option that is
// unknown, empty or misplaced, two fields of one struct with the same name in
// their tags or by Naming, "inline" on a struct that has unexported fields only
// or on a second map. So is a t that is not a struct.
func Fields(t reflect.Type, c Config) (Struct, error) {
	s := Struct{Type: t}
	if t == nil || t.Kind() != reflect.Struct {
		return s, &Error{Type: t, Reason: "not a struct"}
	}
	r := resolver{config: c, plan: &s, best: map[string]candidate{}}
	seen := map[reflect.Type]bool{}
	// Each turn takes the structs of one depth, so that what is met first is
	// what shadows, and a type seen before can only bring shadowed fields.
	for level := []branch{{typ: t}}; len(level) > 0; level = r.next {
		r.next = nil
		for _, b := range level {
			if seen[b.typ] {
				continue
			}
			if err := r.scan(b); err != nil {
				return s, err
			}
			seen[b.typ] = true
		}
	}
	var fields []*Field
	for _, f := range r.best {
		if !f.tie {
			fields = append(fields, &f.Field)
		}
	}
	s.Fields = sorted(fields, func(a, b *Field) int { return slices.Compare(a.Index, b.Index) })
	return s, nil
}

// ByName returns the fields in order of their names.
func (s Struct) ByName() []Field {
	var fields []*Field
	for i := range s.Fields {
		fields = append(fields, &s.Fields[i])
	}
	return sorted(fields, func(a, b *Field) int { return strings.Compare(a.Name, b.Name) })
}

// sorted returns the fields in order. Sorting pointers makes for a smaller
// program: all types of pointers share one compiled sort.
func sorted(fields []*Field, order func(a, b *Field) int) []Field {
	slices.SortFunc(fields, order)
	var list []Field
	for _, f := range fields {
		list = append(list, *f)
	}
	return list
}

// resolver holds the state of one call of Fields.
type resolver struct {
	config Config
	plan   *Struct
	best   map[string]candidate // by name
	next   []branch             // the structs to promote one level deeper
}

// candidate is the field that wins its name as far as is known. With a tie it
// keeps the others from winning but does not win itself.
type candidate struct {
	Field
	tie bool
}

// branch is a struct whose fields are promoted into the root, or the root.
type branch struct {
	typ    reflect.Type
	path   string
	index  []int
	hops   []Hop
	offset uintptr // as that of a field
	inline bool
	twice  bool // its level has the type more than once, so all its fields tie
}

// scan takes in the fields of one struct.
func (r *resolver) scan(b branch) error {
	names := map[string]string{} // from a tag, to the Go name of the field
	made := map[string]string{}  // from Naming
	var hidden, skipped, kept bool
	for i := range b.typ.NumField() {
		f := b.typ.Field(i)
		path := join(b.path, f.Name)
		g, reason := r.config.tag(f)
		if reason == "" {
			reason = g.misplaced(f)
		}
		if reason != "" {
			return &Error{Type: r.plan.Type, Path: path, Reason: reason}
		}
		switch {
		case g.skip:
			skipped = true
		case f.Name == "_":
			if len(b.index) == 0 {
				r.plan.Options = append(r.plan.Options, g.options...)
			}
		case !visible(f):
			hidden = hidden || f.Type.Size() > 0
		case g.promotes(f):
			kept = true
			r.promote(b, f, g, path)
		default:
			kept = true
			if other, ok := names[g.name]; ok {
				return &Error{Type: r.plan.Type, Path: path, Reason: "name " + strconv.Quote(g.name) + " is that of field " + other + " too"}
			}
			if g.name != "" {
				names[g.name] = f.Name
			} else if r.config.Naming != nil {
				name := r.config.Naming(f.Name)
				if other, ok := made[name]; ok {
					return &Error{Type: r.plan.Type, Path: path, Reason: "name " + strconv.Quote(name) + " is that of field " + other + " too"}
				}
				made[name] = f.Name
			}
			if g.options.Has(optionInline) {
				if r.plan.Rest != nil {
					return &Error{Type: r.plan.Type, Path: path, Reason: "option " + strconv.Quote(optionInline) + " on a second map, after " + r.plan.Rest.GoName}
				}
				r.plan.Rest = &r.candidate(b, f, g).Field
				continue
			}
			r.add(b, f, g)
		}
	}
	if hidden && !skipped {
		if b.inline && !kept {
			return &Error{Type: r.plan.Type, Path: b.path, Reason: "option " + strconv.Quote(optionInline) + " on " + b.typ.String() + ", which has unexported fields only"}
		}
		r.plan.Hidden = true
	}
	return nil
}

// promote queues the struct in f for the next level.
func (r *resolver) promote(b branch, f reflect.StructField, g tag, path string) {
	t := structBelow(f.Type)
	for i := range r.next {
		if r.next[i].typ == t {
			r.next[i].twice = true
			return
		}
	}
	n := branch{
		typ:    t,
		path:   path,
		index:  append(slices.Clone(b.index), f.Index...),
		hops:   b.hops,
		offset: b.offset + f.Offset,
		inline: g.options.Has(optionInline),
	}
	if f.Type.Kind() == reflect.Pointer {
		n.hops = append(slices.Clone(b.hops), Hop{Offset: n.offset, Type: t, Exported: f.IsExported()})
		n.offset = 0
	}
	r.next = append(r.next, n)
}

// candidate makes what is known of f alone.
func (r *resolver) candidate(b branch, f reflect.StructField, g tag) *candidate {
	n := &candidate{tie: b.twice, Field: Field{
		Name:    g.name,
		Type:    f.Type,
		Index:   append(slices.Clone(b.index), f.Index...),
		Hops:    b.hops,
		Offset:  b.offset + f.Offset,
		Options: g.options,
		Tagged:  g.name != "",
	}}
	if !n.Tagged {
		n.Name = f.Name
		if r.config.Naming != nil {
			n.Name = r.config.Naming(f.Name)
		}
	}
	n.GoName = f.Name
	// Go's own rules know neither tags nor inlining, so the short selector may
	// mean another field or none.
	if short, ok := r.plan.Type.FieldByName(f.Name); !ok || !slices.Equal(short.Index, n.Index) {
		n.GoName = join(b.path, f.Name)
	}
	return n
}

// add lets f compete for its name. Fields come in order of depth.
func (r *resolver) add(b branch, f reflect.StructField, g tag) {
	n := *r.candidate(b, f, g)
	o, ok := r.best[n.Name]
	switch {
	case !ok:
		r.best[n.Name] = n
	case len(n.Index) > len(o.Index): // shadowed
	case n.Tagged == o.Tagged:
		o.tie = true
		r.best[n.Name] = o
	case n.Tagged:
		r.best[n.Name] = n
	}
}

// join appends a field name to a path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
