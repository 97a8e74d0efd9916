package msgpack

import (
	"reflect"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// An atomicType encodes a type of package sync/atomic by Load and decodes it by
// Store, in the form of the loaded value. The variable must not be read in any other
// way, because other goroutines may store to it.
type atomicType struct {
	value  reflect.Type            // of the result of Load
	codec  func(value codec) codec // from the codec of that
	isZero func(p mem.Ptr) bool
}

// atomicTypes holds the supported types. atomic.Uintptr is unsupported, like uintptr.
var atomicTypes = map[reflect.Type]atomicType{
	reflect.TypeFor[atomic.Int32]():  makeAtomicType[atomic.Int32, int32](),
	reflect.TypeFor[atomic.Int64]():  makeAtomicType[atomic.Int64, int64](),
	reflect.TypeFor[atomic.Uint32](): makeAtomicType[atomic.Uint32, uint32](),
	reflect.TypeFor[atomic.Uint64](): makeAtomicType[atomic.Uint64, uint64](),
	reflect.TypeFor[atomic.Bool]():   makeAtomicType[atomic.Bool, bool](),
}

func makeAtomicType[A any, V comparable, P interface {
	*A
	Load() V
	Store(V)
}]() atomicType {
	return atomicType{
		value: reflect.TypeFor[V](),
		codec: func(value codec) codec {
			return codec{
				func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
					v := P(mem.At[A](p)).Load()
					return value.encode(dst, mem.Hide(mem.PtrTo(&v)), depth)
				},
				func(d *decoder, p mem.Ptr) error {
					var v V
					err := value.decode(d, mem.Hide(mem.PtrTo(&v)))
					if err == nil {
						P(mem.At[A](p)).Store(v)
					}
					return err
				},
			}
		},
		isZero: func(p mem.Ptr) bool { return P(mem.At[A](p)).Load() == *new(V) },
	}
}
