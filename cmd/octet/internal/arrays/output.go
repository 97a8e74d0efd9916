package arrays

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/msgpack/wire"
)

// Lines is the format of one row per line, with tabs between the elements.
const Lines = "lines"

// An Output says how to write an array.
type Output struct {
	Format string // NPY, Raw, CSV, JSON, Msgpack or Lines
	Order  binary.ByteOrder
	Limit  int64 // the first rows of the array only; negative for all
}

// NeedsShape reports whether the format begins with the number of elements.
func (o Output) NeedsShape() bool { return o.Format == NPY || o.Format == Msgpack }

// Write writes the array and returns the number of elements. For an input whose
// shape is not known before its end, a format that needs the shape is written by
// way of a temporary file.
func Write(w io.Writer, in *Input, o Output) (int64, error) {
	b := bufio.NewWriterSize(w, 64<<10)
	err := write(b, in, o)
	if err == nil {
		err = b.Flush()
	}
	return int64(max(0, in.Info.Len)), err
}

func write(w io.Writer, in *Input, o Output) error {
	// The rows of text need the shape too, but raw numbers have one dimension.
	rows := in.Format != Raw && (o.Format == CSV || o.Format == Lines || o.Format == JSON)
	if in.Info.Shape != nil || !o.NeedsShape() && !rows {
		return writeElements(w, in, o)
	}
	f, err := os.CreateTemp("", "octet-array-*")
	if err != nil {
		return inTemporary(err)
	}
	// Where an open file can be removed, nothing is left after a signal.
	_ = os.Remove(f.Name())
	defer os.Remove(f.Name())
	defer f.Close()
	b := bufio.NewWriterSize(f, 64<<10)
	if err := spool(b, in); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return inTemporary(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return inTemporary(err)
	}
	spooled := *in
	spooled.Format, spooled.Order = Raw, binary.NativeEndian
	if spooled.stream, err = spooled.elements(bufio.NewReaderSize(f, 64<<10)); err != nil {
		return err
	}
	spooled.Info = in.Info
	return writeElements(w, &spooled, o)
}

// inTemporary returns an error of the temporary file as one of the tool, because its
// file system may be full when that of the output is not.
func inTemporary(err error) error {
	if e := (*array.Error)(nil); errors.As(err, &e) {
		err = e.Err
	}
	return failure.Accessing("temporary file in "+os.TempDir()+", which TMPDIR names", err)
}

// spool writes the elements as raw numbers and finds out the shape.
func spool(w io.Writer, in *Input) error {
	n := 0
	err := in.each(func(p part) error {
		n += p.len()
		if err := p.write(w, binary.NativeEndian); err != nil {
			return inTemporary(err)
		}
		return nil
	})
	if in.Info.Shape == nil { // raw numbers have no shape
		in.Info.Shape, in.Info.Len = []int{n}, n
	}
	return err
}

func writeElements(w io.Writer, in *Input, o Output) error {
	shape, whole := in.Info.Shape, in.Info.Len
	if o.Limit >= 0 && len(shape) > 0 && int64(shape[0]) > o.Limit {
		if shape[0] > 0 {
			whole = whole / shape[0] * int(o.Limit)
		}
		shape = slices.Clone(shape)
		shape[0] = int(o.Limit)
	}
	if shape == nil && o.Limit >= 0 && o.Limit < math.MaxInt {
		whole = int(o.Limit)
	}
	emit, finish, err := encoder(w, in, o, shape)
	if err != nil {
		return err
	}
	written := 0
	err = in.each(func(p part) error {
		if whole >= 0 && p.len() > whole-written {
			p.cut(whole - written)
		}
		if err := emit(p, written); err != nil {
			return err
		}
		if written += p.len(); written == whole && o.Limit >= 0 {
			return errEnough
		}
		return nil
	})
	if err == errEnough {
		err = nil
	}
	if err != nil {
		return err
	}
	in.Info.Len = written
	return finish(written)
}

var errEnough = errors.New("enough elements")

// encoder returns a function that writes elements, given how many were written
// before, and one that writes what follows them.
func encoder(w io.Writer, in *Input, o Output, shape []int) (emit func(part, int) error, finish func(int) error, err error) {
	if o.Format != NPY && o.Format != Raw {
		return textEncoder(w, o.Format, shape)
	}
	order := o.Order
	if order == nil {
		order = binary.LittleEndian
	}
	if o.Format == NPY {
		format := array.NPY.WithOrder(order).WithShape(shape...)
		if in.Info.Fortran && in.Format != fortran {
			format = format.WithFortranOrder()
		}
		n := 1
		for _, d := range shape {
			n *= d
		}
		if err := in.Kind.writeHeader(w, n, format); err != nil {
			return nil, nil, err
		}
	}
	return func(p part, _ int) error { return p.write(w, order) }, func(int) error { return nil }, nil
}

// textEncoder is the encoder of the formats that are not binary numbers.
func textEncoder(w io.Writer, to string, shape []int) (emit func(part, int) error, finish func(int) error, err error) {
	none := func(int) error { return nil }
	var line []byte
	// flush calls one for each element, with the number of those before it in the part and in the array.
	flush := func(p part, one func(dst []byte, i, at int) ([]byte, error), written int) error {
		line = line[:0]
		for i := range p.len() {
			if line, err = one(line, i, written+i); err != nil {
				return fmt.Errorf("element %d: %w", written+i, err)
			}
		}
		_, err := w.Write(line)
		return err
	}
	switch to {
	case CSV, Lines:
		separator, columns := byte('\t'), 1
		if to == CSV {
			separator = ','
		}
		if len(shape) > 1 {
			columns = max(1, shape[len(shape)-1])
		}
		return func(p part, written int) error {
			return flush(p, func(dst []byte, i, at int) ([]byte, error) {
				dst = p.text(dst, i)
				if (at+1)%columns == 0 {
					return append(dst, '\n'), nil
				}
				return append(dst, separator), nil
			}, written)
		}, none, nil
	case JSON:
		if err := checkEmpty(shape); err != nil {
			return nil, nil, err
		}
		strides := stridesOf(shape)
		emit = func(p part, written int) error {
			return flush(p, func(dst []byte, i, at int) ([]byte, error) {
				if at > 0 && len(strides) > 0 {
					dst = append(dst, ',')
				}
				for _, s := range strides {
					if at%s == 0 && (s != math.MaxInt || at == 0) {
						dst = append(dst, '[')
					}
				}
				dst, err := p.json(dst, i)
				for _, s := range strides {
					if (at+1)%s == 0 && s != math.MaxInt {
						dst = append(dst, ']')
					}
				}
				return dst, err
			}, written)
		}
		return emit, func(written int) (err error) {
			end := "\n"
			switch {
			case shape == nil && written == 0:
				end = "[]\n"
			case shape == nil:
				end = "]\n"
			case written == 0:
				err = emptyJSON(w, shape)
			}
			if err == nil {
				_, err = io.WriteString(w, end)
			}
			return err
		}, nil
	case Msgpack:
		if err := checkEmpty(shape); err != nil {
			return nil, nil, err
		}
		for _, d := range shape {
			if int64(d) > math.MaxUint32 {
				return nil, nil, fmt.Errorf("a MessagePack array has at most %d elements, the array has %d", uint32(math.MaxUint32), d)
			}
		}
		strides := stridesOf(shape)
		emit = func(p part, written int) error {
			return flush(p, func(dst []byte, i, at int) ([]byte, error) {
				for d, s := range strides {
					if at%s == 0 {
						dst = wire.AppendArrayHeader(dst, uint32(shape[d]))
					}
				}
				return p.pack(dst, i), nil
			}, written)
		}
		return emit, func(written int) error {
			if written > 0 {
				return nil
			}
			return emptyMsgpack(w, shape)
		}, nil
	}
	return nil, nil, usage("the format of the output is unknown; use --to")
}

// maxEmpty is the number of empty rows of an array without elements, in JSON and MessagePack.
const maxEmpty = 1 << 20

// checkEmpty returns an error if an array without elements has more rows than that, because a
// file of 128 bytes can say that there are any number.
func checkEmpty(shape []int) error {
	rows := 1
	for i := range slices.Index(shape, 0) {
		if shape[i] > maxEmpty/rows {
			return fmt.Errorf("the array has no elements and more than %d rows", maxEmpty)
		}
		rows *= shape[i]
	}
	return nil
}

// emptyJSON writes an array without elements: the dimensions before the first one that is 0.
func emptyJSON(w io.Writer, shape []int) error {
	if len(shape) == 0 {
		return nil // a single element
	}
	begin := "["
	for range shape[0] {
		if _, err := io.WriteString(w, begin); err != nil {
			return err
		}
		if err := emptyJSON(w, shape[1:]); err != nil {
			return err
		}
		begin = ","
	}
	end := "]"
	if shape[0] == 0 {
		end = "[]"
	}
	_, err := io.WriteString(w, end)
	return err
}

// emptyMsgpack is emptyJSON for MessagePack.
func emptyMsgpack(w io.Writer, shape []int) error {
	if len(shape) == 0 {
		return nil
	}
	_, err := w.Write(wire.AppendArrayHeader(nil, uint32(shape[0])))
	for i := 0; i < shape[0] && err == nil; i++ {
		err = emptyMsgpack(w, shape[1:])
	}
	return err
}

// stridesOf returns, for each dimension, after how many elements it begins again.
// An unknown shape has one dimension that never ends.
func stridesOf(shape []int) []int {
	if shape == nil {
		return []int{math.MaxInt}
	}
	strides, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		n *= max(1, shape[d])
		strides[d] = n
	}
	return strides
}
