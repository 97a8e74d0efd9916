package arrays

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// A Difference describes how two arrays differ.
type Difference struct {
	Limit     int64                       // how many differences Report gets
	Tolerance float64                     // differences up to this are equal
	Report    func(at []int, a, b string) // called for each difference
	Count     int64                       // elements that differ
	Compared  int64                       // elements compared
	Largest   float64                     // of the differences; NaN if none can be calculated
	Failed    *Input                      // the input that caused an error
	What      string                      // what else differs, such as the type
}

// Compare compares two arrays. Both must be open in C order. NaNs are equal to
// each other.
func Compare(a, b *Input, d *Difference) error {
	switch {
	case a.Kind.Name() != b.Kind.Name():
		d.What = fmt.Sprintf("the types differ: %s and %s", a.Kind.Name(), b.Kind.Name())
		return nil
	case a.Info.Shape != nil && b.Info.Shape != nil && !slices.Equal(a.Info.Shape, b.Info.Shape):
		d.What = fmt.Sprintf("the shapes differ: %v and %v", a.Info.Shape, b.Info.Shape)
		return nil
	}
	if err := a.Kind.diff(a, b, d); err != nil {
		return err
	}
	if d.What == "" && a.Info.Shape != nil && b.Info.Shape != nil && !slices.Equal(a.Info.Shape, b.Info.Shape) {
		d.What = fmt.Sprintf("the shapes differ: %v and %v", a.Info.Shape, b.Info.Shape)
	}
	return nil
}

func (k *kind[T]) diff(a, b *Input, d *Difference) error {
	next, other := a.stream.(stream[T]), b.stream.(stream[T])
	var left, right []T
	var errA, errB error
	for {
		if len(left) == 0 && errA == nil {
			left, errA = next()
		}
		if len(right) == 0 && errB == nil {
			right, errB = other()
		}
		switch {
		case errA != nil && errA != io.EOF:
			d.Failed = a
			return errA
		case errB != nil && errB != io.EOF:
			d.Failed = b
			return errB
		}
		if len(left) == 0 || len(right) == 0 {
			if len(left) != len(right) || (errA == nil) != (errB == nil) {
				d.What = "the lengths differ"
			}
			return nil
		}
		n := min(len(left), len(right))
		for i := range n {
			if v, w := left[i], right[i]; v != w && (v == v || w == w) {
				k.report(a, d, v, w, d.Compared+int64(i))
			}
		}
		d.Compared += int64(n)
		left, right = left[n:], right[n:]
	}
}

func (k *kind[T]) report(in *Input, d *Difference, v, w T, i int64) {
	if k.float != nil {
		distance := math.Abs(k.float(v) - k.float(w))
		// Without a tolerance, large integers must not differ only by rounding.
		if d.Tolerance > 0 && distance <= d.Tolerance {
			return
		}
		d.Largest = max(d.Largest, distance)
	}
	if d.Count++; d.Limit < 0 || d.Count <= d.Limit {
		d.Report(coordinates(i, in.Info.Shape), string(k.text(nil, v)), string(k.text(nil, w)))
	}
}

// coordinates returns where element i is in an array of the shape.
func coordinates(i int64, shape []int) []int {
	if len(shape) < 2 {
		return []int{int(i)}
	}
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d] = int(i % int64(shape[d]))
		i /= int64(shape[d])
	}
	return at
}
