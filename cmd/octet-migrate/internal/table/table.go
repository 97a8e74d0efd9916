// Package table lists what replaces each exported name of other libraries.
//
// A table is data. Package rewrite applies it to programs, and package page makes
// the tables of docs/migrating-*.md from it. To support another name, add a row.
package table

import (
	"path"
	"regexp"
	"strings"
)

// Octet is the import path of the package that replaces the MessagePack libraries.
const Octet = "github.com/octet-go/octet/msgpack"

// A Library is another library and what replaces it.
type Library struct {
	Name      string   // for people: the path of the module
	Path      string   // the import path
	Page      string   // the guide is docs/migrating-from-Page.md
	Profile   string   // the function of msgpack/profile; "" if the package is replaced by one with the same names
	Version   string   // of the library with which the profile was compared
	Settings  []string // statements that change the profile's Options
	Note      string   // what changes in spite of the profile
	Swap      string   // the import path that takes the place of {new}, if there is no profile
	Same      bool     // the types of Swap are the same types
	Forks     []string // import paths of forks and former places, without a table
	Earlier   string   // what else to do with a program of another version, beside changing its import
	Newer     *Library // takes the place of this one if the package has NewerName: later versions with the same path
	NewerName string
	OnlyWith  []string // if not empty, only files that use one of these names are rewritten
	Adapter   string   // the package with adapters for hand-written hooks
	Rows      []Row    // one for each exported name
	Hooks     []Row    // methods of user types that the library calls
	Tags      []Row    // tag options: see below
	Comments  []Row    // directives of the generator; Name is the first word of a comment
	Command   string   // of the generator
	TagKey    string   // the key of the struct tags
	TagKeys   []string // Options.TagKeys, if the keys are not that of Octet
	Promotes  bool     // an embedded struct is promoted even if its tag has a name
	Embedded  Embedded // embedded fields whose types are not exported
	Methods   Methods  // of user types that it calls
	Clashes   Clashes  // fields of one name, of which embedded structs have some
	Nests     bool     // an embedded struct is promoted only if it has no tag
	Any       string   // what becomes of some values in the interfaces that are decoded into
	RawText   bool     // a str in an interface becomes a []byte, unless an option says otherwise
	Spaces    bool     // spaces around tag options mean nothing
	OneSpace  bool     // but only one that follows a comma
	Errors    string   // what the texts of its errors begin with, "" if they are not compared with
	Generator []string // comments of generated files, one of which such a file has
	Codecgen  bool     // codecgen writes methods that its Encoders and Decoders call
}

// A Row says what replaces one exported name, or several that Name matches as a
// pattern of path.Match with an asterisk. Name is "Func", "Type", "Type.Method", "Type.Field", or
// "Func().Method" for a method that is called on the result of a function.
//
// Call and Value are Go expressions with these parts in braces:
//
//	{1}, {2}     the arguments
//	{1 uint8}    an argument, converted to uint8 if it is a constant, or if only the parameter gives it that type
//	{1 ~uint8}   the same, but a constant is not converted
//	{recv}       the receiver
//	{codec}      the Codec of the profile, or the package with -shortest
//	{encoder}    a function like NewEncoder that turns on AutoFlush
//	{into}       a function that encodes into the variable of a pointer
//	{decode T}   a function that decodes a value of type T
//	{decodeValue}, {arrayLen}, {mapLen}, {arrayHeader}, {mapHeader}, {encodeAll},
//	{decodeAll}  functions that octet_codec.go declares
//	{rest}       all arguments
//	{new}        the package that replaces the library
//	{wire}       package wire
//	{recv ref}   the address of the receiver, if it is a variable
//	{name}       the name without its type
//
// A row without Call and Value has no counterpart: Do says what to do.
//
// A row of Tags with a Value and without Flags is an option that Octet has, too. The
// Value is the option that -shortest needs beside it for types with IsZero, or the
// option itself. See [Replaced], [Whole] and [Unexported] for the others. Options
// without a row have no meaning for the library.
//
// A row "Type.Field = value" is for an option of a Handle that is set to a
// constant. Its Value is a statement that changes the variable options.
type Row struct {
	Name  string
	Call  string // replaces calls
	Value string // replaces other uses of the name; derived from Call if possible
	Do    string // what to do by hand, in Markdown
	Note  string // what changes although the name is replaced
	Flags Flag
	// Example is a file that uses the name, without its package clause. The tests
	// make one from the declaration if it is empty.
	Example string
}

// Embedded says what a library does with embedded fields whose types are not exported.
type Embedded uint8

const (
	EmbeddedPromoted Embedded = iota // it promotes the fields of structs, as Octet does, or is not known to do something else
	EmbeddedWritten                  // the same, and it writes other fields
	EmbeddedPlain                    // it promotes the fields of structs without a name in the tag, but not those of pointers
	EmbeddedSkipped                  // it leaves them out
)

// Clashes says for which fields with one name a library does not follow the rules of Go, as Octet
// does. All names are those in the encoding.
type Clashes uint8

const (
	ClashesNever    Clashes = iota // none, or it promotes no fields
	ClashesEmbedded                // those of two embedded structs
	ClashesAlways                  // those of an embedded struct and another field
)

// Methods says which methods of package encoding a library calls.
type Methods uint8

const (
	MethodsAll       Methods = iota
	MethodsNoText            // all but MarshalText and UnmarshalText
	MethodsBinary            // MarshalBinary and UnmarshalBinary, of types that have both
	MethodsOneBinary         // MarshalBinary and UnmarshalBinary, also of types that have one of them
	MethodsNone
)

// A Flag changes how a row is applied.
type Flag uint

const (
	// Reads is set if the replacement reads ahead from its first argument.
	Reads Flag = 1 << iota
	// Data is set for types that hold data. They may be stored in interfaces.
	Data
	// Discard requires that the first result of the call is not used.
	Discard
	// Handle is set for types whose variables hold options and are not needed.
	Handle
	// Shape is set for directives that change the bytes of the types that they name, and
	// for tag options without a counterpart that change what is written or accepted.
	Shape
	// Everywhere is set for directives that can change the bytes of every type.
	Everywhere
	// OfType is set for directives of the form NAME TYPE OPTIONS. Those of a type of the package change the
	// bytes of this type, and of the types that contain it.
	OfType
	// Replaced is set for options that Octet has by another name, which is the Value.
	Replaced
	// Whole is set for an option of a field that stands for the whole struct. The row
	// has the name "field NAME option", and Value is the option that a blank field
	// has in Octet.
	Whole
	// Pointer is set for types whose zero value cannot be used in Octet.
	Pointer
	// Unexported is set for the row about the tags of fields that are not exported. The
	// library ignores them, and Octet refuses them. Libraries with a key of their own
	// have no such row, because Octet ignores these tags, too.
	Unexported
	// Global is set for names that change what all calls of the library do.
	Global
	// Registers is set for functions that give types a form of their own, for all calls
	// of the library. An argument is a value of the type.
	Registers
	// Named is set for methods of user types that the library calls, or looks for, and that have none of its types
	// in their parameters. Their names are enough.
	Named
)

// Rewrites reports whether the row has a replacement.
func (r Row) Rewrites() bool { return r.Call != "" || r.Value != "" }

var plainCall = regexp.MustCompile(`^([^()]*)\(([^()]*)\)$`)

// ValueFor returns what replaces a use that is not called. It is derived if Call
// passes n arguments unchanged.
func (r Row) ValueFor(n int) string {
	m := plainCall.FindStringSubmatch(r.Call)
	if r.Value != "" || m == nil {
		return r.Value
	}
	var want []string
	for i := range n {
		want = append(want, "{"+string(rune('1'+i))+"}")
	}
	if m[2] != strings.Join(want, ", ") {
		return ""
	}
	return m[1]
}

// Row returns the row of a name. An exact name precedes patterns, and an earlier
// pattern precedes a later one.
func (l *Library) Row(name string) (Row, bool) { return find(l.Rows, name) }

// Hook returns the row of a method of user types.
func (l *Library) Hook(name string) (Row, bool) { return find(l.Hooks, name) }

func find(rows []Row, name string) (Row, bool) {
	for _, r := range rows {
		if r.Name == name {
			return r, true
		}
	}
	for _, r := range rows {
		if strings.Contains(r.Name, "*") { // much faster than a pattern that can only match itself
			if ok, _ := path.Match(r.Name, name); ok {
				return r, true
			}
		}
	}
	return Row{}, false
}

// For returns the library with an import path, or nil.
func For(libraries []*Library, importPath string) *Library {
	if _, after, ok := strings.Cut(importPath, "/vendor/"); ok {
		importPath = after
	}
	for _, l := range libraries {
		if l.Path == importPath {
			return l
		}
	}
	return nil
}
