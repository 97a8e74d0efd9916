package array

import (
	"fmt"
	"slices"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/mem"
)

// A File is an open array of elements of type T in a file. [Open] and [Create] return
// one. The methods of the zero File return an error or panic.
//
// Several goroutines may call the methods that read at the same time. Append,
// Grow, WriteAt, Sync and Close need exclusive access. One File at a time can
// write a file; see [Open].
type File[T Element] struct {
	s    *store
	view []T // the mapped elements, if Slice can return them
}

// store returns the store, or for the zero File one whose methods return an error.
func (f *File[T]) store() *store {
	if f.s == nil {
		return &zeroStore
	}
	return f.s
}

// known returns the store for a method that needs its description, also after Close.
func (f *File[T]) known() *store {
	if f.s == nil {
		zeroStore.mustBeOpen()
	}
	return f.s
}

// newFile returns the File of a store, or nil if there is an error.
func newFile[T Element](s *store, err error) (*File[T], error) {
	if err != nil {
		return nil, err
	}
	f := &File[T]{s: s}
	f.look()
	return f, nil
}

// look updates the view to the current mapping and length.
func (f *File[T]) look() {
	f.view = nil
	if b := f.s.viewable(); len(b) > 0 && mem.IsAligned[T](mem.Bytes(b)) {
		f.view = mem.SliceOf[T](b)
	}
}

// viewable returns the mapped memory of the elements, if Go can use it as it is.
func (s *store) viewable() []byte {
	// A byte of a file may be neither 0 nor 1, but Go requires one of them in a
	// bool.
	if s.swapped || s.e.kind == boolKind {
		return nil
	}
	return s.elements()
}

// Info returns the description of the array. Info.Len and Info.Shape are current.
func (f *File[T]) Info() Info {
	return f.known().describe()
}

func (s *store) describe() Info {
	i := s.Info
	i.Shape = slices.Clone(i.Shape)
	i.Format.order = i.Order
	return i
}

// Len returns the number of elements.
func (f *File[T]) Len() int { return f.known().Len }

// Index returns the index in the file of the element at the given coordinates,
// in C order and in Fortran order. It panics if the number of coordinates is not
// that of the dimensions, or if one is out of range.
func (f *File[T]) Index(at ...int) int { return f.known().index(at) }

func (s *store) index(at []int) int {
	shape := s.Shape
	if len(at) != len(shape) {
		panic(fmt.Sprintf("array: %d coordinates for shape %s", len(at), shapeText(shape)))
	}
	index := 0
	for k := range shape {
		if s.Fortran {
			k = len(shape) - 1 - k
		}
		if uint(at[k]) >= uint(shape[k]) {
			panic(fmt.Sprintf("array: coordinate %d is outside of shape %s", at[k], shapeText(shape)))
		}
		index = index*shape[k] + at[k]
	}
	return index
}

// At returns element i. Like an index of a slice, it panics if i is out of
// range. It also panics after Close and if the element cannot be read; see
// [File.Guard].
func (f *File[T]) At(i int) T {
	if uint(i) < uint(len(f.view)) {
		return f.view[i]
	}
	return f.at(i)
}

// at reads an element of a file that is not mapped or that has another order.
func (f *File[T]) at(i int) (v T) {
	s := f.store()
	if b := s.mapped(i); b != nil {
		return load[T](b, s.e, s.swapped)
	}
	one := []T{0: v}
	s.mustRead(mem.SliceBytes(one), i)
	return one[0]
}

// mapped returns the mapped memory from element i on, or nil. It panics if there is no
// element i.
func (s *store) mapped(i int) []byte {
	s.mustBeOpen()
	if uint(i) >= uint(s.Len) {
		panic(fmt.Sprintf("array: index out of range [%d] with length %d", i, s.Len))
	}
	b := s.elements()
	if b == nil {
		return nil
	}
	return b[i*s.e.size:]
}

// mustRead fills b with elements from index i on.
func (s *store) mustRead(b []byte, i int) {
	if _, err := s.read(b, s.at(i)); err != nil {
		panic(s.failure("read", err))
	}
}

// Slice returns the mapped memory of the elements. A store to it changes the
// file. The error is [ErrNoSlice] if the file is not mapped, if its byte order is not
// that of the machine, if the elements are not aligned, or if T is a bool; use
// ReadAt, WriteAt and Chunks in these cases. After Close it is [ErrClosed].
//
// The slice is valid until Close, even if the file grows. An access after Close,
// a store if the file was opened with ReadOnly, and an access to a part of the
// file that another process has cut off end the program; see [File.Guard].
func (f *File[T]) Slice() ([]T, error) {
	if f.view != nil {
		return f.view, nil
	}
	if err := f.store().noSlice(); err != nil {
		return nil, err
	}
	return []T{}, nil
}

// noSlice returns the error of Slice if there is no view. It is nil for an empty array.
func (s *store) noSlice() error {
	err := s.open()
	if err == nil {
		switch {
		case s.swapped:
			err = fault(-1, ErrNoSlice, "the file is %s, the machine is not", orderName(s.Order))
		case s.e.kind == boolKind:
			err = fault(-1, ErrNoSlice, "a byte of the file may be no Go bool")
		case !disk.CanMap || s.noMap:
			err = fault(-1, ErrNoSlice, "the file is not mapped")
		case s.Len == 0:
			return nil
		default:
			err = fault(-1, ErrNoSlice, "the elements at offset %d are not aligned", s.Offset)
		}
	}
	return wrap("slice", s.path, err)
}
