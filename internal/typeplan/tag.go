package typeplan

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Config controls how tags are read.
type Config struct {
	// Keys are the tag keys, such as "msgpack". If a field has several of these
	// tags, the first key in Keys is used. Without keys, no tag is read.
	Keys []string
	// Foreign lists the keys that belong to other packages. Unknown and
	// misplaced options in their tags are ignored.
	Foreign []string
	// Naming converts the Go name of a field to its name, if its tag has no
	// name. Default: nil, the Go name itself.
	Naming func(goName string) string
	// Options are the option words that may follow the name in a tag. Any other
	// word is an error. Seven words have a fixed meaning. "inline" promotes the
	// fields of a struct, or of a pointer to a struct, as if it were embedded,
	// and makes a map with string keys the [Struct.Rest]. "as_array" is only
	// valid on a struct, a pointer to a struct, or a blank field. "set" is only
	// valid on a map[T]struct{} or a pointer to one. "omitempty" and "omitzero"
	// are not valid on a blank field. "alias", which has the form alias=name and can
	// occur several times, adds a name to Field.Aliases. "keyasint" requires that the
	// name and the aliases are integers, and that all fields of a struct have it. All
	// other words are valid on every field that is not blank, and the caller defines
	// their meaning.
	Options Options
	// NestEmbedded makes an embedded struct an ordinary field with the name of its
	// type, unless its tag has the option "inline".
	NestEmbedded bool
	// EmbeddedLast puts promoted fields after the fields of the struct that they
	// are promoted into.
	EmbeddedLast bool
	// SkipUnexported ignores embedded structs of unexported types.
	SkipUnexported bool
}

// Options is the set of option words in one tag.
type Options []string

// Has reports whether the word is in the set. It is not inlined, because it is called in
// many places, but only while a type is compiled.
//
//go:noinline
func (o Options) Has(word string) bool { return slices.Contains(o, word) }

const (
	optionInline    = "inline"
	optionAsArray   = "as_array"
	optionOmitEmpty = "omitempty"
	optionOmitZero  = "omitzero"
	optionSet       = "set"
	optionAlias     = "alias"
	optionKeyAsInt  = "keyasint"
)

// tag is a parsed field tag.
type tag struct {
	text    string // all of it, if the key is not foreign
	own     bool   // there is a tag with a key that is not foreign
	name    string // empty if the Go name is used
	options Options
	aliases []string
	skip    bool
	nest    bool // see Config.NestEmbedded
	exact   bool // see Config.SkipUnexported
}

// tag parses the tag of f. reason describes an error in the tag, or is empty.
//
// Tags have no quoting, so a name may contain every character except a comma.
func (c *Config) tag(f *reflect.StructField) (g tag, reason string) {
	text, key := c.text(f)
	foreign := slices.Contains(c.Foreign, key)
	if text == "-" {
		return tag{skip: true}, ""
	}
	name, words, more := strings.Cut(text, ",")
	g.name, g.nest, g.exact = name, c.NestEmbedded, c.SkipUnexported
	if key != "" && !foreign {
		g.text, g.own = text, true
	}
	if !more || text == "-," { // the only way to name a field "-"
		return g, ""
	}
	for more {
		var word string
		word, words, more = strings.Cut(words, ",")
		known := c.Options.Has(word)
		if foreign {
			one := tag{name: name, options: Options{word}, nest: g.nest, exact: g.exact}
			if known && one.misplaced(f) == "" {
				g.options = append(g.options, word)
			}
			continue
		}
		g.options = append(g.options, word)
		alias, isAlias := strings.CutPrefix(word, optionAlias+"=")
		switch {
		case word == "" || isAlias && alias == "":
			return g, quoted("empty option in tag ", text, "")
		case isAlias && c.Options.Has(optionAlias):
			g.aliases = append(g.aliases, alias)
		case word == optionAlias || !known:
			return g, quoted("unknown option ", word, "")
		}
	}
	g.name = g.integerName()
	return g, ""
}

// integerName returns the name of a tag, in its usual form if it is that of an integer
// key.
func (g *tag) integerName() string {
	if text, ok := integer(g.name); ok && g.options.Has(optionKeyAsInt) {
		return text
	}
	return g.name
}

// integer returns the usual form of an integer of 64 bits, signed or not. ok is false if
// text is none.
func integer(text string) (usual string, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	limit := "18446744073709551615"
	if negative {
		limit = "9223372036854775808"
	} else if plain, plus := strings.CutPrefix(text, "+"); plus {
		digits, limit = plain, "9223372036854775807"
	}
	for i := range len(digits) {
		if digits[i]-'0' > 9 {
			return "", false
		}
	}
	for len(digits) > 1 && digits[0] == '0' {
		digits = digits[1:]
	}
	switch {
	case digits == "" || len(digits) > len(limit) || len(digits) == len(limit) && digits > limit:
		return "", false
	case negative && digits != "0":
		return "-" + digits, true
	}
	return digits, true
}

// text returns the tag of f to use, and its key, which is empty if there is none.
func (c *Config) text(f *reflect.StructField) (text, key string) {
	for _, key := range c.Keys {
		if text, ok := f.Tag.Lookup(key); ok {
			return text, key
		}
	}
	return "", ""
}

// misplaced returns the reason why the tag is not valid on f, or "".
func (g *tag) misplaced(f *reflect.StructField) (reason string) {
	switch {
	case f.Name == "_":
		return g.misplacedBlank(f)
	case g.own && !g.visible(f): // as in encoding/json/v2
		return quoted("tag ", g.text, " on an unexported field")
	case len(g.options) == 0:
		return ""
	case !g.visible(f):
		return misused(g.options[0], " on an unexported field")
	case g.options.Has(optionKeyAsInt):
		for _, name := range append([]string{g.name}, g.aliases...) {
			if _, ok := integer(name); !ok {
				return misused(optionKeyAsInt, quoted(" on a field with the name ", name, ", which is not an integer"))
			}
		}
	}
	return g.misplacedOption(f)
}

// misused returns the reason why the option word is not valid where it is.
func misused(word, where string) string { return quoted("option ", word, where) }

// quoted returns the text with a word in quotation marks. It is not inlined, because the
// texts of errors are in every program.
//
//go:noinline
func quoted(before, word, after string) string { return before + strconv.Quote(word) + after }

// misplacedOption is misplaced for the options that depend on the type of the field.
func (g *tag) misplacedOption(f *reflect.StructField) (reason string) {
	target := structBelow(f.Type)
	switch {
	case g.options.Has(optionInline) && g.name != "":
		return misused(optionInline, quoted(" on a field with the name ", g.name, ""))
	case g.promotes(f):
		for _, word := range g.options {
			if word != optionInline {
				return misused(word, " on a struct whose fields are promoted")
			}
		}
	case isRest(f.Type) && g.options.Has(optionInline):
		for _, word := range g.options {
			if word != optionInline {
				return misused(word, " on a map whose entries are promoted")
			}
		}
	case g.options.Has(optionSet) && !isSet(f.Type):
		return misused(optionSet, " on "+f.Type.String()+", which is not a map[T]struct{} or a pointer to one")
	case target == nil:
		for _, word := range []string{optionInline, optionAsArray} {
			if g.options.Has(word) {
				return misused(word, " on "+f.Type.String()+", which is not a struct or pointer to struct")
			}
		}
	}
	return ""
}

// misplacedBlank is like misplaced for a blank field, whose options apply to
// the whole struct.
func (g *tag) misplacedBlank(f *reflect.StructField) (reason string) {
	switch {
	case g.name != "":
		return quoted("name ", g.name, " on a blank field")
	case len(g.options) > 0 && f.Type.Size() > 0:
		return misused(g.options[0], " on a blank field that is not a struct{}")
	}
	for _, word := range g.options {
		if word != optionAsArray {
			return misused(word, " on a blank field")
		}
	}
	return ""
}

// promotes reports whether the fields of f are promoted.
func (g *tag) promotes(f *reflect.StructField) bool {
	return g.name == "" && (f.Anonymous && !g.nest || g.options.Has(optionInline)) && structBelow(f.Type) != nil
}

// Promoted returns the struct whose fields a struct with the field f promotes, or nil.
func (c *Config) Promoted(f *reflect.StructField) reflect.Type {
	t := structBelow(f.Type)
	if t == nil {
		return nil
	}
	if g, reason := c.tag(f); reason != "" || g.skip || !g.visible(f) || !g.promotes(f) {
		return nil
	}
	return t
}

// isRest reports whether a map of type t can hold the keys without a field.
func isRest(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Key().Kind() == reflect.String
}

// isSet reports whether t is a map whose elements have no contents, or a
// pointer to one.
func isSet(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Map && t.Elem() == reflect.TypeFor[struct{}]()
}

// visible reports whether f can be encoded or can promote fields that can be.
// An embedded struct of an unexported type may have exported fields.
func (g *tag) visible(f *reflect.StructField) bool {
	return f.IsExported() || f.Anonymous && !g.exact && structBelow(f.Type) != nil && (!g.nest || g.options.Has(optionInline))
}

// structBelow returns t or the target type of the pointer t, if that is a
// struct. Otherwise it returns nil.
func structBelow(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}
