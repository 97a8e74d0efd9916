package arrays

import (
	"io"
	"reflect"

	"github.com/octet-go/octet/array"
)

// A Kind is the type of the elements of an array.
type Kind interface {
	// Name returns the name of the type in Go.
	Name() string

	open(in *Input, r io.Reader) (any, error)   // a stream[T]
	texts(stream any) func() ([]string, error)  // the elements of a stream, exactly
	convert(texts func() ([]string, error)) any // a stream[T] of the elements with these texts
	write(w io.Writer, in *Input, o Output) error
	spool(w io.Writer, in *Input) error
	stats(o *Statistics, open func() (*Input, error), bins int) error
	diff(a, b *Input, d *Difference) error
}

// A kind implements Kind for one type.
type kind[T array.Element] struct {
	name string
	element[T]
}

func (k *kind[T]) Name() string { return k.name }

// kinds lists the types in the order of the documentation.
var kinds = []struct {
	reflect.Kind
	of Kind
}{
	{reflect.Bool, &kind[bool]{"bool", bools()}},
	{reflect.Int8, &kind[int8]{"int8", signed[int8](8)}},
	{reflect.Int16, &kind[int16]{"int16", signed[int16](16)}},
	{reflect.Int32, &kind[int32]{"int32", signed[int32](32)}},
	{reflect.Int64, &kind[int64]{"int64", signed[int64](64)}},
	{reflect.Uint8, &kind[uint8]{"uint8", unsigned[uint8](8)}},
	{reflect.Uint16, &kind[uint16]{"uint16", unsigned[uint16](16)}},
	{reflect.Uint32, &kind[uint32]{"uint32", unsigned[uint32](32)}},
	{reflect.Uint64, &kind[uint64]{"uint64", unsigned[uint64](64)}},
	{reflect.Float32, &kind[float32]{"float32", float32s()}},
	{reflect.Float64, &kind[float64]{"float64", float64s()}},
	{reflect.Complex64, &kind[complex64]{"complex64", complexes[complex64](64)}},
	{reflect.Complex128, &kind[complex128]{"complex128", complexes[complex128](128)}},
}

// Names returns the names of all types.
func Names() []string {
	list := make([]string, len(kinds))
	for i, k := range kinds {
		list[i] = k.of.Name()
	}
	return list
}

// Named returns the type with this name, or nil.
func Named(name string) Kind {
	for _, k := range kinds {
		if k.of.Name() == name {
			return k.of
		}
	}
	return nil
}

func kindOf(of reflect.Kind) Kind {
	for _, k := range kinds {
		if k.Kind == of {
			return k.of
		}
	}
	return nil
}
