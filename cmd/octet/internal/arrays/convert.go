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
			// Numbers of 32 bits have the digits of 64 bits, because they may become these.
			if from.isComplex() {
				text = appendComplex(text[:0], complexOf(source, i), 128)
			} else if from.isFloat() || from.kind == reflect.Bool {
				v, format, precision := source.float(i), byte('g'), -1
				if !to.isFloat() && v == math.Trunc(v) && math.Abs(v) < 1<<64 {
					format, precision = 'f', 0 // integers have no exponent
					if v == 0 && !to.isComplex() {
						v = 0 // and no -0
					}
				}
				text = strconv.AppendFloat(text[:0], v, format, precision, 64)
			} else {
				text = source.text(text[:0], i)
			}
			wrong := p.parse(string(text))
			if wrong == nil && (to.isFloat() || to.isComplex()) && rounds(complexOf(p, i), string(text)) {
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

// complexOf returns element i of p, which is a float or a complex number.
func complexOf(p part, i int) complex128 {
	switch p := p.(type) {
	case *elements[complex64]:
		return complex128(p.list[i])
	case *elements[complex128]:
		return p.list[i]
	}
	return complex(p.float(i), 0)
}

// rounds reports whether v differs from the number that the text says.
func rounds(v complex128, text string) bool {
	exact, err := strconv.ParseComplex(text, 128)
	differ := func(a, b float64) bool { return a != b && a == a }
	return err == nil && (differ(real(exact), real(v)) || differ(imag(exact), imag(v)))
}
