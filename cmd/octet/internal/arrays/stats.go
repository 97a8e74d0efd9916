package arrays

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// Statistics describe the elements of an array. NaNs are only counted. Numbers
// are text in the form of the type, so that large integers keep their digits.
type Statistics struct {
	Type      string     `json:"type"`
	Count     int64      `json:"count"`
	NaN       int64      `json:"nan"`
	Min       string     `json:"min,omitempty"`
	Max       string     `json:"max,omitempty"`
	Mean      float64    `json:"-"`
	Deviation float64    `json:"-"` // of the population
	Quantiles []Quantile `json:"quantiles,omitempty"`
	Bins      []Bin      `json:"histogram,omitempty"` // none if all elements are infinite
	infinite  bool       // all elements are
}

// A Quantile is an element of the array such that the given part of the elements
// is not greater: the lowest one.
type Quantile struct {
	Part  float64 `json:"part"`
	Value string  `json:"value"`
	key   uint64
	rank  int64
}

// A Bin counts the elements from Low up to, but not including, High. The last bin
// includes High. Infinite elements are in no bin.
type Bin struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count int64   `json:"count"`
}

// parts are the quantiles that are calculated.
var parts = []float64{0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99}

// digit is the number of bits of a key that one pass over the array decides.
const digit = 16

// ErrChanged is the reason of an error for a file that is not the same each time it is read.
var ErrChanged = errors.New("the file changed while it was read")

// Calculate returns the statistics of an array. It reads the array several times:
// once for each 16 bits of an element. Quantiles are exact. If the array has other
// elements in a later pass, the error is [ErrChanged], as far as the quantiles show it.
func Calculate(open func() (*Input, error), bins int) (*Statistics, error) {
	in, err := open()
	if err != nil {
		return nil, err
	}
	k := in.Kind
	in.Close()
	o := &Statistics{Type: k.Name()}
	return o, o.ofKind(k, open, bins)
}

// Passes returns how often Calculate reads an array.
func Passes(k *Kind) int { return (max(k.bits, digit+1) + digit - 1) / digit }

func (o *Statistics) ofKind(k *Kind, open func() (*Input, error), bins int) error {
	if k.isComplex() {
		return fmt.Errorf("%s has no order, so there are no statistics", k.Name())
	}
	return o.calculate(ordered{
		bits:   k.bits,
		number: func(key uint64) float64 { return k.ofKey(key).float(0) },
		text:   func(key uint64) string { return string(k.ofKey(key).text(nil, 0)) },
		pass: func(do func(keys []uint64, numbers []float64, nan int)) error {
			in, err := open()
			if err != nil {
				return err
			}
			defer in.Close()
			if in.Kind != k {
				return ErrChanged
			}
			var keys []uint64
			var numbers []float64
			return in.each(func(p part) error {
				keys, numbers = p.keys(keys[:0], numbers[:0])
				do(keys, numbers, p.len()-len(keys))
				return nil
			})
		},
	}, bins)
}

// ordered is what statistics need to know of an array and its type. Code that only uses it
// is compiled once, and not for each type of elements.
type ordered struct {
	bits   int // of a key
	number func(key uint64) float64
	text   func(key uint64) string
	// pass calls do with all elements that are not NaN, a part at a time.
	pass func(do func(keys []uint64, numbers []float64, nan int)) error
}

func (o *Statistics) calculate(k ordered, bins int) error {
	// The first pass counts the highest digit of each key.
	shift := max(0, k.bits-digit)
	counts := make([]int64, 1<<min(digit, k.bits))
	low, high := ^uint64(0), uint64(0)
	var origin float64
	least, most := math.Inf(1), math.Inf(-1) // of the finite numbers
	err := k.pass(func(keys []uint64, numbers []float64, nan int) {
		o.NaN += int64(nan)
		for i, key := range keys {
			f := numbers[i]
			if o.Count == 0 {
				origin = f // differences to it keep the variance exact enough
				if math.IsInf(f, 0) {
					origin = 0
				}
			}
			o.Count++
			counts[key>>shift]++
			low, high = min(low, key), max(high, key)
			if !math.IsInf(f, 0) {
				least, most = min(least, f), max(most, f)
			}
		}
	})
	if err != nil || o.Count == 0 {
		return err
	}
	n := float64(o.Count)
	var sum, squares compensated
	scale := scaleOf(max(-least, most))
	o.Min, o.Max = k.text(low), k.text(high)
	for _, p := range parts {
		q := Quantile{Part: p, rank: max(0, int64(math.Ceil(p*n))-1)}
		q.choose(counts) // the ranks are less than the sum of counts
		o.Quantiles = append(o.Quantiles, q)
	}
	if o.infinite = least > most; !o.infinite {
		o.begin(bins, least, most)
	}
	// Each later pass counts the next digit of the keys that begin like a quantile.
	// The second one also fills the histogram, and adds for the mean and the deviation.
	for first := true; first || shift > 0; first = false {
		width := min(digit, shift)
		shift -= width
		tables := o.tables(width)
		count := int64(0)
		err := k.pass(func(keys []uint64, numbers []float64, _ int) {
			count += int64(len(keys))
			for i, key := range keys {
				if first {
					o.count(numbers[i])
					d := numbers[i]*scale - origin*scale
					sum.add(d)
					squares.add(d * d)
				}
				if table := tables[key>>shift>>width]; table != nil {
					table[key>>shift&(1<<width-1)]++
				}
			}
		})
		if err == nil && count != o.Count {
			err = ErrChanged
		}
		if err != nil {
			return err
		}
		if width > 0 {
			for i := range o.Quantiles {
				q := &o.Quantiles[i]
				if !q.choose(tables[q.key]) {
					return ErrChanged
				}
			}
		}
	}
	mean := sum.value() / n
	o.Mean = (origin*scale + mean) / scale
	o.Deviation = math.Sqrt(max(0, squares.value()/n-mean*mean)) / scale
	for i := range o.Quantiles {
		o.Quantiles[i].Value = k.text(o.Quantiles[i].key)
	}
	return nil
}

// scaleOf returns the power of two by which numbers are multiplied, so that the squares of their differences neither
// overflow nor become zero. largest is the largest absolute value of a finite number.
func scaleOf(largest float64) float64 {
	switch {
	case largest > 0x1p400:
		return 0x1p-600
	case largest < 0x1p-400:
		return 0x1p600
	}
	return 1
}

// choose decides the next digit of the key: the one that has the element of the
// rank. It returns false if there are not so many elements.
func (q *Quantile) choose(counts []int64) bool {
	for d, n := range counts {
		if q.rank < n {
			q.key = q.key*uint64(len(counts)) + uint64(d)
			return true
		}
		q.rank -= n
	}
	return false
}

// tables returns a table of counts for each beginning of a key.
func (o *Statistics) tables(width int) map[uint64][]int64 {
	tables := map[uint64][]int64{}
	if width == 0 {
		return tables
	}
	for _, q := range o.Quantiles {
		if tables[q.key] == nil {
			tables[q.key] = make([]int64, 1<<width)
		}
	}
	return tables
}

// begin divides a range into bins.
func (o *Statistics) begin(bins int, low, high float64) {
	if math.IsInf(high-low, 0) { // the first and the last bin also have what is outside
		low, high = max(low, -math.MaxFloat64/2), min(high, math.MaxFloat64/2)
	}
	if low == high {
		bins = min(bins, 1)
	}
	for i := range bins {
		edge := func(i int) float64 { return low + (high-low)*(float64(i)/float64(bins)) }
		o.Bins = append(o.Bins, Bin{Low: edge(i), High: edge(i + 1)})
	}
}

// count counts a number in its bin.
func (o *Statistics) count(v float64) {
	n := len(o.Bins)
	if n == 0 || math.IsInf(v, 0) {
		return
	}
	low, high := o.Bins[0].Low, o.Bins[n-1].High
	i := 0
	if high > low {
		i = int(min(float64(n-1), max(0, (v-low)/(high-low)*float64(n))))
	}
	o.Bins[i].Count++
}

// compensated is a sum that keeps the bits that adding rounds away (Neumaier's
// algorithm).
type compensated struct{ sum, rest float64 }

func (c *compensated) add(v float64) {
	t := c.sum + v
	if math.Abs(c.sum) >= math.Abs(v) {
		c.rest += c.sum - t + v
	} else {
		c.rest += v - t + c.sum
	}
	c.sum = t
}

func (c *compensated) value() float64 {
	if math.IsInf(c.sum, 0) || math.IsNaN(c.sum) {
		return c.sum
	}
	return c.sum + c.rest
}

// JSON returns an object with the statistics. JSON cannot hold NaN and infinities, so
// it lacks a mean and a deviation that are not finite.
func (s *Statistics) JSON() ([]byte, error) {
	return json.Marshal(struct {
		*Statistics
		Mean      *float64 `json:"mean,omitempty"`
		Deviation *float64 `json:"deviation,omitempty"`
	}{s, s.finite(s.Mean), s.finite(s.Deviation)})
}

// finite returns v for JSON, or nil if there are no elements or v is not finite.
func (s *Statistics) finite(v float64) *float64 {
	if s.Count == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
