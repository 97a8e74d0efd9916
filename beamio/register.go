package beamio

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/funcx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/coder"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/reflectx"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/octet-go/octet/msgpack"
)

// Register makes MessagePack the coder of T, so that values of T pass between workers in
// that form, and does what [RegisterFiles] does. T is a named type that package msgpack
// encodes. Equal values have equal bytes, because the keys of maps are sorted: T can be
// the key of a GroupByKey, a CoGroupByKey, or of state. A nil map or slice and an empty
// one are different keys.
//
// Structs are arrays of their fields, without the names, because both ends are the same
// program. They are maps if T contains an interface, whose structs would lose their
// names, an inline map, an embedded pointer, or a struct with integer keys (the tag
// option keyasint). Both forms are decoded.
//
// The array form has no place for a field that was removed or moved. If a streaming
// pipeline is updated while it runs, values of the old program are decoded by the new
// one: use integer keys or [RegisterMap] for types that change.
//
// Register must be called before [beam.Init], and by every worker, like all
// registrations of Beam: in main before beam.Init, or in a func init. It panics if T
// cannot be encoded, because this is an error of the program.
func Register[T any]() { registerType[T](fitsArray(reflect.TypeFor[T]())) }

// RegisterMap is [Register] with structs as maps from the names of their fields to the
// values. They are larger: docs/beam.md has measurements. Fields can be added, removed
// and moved while values of an older program are waiting. It is smaller than the array
// form if most fields of a type are usually left out, by the tag option omitempty.
func RegisterMap[T any]() { registerType[T](false) }

// registerType makes all registrations for T.
func registerType[T any](asArray bool) {
	t := reflect.TypeFor[T]()
	if _, ok := runtime.TypeKey(t); !ok {
		panic(fmt.Sprintf("beamio: Register[%v]: not a named type", t))
	}
	if t.Kind() == reflect.Interface {
		panic(fmt.Sprintf("beamio: Register[%v]: an interface type", t))
	}
	registerCoder[T](asArray)
	RegisterFiles[T]()
}

// registerCoder makes MessagePack the coder of a named type.
func registerCoder[T any](asArray bool) {
	t := reflect.TypeFor[T]()
	codec, err := msgpack.New(msgpack.Options{SortKeys: true, StructAsArray: asArray})
	if err != nil {
		panic("beamio: " + err.Error())
	}
	typed, err := msgpack.For[T](codec)
	if err == nil {
		// Other errors are about the value.
		if _, e := typed.Append(nil, new(T)); errors.Is(e, msgpack.ErrUnsupported) {
			err = e
		}
	}
	if err != nil {
		panic(fmt.Sprintf("beamio: Register[%v]: %v", t, err))
	}
	encode := func(v T) ([]byte, error) { return typed.Append(nil, &v) }
	decode := func(data []byte) (v T, err error) {
		err = typed.Unmarshal(data, &v)
		return v, err
	}
	runtime.RegisterType(t)
	// The names of functions inside generic ones are the same for all types, so Beam cannot
	// find them by those on other workers.
	key, _ := runtime.TypeKey(t)
	e := &encoder[T]{encode, "github.com/octet-go/octet/beamio.encode[" + key + "]"}
	d := &decoder[T]{decode, "github.com/octet-go/octet/beamio.decode[" + key + "]"}
	runtime.RegisterFunctionWithName(e.name, encode)
	runtime.RegisterFunctionWithName(d.name, decode)
	reflectx.RegisterFunc(e.Type(), func(f any) reflectx.Func { return &encoder[T]{f.(func(T) ([]byte, error)), e.name} })
	reflectx.RegisterFunc(d.Type(), func(f any) reflectx.Func { return &decoder[T]{f.(func([]byte) (T, error)), d.name} })
	coder.RegisterDeterministicCoderWithFuncs(t, analyzed(e), analyzed(d))
}

// analyzed returns what Beam knows of a function.
func analyzed(f reflectx.Func) *funcx.Fn {
	fn, err := funcx.New(f)
	if err != nil {
		panic("beamio: " + err.Error()) // the signature is one that Beam takes
	}
	return fn
}

// An encoder calls a function without reflection.
type encoder[T any] struct {
	f    func(T) ([]byte, error)
	name string
}

func (e *encoder[T]) Name() string       { return e.name }
func (e *encoder[T]) Type() reflect.Type { return reflect.TypeOf(e.f) }

func (e *encoder[T]) Call(args []any) []any {
	b, err := e.f(args[0].(T))
	return []any{b, err}
}

func (e *encoder[T]) Call1x2(v any) (any, any) {
	b, err := e.f(v.(T))
	return b, err
}

// A decoder does the same.
type decoder[T any] struct {
	f    func([]byte) (T, error)
	name string
}

func (d *decoder[T]) Name() string       { return d.name }
func (d *decoder[T]) Type() reflect.Type { return reflect.TypeOf(d.f) }

func (d *decoder[T]) Call(args []any) []any {
	v, err := d.f(args[0].([]byte))
	return []any{v, err}
}

func (d *decoder[T]) Call1x2(data any) (any, any) {
	v, err := d.f(data.([]byte))
	return v, err
}

// RegisterFiles is needed for [Read] and [Write] with elements of type T that keep the
// coder that Beam has for them, such as strings, or structs that programs in other
// languages read as rows. [Register] includes it. The rules of Register apply.
func RegisterFiles[T any]() {
	registerDoFn(&readFn[T]{})
	register.Emitter1[T]()

	registerCoder[part](true)
	registerDoFn(&matchFn{})
	registerDoFn(&divideFn{})
	register.Emitter1[part]()
	registerWriteFn()
	registerDoFn(&shardsFn{})
	registerDoFn(&joinFn{})
	registerDoFn(&cleanFn{})
	register.Emitter2[int, string]()
	register.Emitter1[string]()
	register.Iter1[string]()
}

// registerDoFn registers the type of a DoFn.
func registerDoFn(fn any) { runtime.RegisterType(reflect.TypeOf(fn).Elem()) }

// registerWriteFn also gives Beam a way to call the method for each element without
// reflection. Package register does this for all DoFns, but takes the compiler minutes
// and gigabytes.
func registerWriteFn() {
	if registered(&writeFn{}) {
		return
	}
	registerDoFn(&writeFn{})
	reflectx.RegisterStructWrapper(reflect.TypeFor[writeFn](), func(fn any) map[string]reflectx.Func {
		return map[string]reflectx.Func{"ProcessElement": &elementCaller{fn.(*writeFn).ProcessElement}}
	})
}

// An elementCaller calls the method ProcessElement of writeFn.
type elementCaller struct {
	f func(context.Context, beam.X, func(int, string)) error
}

func (c *elementCaller) Name() string       { return reflectx.FunctionName(c.f) }
func (c *elementCaller) Type() reflect.Type { return reflect.TypeOf(c.f) }

func (c *elementCaller) Call(args []any) []any {
	return []any{c.Call3x1(args[0], args[1], args[2])}
}

func (c *elementCaller) Call3x1(ctx, v, emit any) any {
	return c.f(ctx.(context.Context), v, emit.(func(int, string)))
}

// registered reports whether RegisterFiles was called for the type of the DoFn fn.
func registered(fn any) bool {
	key, _ := runtime.TypeKey(reflect.TypeOf(fn).Elem())
	_, ok := runtime.LookupType(key)
	return ok
}
