package arrays

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// convert returns the stream of the elements of a stream as another type. An element
// that the type cannot represent exactly is an error.
func convert(next stream, from, to *Kind) stream {
	p := to.empty()
	read := int64(0)
	var text []byte
	return func() (part, error) {
		source, err := next()
		p.cut(0)
		for i := range source.len() {
			// A float32 has the digits of a float64, because it may become one.
			if from.isFloat() || from.kind == reflect.Bool {
				v, format, precision := source.float(i), byte('g'), -1
				if !to.isFloat() && v == math.Trunc(v) && math.Abs(v) < 1<<64 {
					format, precision = 'f', 0 // integers have no exponent
				}
				text = strconv.AppendFloat(text[:0], v, format, precision, 64)
			} else {
				text = source.text(text[:0], i)
			}
			wrong := p.parse(string(text))
			if wrong == nil && to.isFloat() && rounds(p.float(i), string(text)) {
				p.cut(i)
				wrong = errFit
			}
			if wrong != nil {
				return p, fmt.Errorf("element %d: %w %s: %s", read, errFit, to.Name(), text)
			}
			read++
		}
		return p, err
	}
}

// rounds reports whether v differs from the number that the text says.
func rounds(v float64, text string) bool {
	exact, err := strconv.ParseFloat(text, 64)
	return err == nil && exact == exact && exact != v
}
