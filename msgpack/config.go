package msgpack

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
)

// A Config says how a [Codec] encodes and decodes, where there is a choice. The
// zero value is what the functions of the package do: the shortest formats of
// the specification, and nothing lost.
//
// Most fields cost nothing, since they choose what is compiled for a type. The
// others say what they cost.
type Config struct {
	// StructAsArray writes structs as arrays of their fields instead of maps.
	// Both forms are read always. A single type or field is written so by the
	// tag option as_array.
	StructAsArray bool
	// ExactArrays refuses arrays that have more or fewer elements than the
	// struct they are decoded into has fields: [ErrLength]. By default missing
	// elements leave their fields alone and surplus ones are passed over.
	ExactArrays bool
	// TagKeys are the keys of struct tags, in order: the first that a field has
	// counts. No key may be there twice. The default is "msgpack" alone. Options that are not ours are
	// ignored, except under the key "msgpack", where they are errors.
	TagKeys []string
	// Naming makes names of fields that have none in their tag, such as
	// [SnakeCase] and [CamelCase]. nil: the Go name.
	Naming func(goName string) string
	// OmitEmpty and OmitZero give all fields the tag option of that name.
	OmitEmpty, OmitZero bool

	// RejectUnknown refuses map keys that have no field in the struct that they
	// are decoded into: [ErrUnknownField]. By default their values are passed
	// over. Where a struct has an inline map, that takes them.
	RejectUnknown bool
	// RejectDuplicates refuses maps in which a key occurs twice: [ErrDuplicateKey].
	// By default the last value counts. Integers are equal whatever their
	// format, floats if their bits are, and str and bin if their bytes are.
	// It costs a pass over the input, in which each key is hashed, and memory for
	// the keys of the maps that are open: see SECURITY.md.
	RejectDuplicates bool
	// RejectInvalidUTF8 refuses any str, read or written, that is not UTF-8:
	// [ErrUTF8]. By default bytes are kept as they are. It costs a pass over the
	// message.
	RejectInvalidUTF8 bool
	// AllowTrailing lets bytes follow the value that is decoded, which are
	// ignored. By default they are [ErrTrailing].
	AllowTrailing bool

	// MaxDepth is how deep containers may be nested, from 1 to 10000, or
	// to 1000 on WebAssembly; each level takes some stack. 0, the default, is
	// [MaxDepth].
	MaxDepth int
	// MaxElements bounds the elements of one array and the pairs of one map,
	// MaxBytes the length of one str, bin or ext, and MaxTotal that of a whole
	// message, read or written, all from 1 on: more is [ErrLimit]. 0, the
	// default, is no limit; memory is in proportion to the input in any case.
	// MaxElements and MaxBytes cost a pass over the message.
	MaxElements, MaxBytes, MaxTotal int

	// SortKeys writes the entries of maps in order of their keys: numbers,
	// then strings and all else by their bytes, so that equal maps are
	// equal bytes. It costs the sorting, and reflection where maps are
	// otherwise iterated without.
	SortKeys bool
	// Canonical makes equal values equal bytes: keys are sorted as by SortKeys,
	// fields of structs as well, floats are float 32 where that is exact, and a
	// NaN is the one with bits 7fc00000. What Raw holds and what methods return
	// stays as it is. It costs what SortKeys and NarrowFloats do, and goes neither
	// with TypedInts nor with AllowTrailing.
	Canonical bool

	// TypedInts writes integers in the width of their Go type, int and uint in
	// 64 bits, signed ones in signed formats. By default the shortest format is
	// taken. It costs a call for each integer.
	TypedInts bool
	// NarrowFloats writes float64 values as float 32 where that is exact. It
	// costs a call for each.
	NarrowFloats bool
	// NilSliceAsEmpty and NilMapAsEmpty write an empty array, bin or map where
	// nil is written by default.
	NilSliceAsEmpty, NilMapAsEmpty bool
	// BytesAsStr writes byte slices and arrays as str instead of bin. Both are
	// read always.
	BytesAsStr bool
	// ComplexExt, if not 0, is the type of the ext that complex numbers are
	// written as: real and imaginary part, big-endian, in 8 or 16 bytes. It may be
	// any but -1, that of timestamps. By default complex numbers are arrays of two
	// floats, which are read always.
	ComplexExt int8

	// Time is how times are written. Timestamps are read always, and what is
	// chosen here besides. Default: [TimeExt].
	Time TimeForm
	// Zone is the location of decoded times. nil: UTC. In variables of type any it
	// costs what AnyMap does.
	Zone *time.Location

	// AliasInput lets decoded strings, byte slices and Raw share the memory of
	// the input, which must not change as long as any of them is in use. From
	// a stream everything is copied all the same: each value once, as a whole.
	// It saves copies, but in variables of type any it costs what AnyMap does.
	AliasInput bool
	// AnyMap is what maps become in a variable of type any. Default: [AnyMapAuto].
	// Another choice costs the fast loops for maps and slices of any.
	AnyMap AnyMap
	// AnyNumber is what numbers become in a variable of type any. Default:
	// [AnyNumberWide]. Another choice costs what AnyMap does.
	AnyNumber AnyNumber

	// Ext are the types of ext that have Go types, see [ExtType]; no id and no
	// type may be there twice. An ext without one becomes an [Ext] in a variable
	// of type any. Values of all other types cost nothing.
	Ext []ExtCoder
	// Unions are the interface types of which the variants are known, see
	// [Union]. Others can be encoded, but only be decoded into the pointer that
	// they hold.
	Unions []UnionCoder
	// Overrides are forms of types that have no methods, or not the wanted ones,
	// see [Override]. No type may be there or in Ext or Unions twice.
	Overrides []TypeOverride
	// TextAsBin writes what MarshalText and AppendText return as bin, as
	// vmihailenco/msgpack does, and not as str. Both are read always.
	TextAsBin bool
}

// A TimeForm says how a time.Time is written.
type TimeForm uint8

// The forms of times. Those of units are integers since 1970 and cut off
// what is finer; a time that does not fit 64 bits is [ErrRange].
const (
	TimeExt       TimeForm = iota // timestamp, ext -1: nanoseconds, all years
	TimeRFC3339                   // str, with nanoseconds and zone, as in "2006-01-02T15:04:05.999999999Z"
	TimeUnix                      // int: seconds
	TimeUnixMilli                 // int: milliseconds
	TimeUnixMicro                 // int: microseconds
	TimeUnixNano                  // int: nanoseconds
)

// An AnyMap says what a map becomes that is decoded into any.
type AnyMap uint8

const (
	AnyMapAuto  AnyMap = iota // map[string]any, or map[any]any where a key is not a str
	AnyMapAny                 // map[any]any
	AnyMapPairs               // [Pairs], in the order of the input, with any keys
)

// An AnyNumber says what a number becomes that is decoded into any.
type AnyNumber uint8

const (
	AnyNumberWide   AnyNumber = iota // int64, uint64 above its range, float64
	AnyNumberFormat                  // by format: int8 for a fixint, uint8 to int64, float32, float64
	AnyNumberRaw                     // [Number], as written
)

// maxMaxDepth returns the upper end of [Config.MaxDepth]. It keeps the stack that
// the deepest value takes to a few megabytes. WebAssembly runs Go's calls on the
// stack of its host, which is about one megabyte: under Node.js, 10,000 levels of
// the most expensive types exhaust it.
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

// features are what a Config asks for and few programs need. Nothing but
// [Config.options] mentions these functions, so that a program without a Config
// is linked without them. Each is nil where the Config does not ask for it.
type features struct {
	checkInput  func(g *guard, op string, data []byte, depth int) (end int, err error)
	checkOutput func(g *guard, b []byte) error
	time        func(k *compiler) codec
	complex     func(k *compiler, c codec, t reflect.Type) codec
	number      func(k *compiler, t reflect.Type, o putOp) encodeFunc
	any         func(d *decoder) (any, error)
	sortMap     func(m *mapCodec, dst []byte, p mem.Ptr, depth int) ([]byte, error)
	sort        func(s *sorter, dst []byte, start int, found string) error
}

// chooseFeatures sets those that the Config asks for.
func (o *options) chooseFeatures() {
	if o.guard.on {
		o.checkInput, o.checkOutput = (*guard).check, (*guard).encoded
	}
	if o.Time != TimeExt || o.Zone != nil {
		o.time = (*compiler).makeTimeCodec
	}
	if o.ComplexExt != 0 {
		o.complex = (*compiler).makeComplexCodec
	}
	if o.TypedInts || o.NarrowFloats {
		o.number = (*compiler).makeWideEncoder
	}
	if o.AnyMap != AnyMapAuto || o.AnyNumber != AnyNumberWide || o.AliasInput || o.Zone != nil {
		o.any = (*decoder).anyBy
	}
	if o.SortKeys {
		o.sortMap, o.sort = (*mapCodec).encodeSorted, (*sorter).sort
	}
}

// defaultOptions are those of the zero Config.
var defaultOptions = options{depth: MaxDepth, tags: tags}

// options checks c.
func (c Config) options() (options, error) {
	o := defaultOptions
	o.Config = c
	refuse := func(format string, a ...any) (options, error) {
		return options{}, fmt.Errorf("msgpack: Config."+format, a...)
	}
	if c.MaxDepth < 0 || c.MaxDepth > maxMaxDepth() {
		return refuse("MaxDepth is %d, not from 1 to %d", c.MaxDepth, maxMaxDepth())
	}
	if c.MaxDepth > 0 {
		o.depth = c.MaxDepth
	}
	for _, l := range []struct {
		name  string
		value int
	}{{"MaxElements", c.MaxElements}, {"MaxBytes", c.MaxBytes}, {"MaxTotal", c.MaxTotal}} {
		if l.value < 0 {
			return refuse("%s is %d, below 0", l.name, l.value)
		}
	}
	switch {
	case c.Time > TimeUnixNano:
		return refuse("Time is %d, not one of the forms", c.Time)
	case c.AnyMap > AnyMapPairs:
		return refuse("AnyMap is %d, not one of the forms", c.AnyMap)
	case c.AnyNumber > AnyNumberRaw:
		return refuse("AnyNumber is %d, not one of the forms", c.AnyNumber)
	case c.ComplexExt == -1:
		return refuse("ComplexExt is -1, the type of timestamps")
	case c.Canonical && c.TypedInts:
		return refuse("TypedInts goes against Canonical")
	case c.Canonical && c.AllowTrailing:
		return refuse("AllowTrailing goes against Canonical")
	}
	if c.Canonical {
		o.SortKeys, o.NarrowFloats = true, true
	}
	if len(c.TagKeys) > 0 {
		o.TagKeys = slices.Clone(c.TagKeys)
		o.tags.Keys, o.tags.Foreign = o.TagKeys, nil
		for i, key := range o.TagKeys {
			if key == "" || slices.Contains(o.TagKeys[:i], key) {
				return refuse("TagKeys is %q, with an empty key or one twice", c.TagKeys)
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

// customForms reports whether values that need no plan are written in other
// forms than the usual.
func (o *options) customForms() bool {
	return o.TypedInts || o.NarrowFloats || o.SortKeys || o.NilSliceAsEmpty || o.NilMapAsEmpty
}
