package msgpack

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"time"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// Options are the options of a [Codec]. The zero value selects what the functions
// of the package do: the shortest formats of the specification, and no loss of
// data.
//
// Most fields cost no time, because they are applied once, when a type is compiled.
// The others state their cost.
type Options struct {
	_ struct{} // Literals must name the fields, so that fields can be added.

	// Encoding.

	// StructAsArray writes structs as arrays of their fields instead of maps.
	// Both forms are always decoded. The tag option as_array does the same for a
	// single type or field.
	StructAsArray bool
	// OmitEmpty and OmitZero give all fields the tag option of that name.
	OmitEmpty, OmitZero bool
	// SortKeys writes the entries of maps in the order of their keys: first
	// numbers, then strings, then all other keys by their bytes. Equal maps then
	// have equal encodings. If two keys of a map have the same encoding, the error
	// is [ErrDuplicateKey]. The cost is the sorting, and reflection for map types
	// that are otherwise iterated without it.
	SortKeys bool
	// Canonical gives equal values equal encodings, except for 0 and -0. It implies
	// SortKeys and NarrowFloats, also sorts the fields of structs, and writes every
	// NaN with the bits 7fc00000. It does not change the content of a Raw or the
	// results of methods. The cost is that of SortKeys and NarrowFloats. It conflicts
	// with TypedInts, AllowTrailing, and the MixedInts and SignedInts of Compat.
	Canonical bool
	// TypedInts writes integers in the width and signedness of their Go type; int
	// and uint have 64 bits. The default is the shortest format. The cost is a call
	// for each integer.
	TypedInts bool
	// NarrowFloats writes float64 values as float 32 if that is exact. The cost is
	// a call for each value.
	NarrowFloats bool
	// NilSliceAsEmpty and NilMapAsEmpty write nil slices and maps as an empty
	// array, bin or map. By default they are written as nil.
	NilSliceAsEmpty, NilMapAsEmpty bool
	// BytesAsStr writes byte slices and arrays as str instead of bin. Both formats
	// are always decoded.
	BytesAsStr bool
	// Time is the form in which times are written. Timestamps and the form chosen
	// here are always decoded. The default is [TimeExt].
	Time TimeForm
	// Compat selects forms of other libraries.
	Compat Compat

	// Decoding.

	// ExactArrays returns [ErrLength] if an array is decoded into a struct with a
	// different number of fields. By default, fields of missing elements are
	// unchanged and surplus elements are skipped.
	ExactArrays bool
	// RejectUnknown returns [ErrUnknownField] if a map is decoded into a struct
	// that has no field for one of its keys, unless the struct has an inline map.
	// By default, such keys and their values are skipped.
	RejectUnknown bool
	// RejectDuplicates returns [ErrDuplicateKey] if a map contains a key twice, or
	// if an array that is decoded as a set contains an element twice. By default,
	// the last value wins. Integers are compared by value, whatever their format,
	// floats by their bits, and str and bin by their bytes. The cost is a pass
	// over the input that hashes each key, and memory for the keys of the maps
	// that are open: see SECURITY.md.
	RejectDuplicates bool
	// RejectInvalidUTF8 returns [ErrUTF8] for any str that is not valid UTF-8, in
	// both directions. By default, the bytes of a str are not checked. The cost is
	// a pass over the message.
	RejectInvalidUTF8 bool
	// AllowTrailing ignores bytes after the decoded value. By default, they are
	// [ErrTrailing].
	AllowTrailing bool
	// Zone is the location of decoded times. The default, nil, is UTC. If it is
	// time.Local, and the program then sets that variable, times are in the new
	// location. The zero time is decoded as time.Time{}, without a location. In
	// variables of type any, the cost is that of AnyMap.
	Zone *time.Location
	// AliasInput lets decoded strings, byte slices and Raw values share the memory
	// of the input, which must then not change while any of them is in use. A
	// Decoder still copies each value once, as a whole. Do not decode into the same
	// variable with a Codec without this option: it would store into that memory.
	// The option saves copies, but in variables of type any, the cost is that of AnyMap.
	AliasInput bool
	// AnyMap is the Go type of maps in a variable of type any. The default is
	// [AnyMapAuto]. Other choices do not use the fast loops for maps and slices of
	// any.
	AnyMap AnyMap
	// AnyNumber is the Go type of numbers in a variable of type any. The default is
	// [AnyNumberWide]. The cost of other choices is that of AnyMap.
	AnyNumber AnyNumber
	// AnyStringKeys decodes map keys in bin format as strings, in variables of type
	// any and in maps with keys of type any. Some programs write UUIDs as such
	// keys. By default such a key becomes a []byte, which is a valid key of [Pairs]
	// and [ErrUnhashable] in a Go map. The cost is that of AnyMap.
	AnyStringKeys bool

	// Limits.

	// MaxDepth is the maximum nesting depth of containers, from 1 to 10000, or to
	// 1000 on WebAssembly, because each level uses stack space. A pointer to a pointer
	// or to an interface is a level too. 0, the default, selects [MaxDepth].
	MaxDepth int
	// MaxElements limits the elements of one array and the pairs of one map.
	// MaxBytes limits the length of one str, bin or ext. MaxTotal limits the length
	// of a whole message. All apply in both directions; the error is [ErrLimit]. 0,
	// the default, is no limit: memory is proportional to the input in any case.
	// The cost of MaxElements and MaxBytes is a pass over the message.
	MaxElements, MaxBytes, MaxTotal int

	// Types.

	// TagKeys lists the keys of struct tags in order of precedence, without
	// duplicates. The default is "msgpack" alone. Unknown options are errors in
	// tags with the key "msgpack", and ignored in all others.
	TagKeys []string
	// Naming returns the name of a field that has none in its tag; see [SnakeCase]
	// and [CamelCase]. The default, nil, uses the Go name.
	Naming func(goName string) string
	// Types changes how individual types, or all types that implement an interface,
	// are encoded and decoded: see [ExtType], [Override], [Union] and [Implements].
	// A type can be registered by only one of ExtType, Override and Union. There is
	// no cost for other types.
	Types []TypeCoder
	// IgnoreForeignHooks ignores hand-written methods of other libraries, named
	// EncodeMsgpack, CodecEncodeSelf, DecodeMsgpack or CodecDecodeSelf. By default,
	// a type with such a method is [ErrUnsupported] in the direction of the method,
	// unless the type has methods of this package for that direction or is listed
	// in Types. Methods that tinylib/msgp generates are always ignored.
	IgnoreForeignHooks bool
	// IgnoreTextMethods and IgnoreBinaryMethods encode and decode types as if they
	// had no text or binary methods of package encoding, such as MarshalText or
	// UnmarshalBinary. Structs without exported fields and the types of the standard
	// library that the package page lists are encoded as if the options were not set,
	// because their values would be lost. The exceptions are url.URL, which becomes a
	// map, and slog.Level, which becomes an int.
	IgnoreTextMethods, IgnoreBinaryMethods bool
}

// A TimeForm is a form in which a time.Time is written.
type TimeForm uint8

// The forms of times. Integers count from 1970-01-01 UTC and are rounded down. A
// time that does not fit in 64 bits is [ErrRange].
const (
	TimeExt       TimeForm = iota // timestamp, ext -1: nanoseconds, all years
	TimeRFC3339                   // str, with nanoseconds and zone, as in "2006-01-02T15:04:05.999999999Z"
	TimeUnix                      // int: seconds
	TimeUnixMilli                 // int: milliseconds
	TimeUnixMicro                 // int: microseconds
	TimeUnixNano                  // int: nanoseconds
)

// An AnyMap is the Go type that maps become in a variable of type any.
type AnyMap uint8

const (
	AnyMapAuto  AnyMap = iota // map[string]any, or map[any]any if a key is not a str
	AnyMapAny                 // map[any]any
	AnyMapPairs               // [Pairs], in the order of the input, with keys of any kind
)

// An AnyNumber is the Go type that numbers become in a variable of type any.
type AnyNumber uint8

const (
	AnyNumberWide       AnyNumber = iota // int64, uint64 for larger integers, float64
	AnyNumberFormat                      // the type of the format: int8 for a fixint, uint8 to int64, float32, float64
	AnyNumberRaw                         // [Number], which keeps the format
	AnyNumberFormatUint                  // like AnyNumberFormat, but uint8 for a positive fixint, like shamaton/msgpack
	AnyNumberSign                        // like AnyNumberWide, but uint64 for every uint format, like ugorji/go/codec
	AnyNumberSignFloat                   // like AnyNumberSign, but float32 for a float 32, like tinylib/msgp
)

// maxMaxDepth returns the largest valid [Options.MaxDepth]. It limits the stack of
// the deepest value to a few megabytes. On WebAssembly, Go calls use the stack of
// the host, which is about one megabyte: under Node.js, 10,000 levels of the most
// expensive types exhaust it.
func maxMaxDepth() int {
	if runtime.GOARCH == "wasm" {
		return 1000
	}
	return 10_000
}

// A policy is checked Options, in the form that plans use.
type policy struct {
	Options
	depth int
	tags  typeplan.Config
	guard guard

	stringHeader, binHeader headerFunc // of str and bin

	plainParts bool // scalars of streams are encoded and decoded as package wire does

	ignoreGenerated bool // see withoutGenerated

	features
	custom
}

// features are the functions for options that few programs use. Only
// [Options.check] refers to them, so that the linker removes them from a program
// without Options. Each is nil unless the Options select it.
type features struct {
	checkInput  func(g *guard, op string, data []byte, depth int) (end int, err error)
	checkOutput func(g *guard, b []byte) error
	time        func(k *compiler) codec
	number      func(k *compiler, t reflect.Type, o putOp) encodeFunc
	empty       func(k *compiler, t reflect.Type) func(p mem.Ptr) bool
	any         func(d *decoder, h wire.Header) (v any, chosen bool, err error)
	sort        func(s *sorter, dst []byte, start int, found string) error
	unique      func() (isNew func(key []byte) bool)
}

// chooseFeatures sets the features that the Options select.
func (o *policy) chooseFeatures() {
	if o.guard.on {
		o.checkInput, o.checkOutput = (*guard).check, (*guard).encoded
	}
	if o.Time != TimeExt || o.Zone != nil {
		o.time = (*compiler).makeTimeCodec
	}
	if o.TypedInts || o.Compat.MixedInts || o.Compat.SignedInts || o.NarrowFloats || o.Canonical || o.Compat.OldFormats {
		o.number = (*compiler).makeWideEncoder
	}
	if o.Compat.Empty != EmptyByLength {
		o.empty = (*compiler).makeIsEmptyBy
	}
	if o.Compat.OldFormats {
		o.stringHeader, o.binHeader = appendOldStringHeader, appendOldStringHeader
	}
	if o.AnyMap != AnyMapAuto || o.AnyNumber != AnyNumberWide || o.Compat.AnyText != AnyTextFormat || o.AnyStringKeys || o.AliasInput || o.Zone != nil {
		o.any = (*decoder).chosenAny
	}
	if o.SortKeys || o.Canonical {
		o.sort = (*sorter).sort
	}
	if o.RejectDuplicates {
		o.unique = newUnique
	}
}

// defaultPolicy is the policy of the zero Options.
var defaultPolicy = policy{depth: MaxDepth, tags: tags, plainParts: true, stringHeader: wire.AppendStringHeader, binHeader: wire.AppendBinHeader}

// invalid returns an ErrOptions with a text.
func invalid(format string, a ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrOptions}, a...)...)
}

// clone returns a copy of o that shares no slices with it.
func (o Options) clone() Options {
	o.TagKeys, o.Types = slices.Clone(o.TagKeys), slices.Clone(o.Types)
	return o
}

// check returns the policy that o selects, or an error that names the invalid field.
func (o Options) check() (policy, error) {
	p := defaultPolicy
	p.Options = o.clone()
	refuse := func(format string, a ...any) (policy, error) {
		return policy{}, invalid("Options."+format, a...)
	}
	if o.MaxDepth < 0 || o.MaxDepth > maxMaxDepth() {
		return refuse("MaxDepth is %d, want 0 to %d", o.MaxDepth, maxMaxDepth())
	}
	if o.MaxDepth > 0 {
		p.depth = o.MaxDepth
	}
	for _, l := range []struct {
		name  string
		value int
	}{{"MaxElements", o.MaxElements}, {"MaxBytes", o.MaxBytes}, {"MaxTotal", o.MaxTotal}} {
		if l.value < 0 {
			return refuse("%s is negative: %d", l.name, l.value)
		}
	}
	switch {
	case o.Time > TimeUnixNano:
		return refuse("Time is %d, not a valid TimeForm", o.Time)
	case o.AnyMap > AnyMapPairs:
		return refuse("AnyMap is %d, not a valid AnyMap", o.AnyMap)
	case o.AnyNumber > AnyNumberSignFloat:
		return refuse("AnyNumber is %d, not a valid AnyNumber", o.AnyNumber)
	case o.Compat.Empty > EmptyEqual:
		return refuse("Compat.Empty is %d, not a valid EmptyRule", o.Compat.Empty)
	case o.Compat.NilEmbedded > EmbeddedNilPlain:
		return refuse("Compat.NilEmbedded is %d, not a valid EmbeddedRule", o.Compat.NilEmbedded)
	case o.Compat.ReplaceMaps > MapsAll:
		return refuse("Compat.ReplaceMaps is %d, not a valid MapRule", o.Compat.ReplaceMaps)
	case o.Compat.NilMethods > NilAlways:
		return refuse("Compat.NilMethods is %d, not a valid NilRule", o.Compat.NilMethods)
	case o.Compat.Arrays > ArraysShort:
		return refuse("Compat.Arrays is %d, not a valid ArrayRule", o.Compat.Arrays)
	case o.Compat.AnyText > AnyTextString:
		return refuse("Compat.AnyText is %d, not a valid AnyText", o.Compat.AnyText)
	case o.TypedInts && o.Compat.MixedInts:
		return refuse("Compat.MixedInts conflicts with TypedInts")
	case o.Compat.SignedInts && (o.TypedInts || o.Compat.MixedInts):
		return refuse("Compat.SignedInts conflicts with TypedInts and Compat.MixedInts")
	case o.Canonical && o.TypedInts:
		return refuse("TypedInts conflicts with Canonical")
	case o.Canonical && o.Compat.MixedInts:
		return refuse("Compat.MixedInts conflicts with Canonical")
	case o.Canonical && o.Compat.SignedInts:
		return refuse("Compat.SignedInts conflicts with Canonical")
	case o.Canonical && o.AllowTrailing:
		return refuse("AllowTrailing conflicts with Canonical")
	}
	if len(o.TagKeys) > 0 {
		p.tags.Keys, p.tags.Foreign = p.TagKeys, nil
		for i, key := range p.TagKeys {
			if key == "" || slices.Contains(p.TagKeys[:i], key) {
				return refuse("TagKeys has an empty or duplicate key: %q", o.TagKeys)
			}
			if key != tagKey {
				p.tags.Foreign = append(p.tags.Foreign, key)
			}
		}
	}
	p.tags.Naming, p.tags.NestEmbedded, p.tags.EmbeddedLast = o.Naming, o.Compat.NestEmbedded, o.Compat.EmbeddedLast
	p.tags.SkipUnexported = o.Compat.SkipUnexported
	p.guard = o.guard()
	p.chooseFeatures()
	p.plainParts = p.keepsForm() && !p.guard.on
	if err := o.registerTypes(&p); err != nil {
		return policy{}, err
	}
	return p, nil
}

// customForms reports whether o changes the encoding of types that are
// encoded without a plan, such as the values of a map[string]any.
func (o *policy) customForms() bool {
	return o.number != nil || o.sort != nil || o.NilSliceAsEmpty || o.NilMapAsEmpty
}

// A guard holds the requirements of Options for the bytes of a message. They are
// checked in a separate pass over the message. Plans therefore do not test them, and
// they also apply to values that are skipped, to Raw values, and to the arguments and
// results of users' methods.
type guard struct {
	on    bool         // there is something to check
	pass  bool         // rules must be checked, which takes a pass over the message
	total uint64       // maximum length of a message
	rules syntax.Rules // for the values in a message
}

// guard returns the guard of o.
func (o *Options) guard() guard {
	limit := func(n int) uint64 {
		if n == 0 {
			return math.MaxUint64
		}
		return uint64(n)
	}
	pass := o.MaxElements > 0 || o.MaxBytes > 0 || o.RejectInvalidUTF8 || o.RejectDuplicates
	return guard{
		on:    pass || o.MaxTotal > 0,
		pass:  pass,
		total: limit(o.MaxTotal),
		rules: syntax.Rules{
			Elements: limit(o.MaxElements), Bytes: limit(o.MaxBytes),
			UTF8: o.RejectInvalidUTF8, Unique: o.RejectDuplicates,
		},
	}
}

// encoded checks b, which is one encoded value.
func (g *guard) encoded(b []byte) error {
	if uint64(len(b)) > g.total {
		return failed(ErrLimit, "message of "+errtext.Counted(len(b), "byte"))
	}
	// MaxTotal alone needs no pass over the message.
	if !g.pass {
		return nil
	}
	if n, err := g.rules.Check(b, mem.String(b), math.MaxInt); err != nil {
		e := syntaxError(opMarshal, b, n, err)
		// Offsets are those in the input, and encoding has none.
		e.Offset = 0
		return e
	}
	return nil
}

// check checks the first value in data before it is decoded, and returns its end. It
// also finds invalid values.
func (g *guard) check(op string, data []byte, depth int) (end int, err error) {
	// Bytes after the limit are not read, so a longer message takes no more time.
	part := data[:min(uint64(len(data)), g.total)]
	end, err = g.rules.Check(part, mem.String(part), depth)
	// The value may be complete in data, but it is longer than the limit.
	if err == wire.ErrTruncated && len(part) < len(data) {
		return 0, &Error{Op: op, Found: "message of more than " + errtext.Counted(g.total, "byte"), Err: ErrLimit}
	}
	if err != nil {
		return 0, syntaxError(op, part, end, err)
	}
	return end, nil
}

func (c *plans) validate(data []byte) error {
	c = c.orDefault()
	var n int
	var err error
	if c.guard.on {
		n, err = c.checkInput(&c.guard, opValidate, data, c.depth)
	} else {
		n, err = wire.Skip(data, c.depth)
	}
	if err != nil {
		return c.firstFault(data, n, err)
	}
	if n < len(data) && !c.AllowTrailing {
		return (&Error{Op: opValidate, Offset: int64(n), Err: ErrTrailing}).maybeJSON(data)
	}
	return nil
}

// firstFault returns the error for malformed data, given what a pass over it has found at
// offset n. That may be a header that claims more than there is. A [Decoder] cannot know
// this until the input ends, and reports another fault at once, so that is the error.
func (c *plans) firstFault(data []byte, n int, err error) error {
	if errors.Is(err, ErrTruncated) {
		var s syntax.Scanner
		if _, fault := s.Scan(data, c.depth); fault != nil {
			return syntaxError(opValidate, data, int(s.Pos), fault)
		}
	}
	// The pass of a guard returns the whole error.
	if _, ok := err.(*Error); ok {
		return err
	}
	return syntaxError(opValidate, data, n, err)
}

// syntaxError returns the error for the fault at offset n of data. It finds the path
// in a second pass over the input, so that valid input needs no paths.
func syntaxError(op string, data []byte, n int, reason error) *Error {
	e := &Error{Op: op, Offset: int64(n), Path: syntax.PathTo(data, n), Err: reason, empty: len(data) == 0}
	e.found(data[n:])
	if reason == ErrTimestamp {
		e.Found = syntax.DescribeArriving(data[n:]) // as a Decoder, which does not know the end
	}
	return e
}
