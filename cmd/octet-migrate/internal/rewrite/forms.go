package rewrite

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// Some types have no method and no tag of the library, and Octet still gives them another
// form than the library does: because of an embedded field, or of a method that Octet
// calls and the library does not.

// embeddedForm returns what Octet does differently with an embedded field, or "". It is for
// fields whose tags are not rewritten.
func embeddedForm(lib *table.Library, f *types.Var, tags reflect.StructTag) string {
	tag, tagged := tagOf(lib, tags)
	if !f.Embedded() || tag == "-" {
		return ""
	}
	name, options, _ := strings.Cut(tag, ",")
	pointer, isPointer := f.Type().Underlying().(*types.Pointer)
	inner := f.Type()
	if isPointer {
		inner = pointer.Elem()
	}
	_, isStruct := inner.Underlying().(*types.Struct)
	switch {
	case f.Exported() && lib.Nests && isStruct && tagged && name == "":
		return "the library does not promote the fields of the struct, because it has a tag: give it its name in the tag"
	case f.Exported():
		if lib.Profile == "Shamaton" && isStruct && name == "" && slices.Contains(strings.Split(options, ","), "omitempty") {
			return "the library leaves the struct out if it is empty, and Octet refuses the option omitempty for an embedded struct"
		}
	case lib.Embedded == table.EmbeddedWritten && !isStruct && inner != types.Universe.Lookup("error").Type(): // an error is hardly data
		return "the library writes the field, and Octet leaves it out because its type is not exported"
	case lib.Embedded == table.EmbeddedPlain && isStruct && (isPointer || name != "") && hasExported(inner, 0):
		return "the library leaves the field out because its type is not exported, and Octet writes the fields of the struct: give it the tag `" + lib.TagKey + `:"-"` + "`"
	}
	return ""
}

// nestedForm returns what Octet does differently with an embedded struct of t that has methods which t
// does not have by promotion, or "".
func (r *reach) nestedForm(t types.Type, f *types.Var, tags reflect.StructTag) string {
	tag, _ := tagOf(r.s.lib, tags)
	parts := strings.Split(tag, ",")
	if !r.s.lib.Promotes || !f.Embedded() || strings.TrimSpace(parts[0]) != "" || slices.Contains(parts[1:], "inline") || !hasExported(f.Type(), 0) {
		return ""
	}
	direction := 0
	if r.decodes() {
		direction = 1
	}
	for _, methods := range [][]string{msgpackMethods[:2], msgpackMethods[2:], binaryMethods, textMethods} {
		if hasMethod(t, methods[direction]) {
			return ""
		}
	}
	if !callsMethods(r.s.lib, f.Type()) {
		return ""
	}
	return "the library does not promote the fields of the struct, because it has methods: give it its name in the tag"
}

// written are types of the standard library without exported fields that Octet writes, also if a profile does not
// call methods.
var written = []string{"math/big.Int", "math/big.Rat", "math/big.Float", "net/netip.Addr", "net/netip.AddrPort", "net/netip.Prefix", "regexp.Regexp"}

// Methods that encode or decode a type.
var (
	msgpackMethods = []string{"EncodeMsgpack", "DecodeMsgpack", "MarshalMsgpack", "UnmarshalMsgpack"}
	binaryMethods  = []string{"MarshalBinary", "UnmarshalBinary"}
	textMethods    = []string{"MarshalText", "UnmarshalText"}
)

// foreignHooks are the methods for another library because of which Octet refuses a type, with those that it calls instead.
var foreignHooks = [][2]string{
	{"EncodeMsgpack", "MarshalMsgpack"}, {"CodecEncodeSelf", "MarshalMsgpack"}, {"DecodeMsgpack", "UnmarshalMsgpack"}, {"CodecDecodeSelf", "UnmarshalMsgpack"},
}

// pairs returns methods that a library calls only if a type has another one, too, and Octet in any case.
func pairs(lib *table.Library) [][2]string {
	text, binary := [2]string{"AppendText", "MarshalText"}, [2]string{"AppendBinary", "MarshalBinary"}
	switch {
	case lib.Generator != nil || lib.Methods == table.MethodsNone: // nor does Octet with the profile
		return nil
	case lib.Methods == table.MethodsBinary:
		return [][2]string{binary, {"MarshalBinary", "UnmarshalBinary"}, {"UnmarshalBinary", "MarshalBinary"}}
	case lib.Methods != table.MethodsAll:
		return [][2]string{binary}
	}
	return [][2]string{binary, text}
}

// hasOneOf reports whether a type has one of some methods.
func hasOneOf(t types.Type, lists ...[]string) bool {
	return slices.ContainsFunc(slices.Concat(lists...), func(name string) bool { return hasMethod(t, name) })
}

// ownForm reports whether a type is encoded by methods, or in a form of its own.
func ownForm(t types.Type) bool { return hasOneOf(t, msgpackMethods, binaryMethods, textMethods) }

// callsMethods reports whether a library encodes a type by its methods.
func callsMethods(lib *table.Library, t types.Type) bool {
	switch lib.Methods {
	case table.MethodsNone:
		return false
	case table.MethodsBinary, table.MethodsOneBinary:
		return hasOneOf(t, binaryMethods)
	case table.MethodsNoText:
		return hasOneOf(t, msgpackMethods, binaryMethods)
	}
	return ownForm(t)
}

// empty returns what Octet does differently with a struct without exported fields, or "". A value in an
// interface is often one that is never encoded, such as a lock, so that the call is rewritten and reported.
func (r *reach) empty(t *types.Named) string {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 || hasExported(t, 0) {
		return ""
	}
	name := t.Obj().Pkg().Path() + "." + t.Obj().Name()
	exact := name == "math/big.Float" && r.s.lib.Generator == nil // its methods lose digits, and Octet does not call them
	if callsMethods(r.s.lib, t) && !exact {
		return ""
	}
	if r.s.lib.Generator != nil && r.p.at(t.Obj().Pos()) == nowhere { // it writes atomic integers as Octet does, and refuses the others
		return ""
	}
	why, short := "", t.Obj().Pkg().Name()+"."+t.Obj().Name()
	switch {
	case exact && callsMethods(r.s.lib, t):
		why = "a value of type big.Float, and the library writes its text, and Octet a bin with its exact value"
	case t.Obj().Pkg().Path() == "sync/atomic" || slices.Contains(written, name):
		why = "a value of type " + short + ", and the library writes an empty map for it, and Octet its value"
	case r.p.at(t.Obj().Pos()) != nowhere && ownForm(t):
		why = "a value of type " + t.Obj().Name() + ", and the library writes an empty map for it, because it does not call its methods, and Octet calls them: give it exported fields"
	case r.p.at(t.Obj().Pos()) != nowhere:
		why = "a value of type " + t.Obj().Name() + ", and the library writes an empty map for it, because it has no exported fields; Octet refuses it: give it exported fields or methods such as MarshalText"
	case ownForm(t) && name != "time.Time": // a time has the same form in all libraries
		why = "a value of type " + short + ", and the library writes an empty map for it, because it does not call its methods, and Octet calls them"
	default:
		return ""
	}
	if r.inside == 0 {
		return "it can reach " + why
	}
	if r.lost == "" && !r.guess {
		r.lost = "rewritten, but an interface can have " + why
	}
	return ""
}

func (r *reach) decodes() bool {
	return strings.Contains(r.s.name, "Unmarshal") || strings.Contains(r.s.name, "Decode") || strings.Contains(r.s.name, "Read")
}

// setBare sets r.bare and returns a function that sets it back.
func (r *reach) setBare(bare bool) func() {
	was := r.bare
	r.bare = bare
	return func() { r.bare = was }
}

// kind returns what Octet does differently with values of a kind, or "".
func (r *reach) kind(t types.Type) string {
	lib := r.s.lib
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return r.bytes(u.Elem())
	case *types.Array:
		if lib.Generator != nil && r.bare && types.Identical(u.Elem(), types.Typ[types.Byte]) {
			return "it can reach an array of bytes in an interface, and the library writes an array of integers for it, and Octet a bin"
		}
		return r.bytes(u.Elem())
	case *types.Signature, *types.Chan, *types.Basic:
		if lib.Methods != table.MethodsBinary || r.guess {
			return ""
		}
		b, basic := u.(*types.Basic)
		_, function := u.(*types.Signature)
		switch {
		case !basic && r.bare: // an interface has many functions that are never encoded
		case function && r.decodes(): // no message has one
		case !basic:
			return "it can reach a function or a channel, which the library leaves out or writes as a nil or an array, and Octet refuses: give the field the tag " + lib.TagKey + `:"-"`
		case b.Kind() == types.Uintptr:
			return "it can reach a uintptr, which the library writes as an integer, and Octet refuses"
		case b.Info()&types.IsComplex != 0:
			return "it can reach a complex number, of which the library writes at most the real part, and Octet both"
		}
	}
	return ""
}

// bytes returns what Octet does differently with a slice or an array of values with the size of a byte, of another type, or "".
func (r *reach) bytes(elem types.Type) string {
	list := []types.Type{elem}
	if param, ok := types.Unalias(elem).(*types.TypeParam); ok {
		list = r.p.dynamic.of(r.p.at(param.Obj().Pos()))
	}
	for _, elem := range list {
		named, ok := types.Unalias(elem).(*types.Named)
		if !ok || !types.Identical(elem.Underlying(), types.Typ[types.Uint8]) {
			continue
		}
		reaches := "it can reach several values of type " + named.Obj().Name() + " in a slice or an array, and the library writes "
		lib := r.s.lib
		asBytes := lib.Promotes || lib.Methods == table.MethodsOneBinary // whatever the methods of the type
		calls := lib.Generator == nil && callsMethods(lib, elem)         // in an array, as Octet with the profile
		switch {
		case asBytes && calls:
			return reaches + "them as bytes, and Octet as an array, because it calls the methods of the type"
		case !asBytes && !calls:
			return reaches + "an array of integers for them, and Octet bytes: use another type, such as []uint16"
		}
	}
	return ""
}

// hasExported reports whether a struct has exported fields, or promotes some.
func hasExported(t types.Type, depth int) bool {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if f := s.Field(i); f.Exported() || f.Embedded() && depth < 10 && hasExported(f.Type(), depth+1) {
			return true
		}
	}
	return false
}

// methodForm returns the method of a type that Octet calls or refuses and the library does not call, or "".
// A type with AppendMsgpack was made for Octet.
func (p *program) methodForm(lib *table.Library, t types.Type) string {
	method := func(name string) types.Object {
		o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		f, ok := o.(*types.Func)
		if !ok {
			return nil
		}
		return f
	}
	if method("AppendMsgpack") != nil {
		return ""
	}
	for _, names := range foreignHooks { // those that the library calls are found before
		if m := method(names[0]); m != nil && method(names[1]) == nil {
			return "Octet refuses it because of its method " + names[0] + " (" + p.lineOf(m.Pos()) + "), which the library does not call"
		}
	}
	for _, names := range pairs(lib) {
		if m := method(names[0]); m != nil && method(names[1]) == nil {
			return "Octet calls its method " + names[0] + " (" + p.lineOf(m.Pos()) + "), which the library does not call in a type without " + names[1]
		}
	}
	if lib.Promotes { // vmihailenco/msgpack calls the others, too
		return ""
	}
	for _, name := range []string{"MarshalMsgpack", "UnmarshalMsgpack"} {
		if m := method(name); m != nil {
			return "Octet calls its method " + name + " (" + p.lineOf(m.Pos()) + "), which the library does not"
		}
	}
	return ""
}

// fallbackTag returns what Octet does differently with a field that has no tag with the first key of the
// library, or an empty one, but one with another key, or "".
func fallbackTag(lib *table.Library, f *types.Var, tags reflect.StructTag) string {
	if len(lib.TagKeys) < 2 {
		return ""
	}
	first, tagged := tags.Lookup(lib.TagKeys[0])
	for _, key := range lib.TagKeys[1:] {
		value := tags.Get(key)
		if first != "" || value == "" {
			continue
		}
		if tagged {
			return "its tag with the key " + lib.TagKeys[0] + " is empty, and the library then reads that with the key " + key + ", which Octet does not: remove the empty one"
		}
		name, options, _ := strings.Cut(value, ",")
		for option := range strings.SplitSeq(options, ",") {
			option, _, _ = strings.Cut(option, "=")
			_, known := findTag(lib, option)
			if promotes := option == "inline" && name == "" && promoted(lib, f, string(tags)) != nil; !known && !promotes && slices.Contains(octetOptions, option) {
				return "its tag with the key " + key + " has the option " + option + ", which Octet knows and the library does not: give it a tag with the key " + lib.TagKeys[0]
			}
		}
		return ""
	}
	return ""
}

// sharedName returns why values of a struct stay in which several fields have one name, or "".
func sharedName(lib *table.Library, s *types.Struct) string {
	if name := sameName(lib, s); name != "" {
		return "two fields of the name " + name + ", which Octet refuses"
	}
	if name := promotedName(lib, s); name != "" {
		return "several fields of the name " + name + ", at least one of an embedded struct, and the library does not write the same of them as Octet, which follows the rules of Go"
	}
	return ""
}

// sameName returns a name that two fields of a struct have, or "".
func sameName(lib *table.Library, s *types.Struct) string {
	names := map[string]bool{}
	for i := range s.NumFields() {
		f := s.Field(i)
		name, ok := nameOf(lib, f, s.Tag(i))
		if !ok || f.Embedded() {
			continue
		}
		if name == "" {
			name = f.Name()
		}
		if names[name] {
			return name
		}
		names[name] = true
	}
	return ""
}

// tagOf returns the value of the first tag of a field that the library reads.
func tagOf(lib *table.Library, tags reflect.StructTag) (tag string, tagged bool) {
	tag, tagged = tags.Lookup(lib.TagKey)
	for i := 0; !tagged && i < len(lib.TagKeys); i++ {
		tag, tagged = tags.Lookup(lib.TagKeys[i])
	}
	return tag, tagged
}

// nameOf returns the name of a field in the encoding. It returns false for fields that are not
// written.
func nameOf(lib *table.Library, f *types.Var, tags string) (name string, ok bool) {
	tag, _ := tagOf(lib, reflect.StructTag(tags))
	if !f.Exported() && !f.Embedded() || tag == "-" {
		return "", false
	}
	name, _, _ = strings.Cut(tag, ",")
	return strings.TrimSpace(name), true
}

// promotedName returns a name that several fields have, of the struct or of those whose fields it promotes,
// if the library does something else with them than Octet, or "".
func promotedName(lib *table.Library, s *types.Struct) string {
	if lib.Clashes == table.ClashesNever {
		return ""
	}
	deepest, found := map[string]int{}, ""
	var look func(s *types.Struct, around []types.Type)
	look = func(s *types.Struct, around []types.Type) {
		for i := 0; i < s.NumFields() && found == ""; i++ {
			f := s.Field(i)
			name, ok := nameOf(lib, f, s.Tag(i))
			if !ok {
				continue
			}
			if inner := promoted(lib, f, s.Tag(i)); inner != nil && !slices.Contains(around, f.Type()) {
				look(inner, append(slices.Clip(around), f.Type()))
				continue
			}
			if name == "" {
				name = f.Name()
			}
			depth, again := deepest[name]
			if again && (lib.Clashes == table.ClashesAlways || min(depth, len(around)) > 0) {
				found = name
			}
			deepest[name] = max(depth, len(around))
		}
	}
	look(s, nil)
	return found
}

// promoted returns the embedded struct whose fields the library promotes, or nil.
func promoted(lib *table.Library, f *types.Var, tags string) *types.Struct {
	tag, tagged := tagOf(lib, reflect.StructTag(tags))
	parts := strings.Split(tag, ",")
	nested := strings.TrimSpace(parts[0]) != "" && !lib.Promotes || tagged && lib.Nests || slices.Contains(parts[1:], "noinline")
	t := f.Type()
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || !f.Embedded() || ownForm(t) || nested {
		return nil
	}
	return s
}
