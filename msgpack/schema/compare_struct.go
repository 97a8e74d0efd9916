package schema

import (
	"math/bits"
	"strconv"

	"github.com/octet-go/octet/msgpack"
)

// structs compares two structs. A reader decodes both forms, so the form of the writer
// decides how its fields are found: by name or by position.
func (c *comparer) structs(path string, old, new *Type, r readers) {
	byName, byPlace := readers(0), readers(0)
	for _, d := range []struct {
		reader  readers
		asArray bool // in what it reads
	}{{newReader, old.AsArray}, {oldReader, new.AsArray}} {
		if d.asArray {
			byPlace |= d.reader & r
		} else {
			byName |= d.reader & r
		}
	}
	if old.AsArray != new.AsArray {
		form := map[bool]string{false: "map", true: "array"}
		c.add(path, "struct as "+form[old.AsArray]+" became struct as "+form[new.AsArray], Nothing, Nothing, r)
	}
	if byName != 0 {
		s := structPair{comparer: c, path: path, old: keysOf(old), new: keysOf(new), readers: byName}
		s.fields()
		s.rest()
		s.others(&s.old, &s.new, newReader)
		s.others(&s.new, &s.old, oldReader)
	}
	if byPlace != 0 {
		c.positions(path, old, new, byPlace)
	}
}

// A keyed is a struct whose fields can be found by their keys, as a reader does.
type keyed struct {
	*Type
	keys map[string]*Field
	from map[*Field][]*Field // which fields of the other struct a reader puts into a field
}

func keysOf(t *Type) keyed {
	k := keyed{t, make(map[string]*Field, len(t.Fields)), make(map[*Field][]*Field)}
	for i := range t.Fields {
		f := &t.Fields[i]
		for _, key := range f.keys() {
			if k.keys[key] == nil {
				k.keys[key] = f
			}
		}
	}
	return k
}

// keys returns the name and the aliases of a field.
func (f *Field) keys() []string { return append([]string{f.Name}, f.Aliases...) }

// named returns the field that a key stands for in a reader of t, or nil. The key is
// that of a writer whose keys are integers or not.
func (t *keyed) named(name string, integers bool) *Field {
	if t.IntegerKeys != integers {
		return nil
	}
	return t.keys[name]
}

// read sets which fields of w a reader of t puts into those of t, and returns for each
// field of w where it is put.
func (t *keyed) read(w *Type) []*Field {
	to := make([]*Field, len(w.Fields))
	for i := range w.Fields {
		f := t.named(w.Fields[i].Name, w.IntegerKeys)
		to[i] = f
		if f != nil {
			t.from[f] = append(t.from[f], &w.Fields[i])
		}
	}
	return to
}

// unknown returns the effect of a key of w on a reader of t that has no field for it. The
// map of the other keys has strings as keys.
func (t *Type) unknown(w *Type, otherwise Effect) Effect {
	switch {
	case t.RejectUnknown, t.Rest && w.IntegerKeys:
		return Fails
	case t.Rest:
		return Nothing
	}
	return otherwise
}

// A structPair compares the fields of two structs whose writers use names.
type structPair struct {
	*comparer
	path     string
	old, new keyed
	readers  readers

	toOld []*Field // where an old reader puts the fields of the new struct
	toNew []*Field // where a new reader puts the fields of the old struct
}

// fields compares the fields. A field of the old struct and one of the new belong
// together if a reader of one decodes the key of the other into it; with aliases, that
// may hold in one direction only.
func (s *structPair) fields() {
	if s.old.RejectUnknown != s.new.RejectUnknown {
		s.add(s.path, "other keys are "+map[bool]string{false: "passed over", true: "refused"}[s.new.RejectUnknown], Nothing, Nothing, s.readers)
	}
	s.toOld, s.toNew = s.old.read(s.new.Type), s.new.read(s.old.Type)
	for i := range s.new.Fields {
		n, from := &s.new.Fields[i], s.toOld[i]
		sources := 0 // fields of the old struct that a new reader puts into it
		if from != nil {
			r := s.readers & oldReader
			if s.new.named(from.Name, s.old.IntegerKeys) == n {
				r = s.readers
				sources++
			}
			s.both(from, n, r)
			if s.old.from[from][0] != n {
				s.add(keyStep(s.path, n.Name), "was the same field as another one", Nothing, Loses, s.readers)
			}
		}
		for _, o := range s.new.from[n] {
			if o != from {
				s.both(o, n, s.readers&newReader)
				s.renamed(o, n, from, sources > 0)
				sources++
			}
		}
		if from == nil && sources == 0 {
			s.added(n)
		}
	}
	for i := range s.old.Fields {
		if s.toNew[i] == nil {
			s.removed(&s.old.Fields[i])
		}
	}
}

// both compares two fields that belong together for the given readers.
func (s *structPair) both(o, n *Field, r readers) {
	path := keyStep(s.path, n.Name)
	if o.Name != n.Name && r == s.readers {
		s.add(path, "renamed from "+strconv.Quote(o.Name), Nothing, Nothing, r)
	}
	s.nils(path, nilness{o.WritesNil(), o.Nil}, nilness{n.WritesNil(), n.Nil}, r)
	s.types(path, o.Type, n.Type, r)
	s.flags(path, o, n, r)
}

// flags compares what fields have besides their values.
func (s *structPair) flags(path string, o, n *Field, r readers) {
	onNew, onOld := Nothing, Nothing
	if n.Required && o.Optional() {
		onNew = Fails
	}
	if o.Required && n.Optional() {
		onOld = Fails
	}
	if o.Required != n.Required || o.Optional() != n.Optional() {
		s.add(path, presence(o)+" became "+presence(n), onNew, onOld, r)
	}
	if o.EncodeOnly != n.EncodeOnly {
		s.add(path, "only nil can be decoded", failsIf(n.EncodeOnly), failsIf(o.EncodeOnly), r)
	}
}

func failsIf(fails bool) Effect {
	if fails {
		return Fails
	}
	return Nothing
}

// presence says whether a field is always there.
func presence(f *Field) string {
	switch {
	case f.Required && f.Optional():
		return "required but omitted"
	case f.Required:
		return "required"
	case f.Optional():
		return "omitted if empty"
	}
	return "always written"
}

// renamed adds that the new struct has an alias for a field of the old one. The old
// reader puts the new field into from, if it is not nil. If another field of the old struct
// becomes the same one, a new reader keeps only the one that comes last.
func (s *structPair) renamed(o, n, from *Field, merged bool) {
	if s.readers&oldReader == 0 && !merged {
		return
	}
	onNew, onOld := Nothing, failsIf(o.Required && len(s.old.from[o]) == 0)
	if merged {
		onNew = Loses
	}
	text := "renamed from " + strconv.Quote(o.Name) + ", which old readers expect"
	switch {
	case from == nil:
		onOld = max(onOld, s.old.unknown(s.new.Type, Loses))
	case merged:
		text = strconv.Quote(o.Name) + " became the same field"
	default:
		text = "renamed from " + strconv.Quote(o.Name) + ", but " + strconv.Quote(from.Name) + " for old readers"
	}
	s.add(keyStep(s.path, n.Name), text, onNew, onOld, s.readers)
}

// added adds that only the new struct has a field.
func (s *structPair) added(n *Field) {
	onNew := failsIf(n.Required)
	s.add(keyStep(s.path, n.Name), "field was added", onNew, s.old.unknown(s.new.Type, Ignores), s.readers)
}

// removed adds that a new reader has no field for one of the old struct.
func (s *structPair) removed(o *Field) {
	path, lost := keyStep(s.path, o.Name), s.new.unknown(s.old.Type, Loses)
	if from := s.old.from[o]; len(from) > 0 {
		// The new reader does not know the alias that the old one has.
		n := from[0]
		s.add(keyStep(s.path, n.Name), "renamed from "+strconv.Quote(o.Name)+" without an alias", max(lost, failsIf(n.Required)), Nothing, s.readers)
		return
	}
	s.add(path, "field was removed", lost, failsIf(o.Required), s.readers)
}

// rest compares what happens to keys without a field.
func (s *structPair) rest() {
	switch {
	case s.old.Rest && s.new.Rest:
		s.value(s.path+"{}", s.old.Elem, s.new.Elem, s.readers)
	case s.old.Rest:
		s.add(s.path, "other keys are no longer kept", s.new.unknown(s.old.Type, Loses), Nothing, s.readers)
	case s.new.Rest:
		s.add(s.path, "other keys are kept", Nothing, s.old.unknown(s.new.Type, Ignores), s.readers)
	}
}

// others compares the keys without a field of w with the fields of t, whose reader is r. A
// writer may have any key among them, also that of a field that the reader has.
func (s *structPair) others(w, t *keyed, r readers) {
	if !w.Rest || t.IntegerKeys {
		return
	}
	value := s.value
	if r == oldReader { // w is the new struct
		value = func(path string, rest, field Value, r readers) { s.value(path, field, rest, r) }
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		path := keyStep(s.path, f.Name)
		if n := w.lacksKeys(f); n > 0 {
			value(path, w.Elem, f.Value, s.readers&r)
			if n > 1 || len(t.from[f]) > 0 {
				s.add(path, "may also be among the other keys", Loses, Loses, s.readers&r)
			}
		}
		if w.named(f.Name, false) == nil {
			value(path, w.Elem, f.written(), s.readers&^r)
		}
	}
}

// lacksKeys returns for how many of the keys of f t has no field.
func (t *keyed) lacksKeys(f *Field) (n int) {
	for _, key := range f.keys() {
		if t.named(key, false) == nil {
			n++
		}
	}
	return n
}

// positions compares structs that are arrays.
func (c *comparer) positions(path string, old, new *Type, r readers) {
	if old.ExactArrays != new.ExactArrays {
		c.add(path, "other lengths are "+map[bool]string{false: "accepted", true: "refused"}[new.ExactArrays], Nothing, Nothing, r)
	}
	n := min(len(old.Fields), len(new.Fields))
	oldNames, newNames := old.names(), new.names()
	for i := range n {
		o, f := &old.Fields[i], &new.Fields[i]
		at := keyStep(path, f.Name)
		if o.Name != f.Name {
			e, text := Nothing, "renamed from "
			if newNames[o.Name] || oldNames[f.Name] { // at another position
				e, text = Loses, "is where old messages have "
			}
			c.add(at, text+strconv.Quote(o.Name), e, e, r)
		}
		c.value(at, o.Value, f.Value, r)
		if o.EncodeOnly != f.EncodeOnly {
			c.add(at, "only nil can be decoded", failsIf(f.EncodeOnly), failsIf(o.EncodeOnly), r)
		}
	}
	for i := n; i < len(old.Fields); i++ {
		o := &old.Fields[i]
		c.add(keyStep(path, o.Name), "field was removed", max(Loses, failsIf(new.ExactArrays)), failsIf(old.ExactArrays || o.Required), r)
	}
	for i := n; i < len(new.Fields); i++ {
		f := &new.Fields[i]
		c.add(keyStep(path, f.Name), "field was added", failsIf(new.ExactArrays || f.Required), max(Ignores, failsIf(old.ExactArrays)), r)
	}
}

// names returns the names of the fields.
func (t *Type) names() map[string]bool {
	m := make(map[string]bool, len(t.Fields))
	for i := range t.Fields {
		m[t.Fields[i].Name] = true
	}
	return m
}

// written returns what a writer writes for the field, unless it leaves it out.
func (f *Field) written() Value { return Value{f.Type, f.WritesNil()} }

// keyValue returns the narrowest type that has all keys of a struct that is a map. Those that
// become floats are as wide as their digits before the zeros at the end of the binary number.
func (t *Type) keyValue(floats bool) Value {
	if t.IntegerKeys {
		return Value{Type: t.integerKey(floats)}
	}
	k := &Type{Kind: msgpack.FormStr, Length: -1}
	for i := range t.Fields {
		if n := len(t.Fields[i].Name); i == 0 && !t.Rest {
			k.Length = n
		} else if n != k.Length {
			k.Length = -1
		}
	}
	return Value{Type: k}
}

// integerKey is keyValue for keys that are integers.
func (t *Type) integerKey(floats bool) *Type {
	k := &Type{Kind: msgpack.FormUint, Length: -1}
	for i := range t.Fields {
		n, err := strconv.ParseUint(t.Fields[i].Name, 10, 64)
		if err != nil { // below zero
			below, _ := strconv.ParseInt(t.Fields[i].Name, 10, 64)
			k.Kind, n = msgpack.FormInt, uint64(^below)
			if floats {
				n = uint64(-below)
			}
		}
		if floats {
			n >>= bits.TrailingZeros64(n)
		}
		k.Bits = max(k.Bits, bits.Len64(n))
	}
	if k.Kind == msgpack.FormInt {
		k.Bits++ // the sign
	}
	return k
}
