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

// newFile maps the file.
func newFile[T Element](s *store) *File[T] {
	s.swapped = s.e.unit > 1 && s.big() != nativeBig
	s.large = aheadSize
	f := &File[T]{s: s}
	f.remap(s.end(), false)
	return f
}

// remap maps the file up to need and updates the view.
func (f *File[T]) remap(need int64, grows bool) {
	f.s.remap(need, grows)
	f.look()
}

// look updates the view to the current mapping and length.
func (f *File[T]) look() {
	f.view = nil
	b := f.s.elements()
	// A byte of a file may be neither 0 nor 1, but Go requires one of them in a
	// bool.
	if len(b) == 0 || f.s.swapped || f.s.e.kind == boolKind || !mem.IsAligned[T](mem.Bytes(b)) {
		return
	}
	f.view = mem.SliceOf[T](b)
}

// Info returns the description of the array. Info.Len and Info.Shape are current.
func (f *File[T]) Info() Info {
	i := f.known().Info
	i.Shape = slices.Clone(i.Shape)
	i.Format.order = i.Order
	return i
}

// Len returns the number of elements.
func (f *File[T]) Len() int { return f.known().Len }

// Index returns the index in the file of the element at the given coordinates,
// in C order and in Fortran order. It panics if the number of coordinates is not
// that of the dimensions, or if one is out of range.
func (f *File[T]) Index(at ...int) int {
	s := f.known()
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
	s.mustBeOpen()
	if uint(i) >= uint(s.Len) {
		panic(fmt.Sprintf("array: index out of range [%d] with length %d", i, s.Len))
	}
	if b := s.elements(); b != nil {
		return load[T](b[i*s.e.size:], s.e, s.swapped)
	}
	one := []T{0: v}
	if _, err := s.read(mem.SliceBytes(one), s.at(i)); err != nil {
		panic(s.failure("read", err))
	}
	return one[0]
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
	return f.noSlice()
}

// noSlice returns the result of Slice if there is no view.
func (f *File[T]) noSlice() ([]T, error) {
	s := f.store()
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
			return []T{}, nil
		default:
			err = fault(-1, ErrNoSlice, "the elements at offset %d are not aligned", s.Offset)
		}
	}
	return nil, wrap("slice", s.path, err)
}
