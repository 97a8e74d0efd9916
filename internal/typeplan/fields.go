package typeplan

import (
	"reflect"
	"slices"
	"strings"
)

// Struct is the result of [Fields] for a struct type.
type Struct struct {
	Type reflect.Type
	// Fields are the fields to encode, in the order of their Index. This is the
	// order of declaration, with promoted fields in the place of their struct,
	// unless Config.EmbeddedLast is set.
	// Their names are unique.
	Fields []Field
	// Rest is the map with the tag option "inline", which holds the keys
	// without a field. It is nil if there is none.
	Rest *Field
	// Options are the options of the blank fields of the root, as in _ struct{}
	// `msgpack:",as_array"`
	Options Options
	// Hidden reports whether the struct, or a struct promoted into it, has
	// unexported fields of nonzero size and no field tagged "-". Such a tag
	// shows that the author left out fields on purpose. A struct with Hidden
	// set and no Fields, such as time.Time, would lose all its contents.
	Hidden bool
}

// Field describes one field to encode.
type Field struct {
	Name   string       // the name from the tag, or else the Go name
	GoName string       // the selector in Go code: "Name", or "Base.Name" if necessary
	Type   reflect.Type // the declared type
	Index  []int        // index for [reflect.Value.FieldByIndex]
	Hops   []Hop        // the pointers on the path to the field, outermost first
	// Offset is the offset in bytes in the struct that the last hop points at,
	// or in the root if there are no hops.
	Offset  uintptr
	Options Options
	Tagged  bool     // whether Name is from the tag
	Aliases []string // further names, from the tag
}

// Hop is an embedded or inlined pointer on the path to a promoted field.
type Hop struct {
	Offset   uintptr      // see Field.Offset
	Type     reflect.Type // the type of the struct that the pointer points at
	Exported bool         // whether a decoder can set the pointer; false for an embedded pointer to an unexported type
}

// Fields returns the fields of struct type t according to the rules of
// encoding/json:
//
//   - The fields are the exported fields of t. The fields of embedded structs,
//     and of embedded pointers to structs, are treated as fields of the outer
//     struct, even if the embedded type is unexported. An embedded struct whose
//     tag has a name is an ordinary field. So is an embedded value of any other
//     exported type.
//   - If several fields have the same name, the one with the least depth is
//     used. If several have that depth, the only one with a name from its tag
//     is used. Otherwise none of them is used.
//   - A field tagged "-" is omitted; the tag "-," gives the name "-".
//
// In addition, the option "inline" treats a named field like an embedded one.
// An invalid tag results in an [*Error]: an option that is unknown, empty or
// misplaced; a tag other than "-" on an unexported field, unless its key is in
// Config.Foreign; two fields of one struct with the same name from their tags or
// from Naming; an alias that is also the name or an alias of another field; "keyasint"
// on some fields only, or beside a map with "inline"; and "inline" on a struct with only unexported fields or on a
// second map. A t that is not a struct results in an [*Error] too.
func Fields(t reflect.Type, c Config) (Struct, error) {
	s := Struct{Type: t}
	if t == nil || t.Kind() != reflect.Struct {
		return s, &Error{Type: t, Reason: "not a struct"}
	}
	r := resolver{config: c, plan: &s, best: make(map[string]*candidate, t.NumField())}
	seen := map[reflect.Type]bool{}
	// Each iteration processes the structs of one depth. Fields found earlier
	// shadow later ones, and a type that was processed before can only
	// contribute shadowed fields.
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
	fields := make([]*Field, 0, len(r.best))
	for _, f := range r.best {
		if !f.tie {
			fields = append(fields, &f.Field)
		}
	}
	order := slices.Compare[[]int]
	if c.EmbeddedLast {
		order = compareEmbeddedLast
	}
	s.Fields = sorted(fields, func(a, b *Field) int { return order(a.Index, b.Index) })
	if err := s.checkAliases(); err != nil {
		return s, err
	}
	return s, s.checkIntegers()
}

// checkAliases returns an error for an alias that is ambiguous.
func (s *Struct) checkAliases() error {
	names := map[string]*Field{}
	aliased := false
	for i := range s.Fields {
		names[s.Fields[i].Name] = &s.Fields[i]
		aliased = aliased || len(s.Fields[i].Aliases) > 0
	}
	for i := 0; aliased && i < len(s.Fields); i++ {
		f := &s.Fields[i]
		for j, alias := range f.Aliases {
			if f.Options.Has(optionKeyAsInt) {
				f.Aliases[j], _ = integer(alias)
				alias = f.Aliases[j]
			}
			if other := names[alias]; other != nil {
				return &Error{Type: s.Type, Path: f.GoName, Reason: quoted("alias ", alias, " is also a name of field ") + other.GoName}
			}
			names[alias] = f
		}
	}
	return nil
}

// checkIntegers returns an error if only some keys are integers.
func (s *Struct) checkIntegers() error {
	var without *Field // the first field without the option
	integers := 0
	for i := range s.Fields {
		if f := &s.Fields[i]; f.Options.Has(optionKeyAsInt) {
			integers++
		} else if without == nil {
			without = f
		}
	}
	switch {
	case integers == 0:
		return nil
	case without != nil:
		return &Error{Type: s.Type, Path: without.GoName, Reason: misused(optionKeyAsInt, " on other fields only")}
	case s.Rest != nil:
		return &Error{Type: s.Type, Path: s.Rest.GoName, Reason: misused(optionKeyAsInt, " beside a map whose entries are promoted")}
	}
	return nil
}

// IntegerKeys reports whether the keys are integers: all fields have the option
// "keyasint".
func (s *Struct) IntegerKeys() bool {
	return len(s.Fields) > 0 && s.Fields[0].Options.Has(optionKeyAsInt)
}

// compareEmbeddedLast compares the indexes of two fields. Where their paths part, a
// field that is not promoted any further comes first.
func compareEmbeddedLast(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if lastA, lastB := i == len(a)-1, i == len(b)-1; lastA != lastB {
			if lastA {
				return -1
			}
			return 1
		}
		return a[i] - b[i]
	}
	return len(a) - len(b)
}

// ByName returns the fields sorted by name, or by number if the keys are integers.
func (s *Struct) ByName() []Field {
	fields := make([]*Field, 0, len(s.Fields))
	for i := range s.Fields {
		fields = append(fields, &s.Fields[i])
	}
	if s.IntegerKeys() {
		return sorted(fields, func(a, b *Field) int { return compareIntegers(a.Name, b.Name) })
	}
	return sorted(fields, func(a, b *Field) int { return strings.Compare(a.Name, b.Name) })
}

// compareIntegers compares two integers in their usual form.
func compareIntegers(a, b string) int {
	x, belowX := strings.CutPrefix(a, "-")
	y, belowY := strings.CutPrefix(b, "-")
	switch {
	case belowX != belowY && belowX:
		return -1
	case belowX != belowY:
		return 1
	case belowX:
		x, y = y, x
	}
	if len(x) != len(y) {
		return len(x) - len(y)
	}
	return strings.Compare(x, y)
}

// sorted returns the fields in the given order. It sorts pointers because all
// pointer types share one compiled sort function, which makes programs smaller, as
// does a stable sort.
func sorted(fields []*Field, order func(a, b *Field) int) []Field {
	slices.SortStableFunc(fields, order)
	list := make([]Field, 0, len(fields))
	for _, f := range fields {
		list = append(list, *f)
	}
	return list
}

// resolver holds the state of one call of Fields.
type resolver struct {
	config Config
	plan   *Struct
	best   map[string]*candidate // the best candidate for each name
	next   []branch              // the structs to promote one level deeper
}

// candidate is the field that currently has precedence for its name. If there
// is a tie, no field with this name is used.
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
	offset uintptr // see Field.Offset
	inline bool
	twice  bool // the type occurs more than once at this depth, so all its fields tie
}

// scan processes the fields of one struct.
func (r *resolver) scan(b branch) error {
	names := make(map[string]string, b.typ.NumField()) // maps a name from a tag to the Go name of its field
	made := map[string]string{}                        // maps a name from Naming to the Go name of its field
	var hidden, skipped, kept bool
	for i := range b.typ.NumField() {
		f := b.typ.Field(i)
		path := join(b.path, f.Name)
		g, reason := r.config.tag(&f)
		if reason == "" {
			reason = g.misplaced(&f)
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
		case !g.visible(&f):
			hidden = hidden || f.Type.Size() > 0
		case g.promotes(&f):
			kept = true
			r.promote(&b, &f, &g, path)
		default:
			kept = true
			if other, ok := names[g.name]; ok {
				return &Error{Type: r.plan.Type, Path: path, Reason: quoted("name ", g.name, " is also the name of field ") + other}
			}
			if g.name != "" {
				names[g.name] = f.Name
			} else if r.config.Naming != nil {
				name := r.config.Naming(f.Name)
				if other, ok := made[name]; ok {
					return &Error{Type: r.plan.Type, Path: path, Reason: quoted("name ", name, " is also the name of field ") + other}
				}
				made[name] = f.Name
			}
			if g.options.Has(optionInline) {
				if r.plan.Rest != nil {
					return &Error{Type: r.plan.Type, Path: path, Reason: misused(optionInline, " on a second map, after "+r.plan.Rest.GoName)}
				}
				r.plan.Rest = &r.candidate(&b, &f, &g).Field
				continue
			}
			r.add(&b, &f, &g)
		}
	}
	if hidden && !skipped {
		if b.inline && !kept {
			return &Error{Type: r.plan.Type, Path: b.path, Reason: misused(optionInline, " on "+b.typ.String()+", which has only unexported fields")}
		}
		r.plan.Hidden = true
	}
	return nil
}

// promote adds the struct in f to the next level.
func (r *resolver) promote(b *branch, f *reflect.StructField, g *tag, path string) {
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

// candidate returns the candidate for f, without comparing it with others.
func (r *resolver) candidate(b *branch, f *reflect.StructField, g *tag) *candidate {
	n := &candidate{tie: b.twice, Field: Field{
		Name:    g.name,
		Type:    f.Type,
		Index:   append(slices.Clone(b.index), f.Index...),
		Hops:    b.hops,
		Offset:  b.offset + f.Offset,
		Options: g.options,
		Tagged:  g.name != "",
		Aliases: g.aliases,
	}}
	if !n.Tagged {
		n.Name = f.Name
		if r.config.Naming != nil {
			n.Name = r.config.Naming(f.Name)
		}
	}
	n.GoName = f.Name
	// Go's selector rules ignore tags and inlining, so the short selector may
	// denote another field or no field. The fields of the root have precedence.
	if len(b.index) == 0 {
		return n
	}
	if short, ok := r.plan.Type.FieldByName(f.Name); !ok || !slices.Equal(short.Index, n.Index) {
		n.GoName = join(b.path, f.Name)
	}
	return n
}

// add adds f to the candidates for its name. Fields are added in order of
// depth.
func (r *resolver) add(b *branch, f *reflect.StructField, g *tag) {
	n := r.candidate(b, f, g)
	o, ok := r.best[n.Name]
	switch {
	case !ok:
		r.best[n.Name] = n
	case len(n.Index) > len(o.Index): // shadowed
	case n.Tagged == o.Tagged:
		o.tie = true
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
