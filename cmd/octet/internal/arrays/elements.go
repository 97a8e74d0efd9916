package arrays

import (
	"io"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/msgpack"
)

// elements implements part.
type elements[T array.Element] struct {
	list []T
	of   *element[T]
}

func (e *elements[T]) len() int                               { return len(e.list) }
func (e *elements[T]) cut(n int)                              { e.list = e.list[:n] }
func (e *elements[T]) parse(text string) error                { return e.add(e.of.parse(text)) }
func (e *elements[T]) unpack(d *msgpack.Decoder) error        { return e.add(e.of.unpack(d)) }
func (e *elements[T]) text(dst []byte, i int) []byte          { return e.of.text(dst, e.list[i]) }
func (e *elements[T]) json(dst []byte, i int) ([]byte, error) { return e.of.json(dst, e.list[i]) }
func (e *elements[T]) pack(dst []byte, i int) []byte          { return e.of.pack(dst, e.list[i]) }
func (e *elements[T]) float(i int) float64                    { return e.of.float(e.list[i]) }

func (e *elements[T]) add(v T, err error) error {
	if err == nil {
		e.list = append(e.list, v)
	}
	return err
}

func (e *elements[T]) write(w io.Writer, order binary.ByteOrder) error {
	return array.Write(w, e.list, array.Raw(order))
}

func (e *elements[T]) equal(i int, other part, j, n int) int {
	a, b := e.list[i:][:n], other.(*elements[T]).list[j:][:n]
	for k, v := range a {
		if w := b[k]; v != w && (v == v || w == w) {
			return k
		}
	}
	return n
}

func (e *elements[T]) distance(i int, other part, j int) float64 {
	return e.of.distance(e.list[i], other.(*elements[T]).list[j])
}

func (e *elements[T]) keys(keys []uint64, values []float64) ([]uint64, []float64) {
	return e.of.keys(e.list, keys, values)
}

func (of *element[T]) empty() part { return &elements[T]{make([]T, 0, piece), of} }

func (of *element[T]) ofKey(key uint64) part { return &elements[T]{[]T{of.back(key)}, of} }

func (of *element[T]) writeHeader(w io.Writer, n int, f array.Format) error {
	return array.WriteHeader[T](w, n, f)
}

func (of *element[T]) read(r io.Reader, f array.Format) (stream, array.Info, error) {
	a, err := array.NewReader[T](r, f)
	if err != nil {
		return nil, array.Info{}, err
	}
	e := &elements[T]{make([]T, piece), of}
	return func() (part, error) {
		n, err := a.Read(e.list[:piece])
		e.list = e.list[:n]
		return e, err
	}, a.Info(), nil
}
