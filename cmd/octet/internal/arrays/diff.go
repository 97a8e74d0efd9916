package arrays

import (
	"fmt"
	"io"
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
	if err := d.compare(a, b); err != nil {
		return err
	}
	if d.What == "" && a.Info.Shape != nil && b.Info.Shape != nil && !slices.Equal(a.Info.Shape, b.Info.Shape) {
		d.What = fmt.Sprintf("the shapes differ: %v and %v", a.Info.Shape, b.Info.Shape)
	}
	return nil
}

func (d *Difference) compare(a, b *Input) error {
	var left, right part
	var errA, errB error
	for i, j := 0, 0; ; {
		if (left == nil || i == left.len()) && errA == nil {
			left, errA = a.stream()
			i = 0
		}
		if (right == nil || j == right.len()) && errB == nil {
			right, errB = b.stream()
			j = 0
		}
		switch {
		case errA != nil && errA != io.EOF:
			d.Failed = a
			return errA
		case errB != nil && errB != io.EOF:
			d.Failed = b
			return errB
		}
		n, more := left.len()-i, right.len()-j
		if n == 0 || more == 0 {
			if n != more || (errA == nil) != (errB == nil) {
				d.What = "the lengths differ"
			}
			return nil
		}
		n = min(n, more)
		for end := i + n; i < end; {
			same := left.equal(i, right, j, end-i)
			i, j, d.Compared = i+same, j+same, d.Compared+int64(same)
			if i < end {
				d.report(a, left, right, i, j)
				i, j, d.Compared = i+1, j+1, d.Compared+1
			}
		}
	}
}

// report reports element i of left and j of right.
func (d *Difference) report(in *Input, left, right part, i, j int) {
	distance := left.distance(i, right, j)
	if distance <= d.Tolerance {
		return
	}
	d.Largest = max(d.Largest, distance)
	if d.Count++; d.Limit < 0 || d.Count <= d.Limit {
		d.Report(coordinates(d.Compared, in.Info.Shape), string(left.text(nil, i)), string(right.text(nil, j)))
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
