package arrays

import (
	"fmt"
	"reflect"
	"strconv"
)

// texts returns the elements of a stream as texts that say their exact values. A
// float32 has the digits of a float64, because it may become one.
func (k *kind[T]) texts(from any) func() ([]string, error) {
	next := from.(stream[T])
	var list []string
	var text []byte
	return func() ([]string, error) {
		part, err := next()
		list = list[:0]
		for _, v := range part {
			if k.isFloat() {
				text = strconv.AppendFloat(text[:0], k.float(v), 'g', -1, 64)
			} else {
				text = k.text(text[:0], v)
			}
			list = append(list, string(text))
		}
		return list, err
	}
}

// convert returns the stream of elements that have these texts. An element that the type
// cannot represent exactly is an error.
func (k *kind[T]) convert(texts func() ([]string, error)) any {
	var buffer []T
	read := int64(0)
	return stream[T](func() ([]T, error) {
		list, err := texts()
		buffer = buffer[:0]
		for _, text := range list {
			v, wrong := k.parse(text)
			if wrong == nil && k.isFloat() && k.rounds(v, text) {
				wrong = errFit
			}
			if wrong != nil {
				return buffer, fmt.Errorf("element %d: %w %s: %s", read, errFit, k.name, text)
			}
			buffer = append(buffer, v)
			read++
		}
		return buffer, err
	})
}

// isFloat reports whether the type is float32 or float64.
func (k *kind[T]) isFloat() bool {
	of := reflect.TypeFor[T]().Kind()
	return of == reflect.Float32 || of == reflect.Float64
}

// rounds reports whether v differs from the number that the text says.
func (k *kind[T]) rounds(v T, text string) bool {
	exact, err := strconv.ParseFloat(text, 64)
	return err == nil && exact == exact && exact != k.float(v)
}
