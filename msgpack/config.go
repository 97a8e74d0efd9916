package msgpack

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Config says how a [Codec] encodes and decodes, where there is a choice. The
// zero value is what the functions of the package do: the shortest formats of
// the specification, and no loss of data.
//
// Most fields cost nothing, because they choose what is compiled for a type. The
// others state their cost.
type Config struct {
	_ struct{} // Literals must name the fields, so that fields can be added.

	// Encoding.

	// StructAsArray writes structs as arrays of their fields instead of maps.
	// Both forms are always read. The tag option as_array does the same for a
	// single type or field.
	StructAsArray bool
	// OmitEmpty and OmitZero give all fields the tag option of that name.
	OmitEmpty, OmitZero bool
	// SortKeys writes the entries of maps in order of their keys: numbers,
	// then strings and all else by their bytes, so that equal maps are
	// equal bytes. A map with two keys that are written as the same value is
	// [ErrDuplicateKey]. It costs the sorting, and reflection for maps that are
	// otherwise iterated without it.
	SortKeys bool
	// Canonical makes equal values equal bytes: it implies SortKeys and
	// NarrowFloats, sorts the fields of structs as well, and writes every NaN with
	// the bits 7fc00000. What Raw holds and what methods return is not changed. It
	// costs what SortKeys and NarrowFloats do, and conflicts with TypedInts and
	// AllowTrailing.
	Canonical bool
	// TypedInts writes integers in the width of their Go type, int and uint in
	// 64 bits, signed ones in signed formats. The default is the shortest format.
	// It costs a call for each integer.
	TypedInts bool
	// NarrowFloats writes float64 values as float 32 where that is exact. It
	// costs a call for each.
	NarrowFloats bool
	// NilSliceAsEmpty and NilMapAsEmpty write an empty array, bin or map where
	// nil is written by default.
	NilSliceAsEmpty, NilMapAsEmpty bool
	// BytesAsStr writes byte slices and arrays as str instead of bin. Both are
	// always read.
	BytesAsStr bool
	// TextAsBin writes what MarshalText and AppendText return as bin, as
	// vmihailenco/msgpack does, instead of str. Both are always read.
	TextAsBin bool
	// Time is the form in which times are written. Timestamps are always read,
	// and so is the form that is chosen here. Default: [TimeExt].
	Time TimeForm

	// Decoding.

	// ExactArrays refuses arrays that have more or fewer elements than the
	// struct they are decoded into has fields: [ErrLength]. By default missing
	// elements leave their fields unchanged and surplus ones are skipped.
	ExactArrays bool
	// RejectUnknown refuses map keys that have no field in the struct that they
	// are decoded into: [ErrUnknownField]. By default their values are skipped.
	// An inline map takes them.
	RejectUnknown bool
	// RejectDuplicates refuses maps in which a key occurs twice, and arrays in which
	// an element does if they are decoded as sets: [ErrDuplicateKey].
	// By default the last value wins. Integers are equal whatever their
	// format, floats if their bits are, and str and bin if their bytes are.
	// It costs a pass over the input, in which each key is hashed, and memory for
	// the keys of the maps that are open: see SECURITY.md.
	RejectDuplicates bool
	// RejectInvalidUTF8 refuses any str, read or written, that is not UTF-8:
	// [ErrUTF8]. By default bytes are kept as they are. It costs a pass over the
	// message.
	RejectInvalidUTF8 bool
	// AllowTrailing ignores bytes that follow the decoded value. By default they
	// are [ErrTrailing].
	AllowTrailing bool
	// Zone is the location of decoded times. nil: UTC. In variables of type any it
	// costs what AnyMap does.
	Zone *time.Location
	// AliasInput lets decoded strings, byte slices and Raw share the memory of
	// the input, which must not change as long as any of them is in use. From
	// a stream everything is still copied: each value once, as a whole. It saves
	// copies, but in variables of type any it costs what AnyMap does.
	AliasInput bool
	// AnyMap is what maps become in a variable of type any. Default: [AnyMapAuto].
	// Other choices do not use the fast loops for maps and slices of any.
	AnyMap AnyMap
	// AnyNumber is what numbers become in a variable of type any. Default:
	// [AnyNumberWide]. Other choices cost what AnyMap does.
	AnyNumber AnyNumber
	// AnyStringKeys makes strings of map keys in bin form in variables of type any
	// and in maps with keys of type any, such as the UUID keys that some programs
	// write. By default such a key becomes a []byte, which is [ErrUnhashable], or a
	// key of [Pairs]. It costs what AnyMap does.
	AnyStringKeys bool

	// Limits.

	// MaxDepth is how deep containers may be nested, from 1 to 10000, or
	// to 1000 on WebAssembly; each level takes some stack. 0, the default, is
	// [MaxDepth].
	MaxDepth int
	// MaxElements bounds the elements of one array and the pairs of one map,
	// MaxBytes the length of one str, bin or ext, and MaxTotal that of a whole
	// message, read or written. More is [ErrLimit]. 0, the default, is no limit;
	// memory is in proportion to the input in any case. MaxElements and MaxBytes
	// cost a pass over the message.
	MaxElements, MaxBytes, MaxTotal int

	// Types.

	// TagKeys are the keys of struct tags, in order of precedence. No key may
	// appear twice. The default is "msgpack" alone. Unknown options are errors
	// under the key "msgpack", and ignored under all others.
	TagKeys []string
	// Naming makes names of fields that have none in their tag; see [SnakeCase]
	// and [CamelCase]. nil: the Go name.
	Naming func(goName string) string
	// Types give single types, or all types that implement an interface, forms of
	// their own: see [ExtType], [Override], [Union] and [Implements]. ExtType,
	// Override and Union cannot register the same type twice. All other types cost
	// nothing.
	Types []TypeCoder
	// IgnoreForeignHooks encodes and decodes types that have hand-written methods
	// of other libraries, named EncodeMsgpack, CodecEncodeSelf, DecodeMsgpack or
	// CodecDecodeSelf, as if they did not have them. By default such a type is
	// [ErrUnsupported] in the direction of the method, unless it has methods of
	// this package for that direction, or Types covers it. Methods that
	// tinylib/msgp generates are ignored in any case.
	IgnoreForeignHooks bool
}

// A TimeForm says how a time.Time is written.
type TimeForm uint8

// The forms of times. The integers count from 1970 and are rounded down; a time
// that does not fit 64 bits is [ErrRange].
const (
	TimeExt       TimeForm = iota // timestamp, ext -1: nanoseconds, all years
	TimeRFC3339                   // str, with nanoseconds and zone, as in "2006-01-02T15:04:05.999999999Z"
	TimeUnix                      // int: seconds
	TimeUnixMilli                 // int: milliseconds
	TimeUnixMicro                 // int: microseconds
	TimeUnixNano                  // int: nanoseconds
)

// An AnyMap says what maps become in a variable of type any.
type AnyMap uint8

const (
	AnyMapAuto  AnyMap = iota // map[string]any, or map[any]any where a key is not a str
	AnyMapAny                 // map[any]any
	AnyMapPairs               // [Pairs], in the order of the input, with any keys
)

// An AnyNumber says what numbers become in a variable of type any.
type AnyNumber uint8

const (
	AnyNumberWide   AnyNumber = iota // int64, uint64 above its range, float64
	AnyNumberFormat                  // by format: int8 for a fixint, uint8 to int64, float32, float64
	AnyNumberRaw                     // [Number], as written
)

// maxMaxDepth returns the upper end of [Config.MaxDepth]. It limits the stack of
// the deepest value to a few megabytes. WebAssembly runs Go's calls on the stack
// of its host, which is about one megabyte: under Node.js, 10,000 levels of the
// most expensive types exhaust it.
func maxMaxDepth() int {
	if runtime.GOARCH == "wasm" {
		return 1000
	}
	return 10_000
}

// options is a Config that has been checked, in the form the plans need.
type options struct {
	Config
	depth int
	tags  typeplan.Config
	guard guard
	features
	custom
}

// features are what a Config asks for and few programs need. Only
// [Config.options] refers to these functions, so that a program without a Config
// is linked without them. Each is nil if the Config does not ask for it.
type features struct {
	checkInput  func(g *guard, op string, data []byte, depth int) (end int, err error)
	checkOutput func(g *guard, b []byte) error
	time        func(k *compiler) codec
	number      func(k *compiler, t reflect.Type, o putOp) encodeFunc
	any         func(d *decoder, h wire.Header) (v any, chosen bool, err error)
	sortMap     func(m *mapCodec, dst []byte, p mem.Ptr, depth int) ([]byte, error)
	sort        func(s *sorter, dst []byte, start int, found string) error
	unique      func() (isNew func(key []byte) bool)
}

// chooseFeatures sets the features that the Config asks for.
func (o *options) chooseFeatures() {
	if o.guard.on {
		o.checkInput, o.checkOutput = (*guard).check, (*guard).encoded
	}
	if o.Time != TimeExt || o.Zone != nil {
		o.time = (*compiler).makeTimeCodec
	}
	if o.TypedInts || o.NarrowFloats {
		o.number = (*compiler).makeWideEncoder
	}
	if o.AnyMap != AnyMapAuto || o.AnyNumber != AnyNumberWide || o.AnyStringKeys || o.AliasInput || o.Zone != nil {
		o.any = (*decoder).chosenAny
	}
	if o.SortKeys {
		o.sortMap, o.sort = (*mapCodec).encodeSorted, (*sorter).sort
	}
	if o.RejectDuplicates {
		o.unique = newUnique
	}
}

// defaultOptions are the options of the zero Config.
var defaultOptions = options{depth: MaxDepth, tags: tags}

// options checks c.
func (c Config) options() (options, error) {
	o := defaultOptions
	o.Config = c
	refuse := func(format string, a ...any) (options, error) {
		return options{}, fmt.Errorf("msgpack: Config."+format, a...)
	}
	if c.MaxDepth < 0 || c.MaxDepth > maxMaxDepth() {
		return refuse("MaxDepth is %d, want 0 to %d", c.MaxDepth, maxMaxDepth())
	}
	if c.MaxDepth > 0 {
		o.depth = c.MaxDepth
	}
	for _, l := range []struct {
		name  string
		value int
	}{{"MaxElements", c.MaxElements}, {"MaxBytes", c.MaxBytes}, {"MaxTotal", c.MaxTotal}} {
		if l.value < 0 {
			return refuse("%s is negative: %d", l.name, l.value)
		}
	}
	switch {
	case c.Time > TimeUnixNano:
		return refuse("Time is %d, not a valid TimeForm", c.Time)
	case c.AnyMap > AnyMapPairs:
		return refuse("AnyMap is %d, not a valid AnyMap", c.AnyMap)
	case c.AnyNumber > AnyNumberRaw:
		return refuse("AnyNumber is %d, not a valid AnyNumber", c.AnyNumber)
	case c.Canonical && c.TypedInts:
		return refuse("TypedInts conflicts with Canonical")
	case c.Canonical && c.AllowTrailing:
		return refuse("AllowTrailing conflicts with Canonical")
	}
	if c.Canonical {
		o.SortKeys, o.NarrowFloats = true, true
	}
	if len(c.TagKeys) > 0 {
		o.TagKeys = slices.Clone(c.TagKeys)
		o.tags.Keys, o.tags.Foreign = o.TagKeys, nil
		for i, key := range o.TagKeys {
			if key == "" || slices.Contains(o.TagKeys[:i], key) {
				return refuse("TagKeys has an empty or repeated key: %q", c.TagKeys)
			}
			if key != tagKey {
				o.tags.Foreign = append(o.tags.Foreign, key)
			}
		}
	}
	o.tags.Naming = c.Naming
	o.guard = c.guard()
	o.chooseFeatures()
	if err := c.customOptions(&o); err != nil {
		return options{}, err
	}
	return o, nil
}

// customForms reports whether values that need no plan are written in forms other
// than the default ones.
func (o *options) customForms() bool {
	return o.TypedInts || o.NarrowFloats || o.SortKeys || o.NilSliceAsEmpty || o.NilMapAsEmpty
}
