// Package diff compares streams of MessagePack values.
//
// Values are compared as values: formats, the width of floats and the order of
// keys do not matter. Elements that were inserted into an array or a stream, or
// removed from it, are found within a window of [Window] elements, so that the
// elements after them are not reported as changed.
//
// Memory holds the window of both streams: [Window] values of each, but not more
// than [WindowBytes] if there is more than one. A value takes up to 50 times its
// length.
package diff

// Window is the number of elements in which insertions and removals are found.
const Window = 64

// WindowBytes limits the values of a window.
const WindowBytes = 16 << 20

// An Op is a kind of difference.
type Op string

// The kinds of differences.
const (
	Change Op = "change" // a value is another
	Remove Op = "remove" // a value is only in the first input
	Add    Op = "add"    // a value is only in the second input
	Format Op = "format" // equal values have different bytes
	Order  Op = "order"  // the keys of equal maps are in another order
)

// A Difference is one difference.
type Difference struct {
	Op    Op
	Value [2]int64  // numbers of the top-level values, from 0; -1 if there is none
	Path  [2]string // in the top-level values
	Data  [2][]byte // the encoded values, in the shortest formats; for Format, with their own
}
