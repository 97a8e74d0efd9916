package arrays

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack"
)

// The formats, as they are named in flags.
const (
	NPY     = "npy"
	NPZ     = "npz"
	Raw     = "raw"
	CSV     = "csv"
	JSON    = "json"
	Msgpack = "msgpack"
)

// extensions lists the file extensions of each format.
var extensions = []struct{ format, list string }{
	{NPY, ".npy"}, {NPZ, ".npz"}, {Raw, ".raw .bin"}, {CSV, ".csv"}, {JSON, ".json"}, {Msgpack, ".msgpack .mpack .mpk .mp"},
}

// Extensions returns the file extensions of a format, for help texts.
func Extensions(format string) string {
	for _, e := range extensions {
		if e.format == format {
			return e.list
		}
	}
	return ""
}

// ByName returns the format that the extension of a file indicates, or "".
func ByName(path string) string {
	extension := strings.ToLower(filepath.Ext(path))
	for _, e := range extensions {
		if extension != "" && strings.Contains(e.list+" ", extension+" ") {
			return e.format
		}
	}
	return ""
}

// A Source says what to read and how.
type Source struct {
	Path   string // "-" for standard input
	Entry  string // the array of a .npz file; "" if there is only one
	Format string // "" to find out
	Kind   Kind   // nil for the type in the file, or float64 if the format has none
	Order  binary.ByteOrder
	Header bool // the first line of CSV has the names of columns
	// Begin opens Path. Zip files need a second call for random access, so they are
	// opened by path.
	Begin func() (io.Reader, io.Closer, error)
}

// An Input is an open array.
type Input struct {
	Source
	Info   array.Info // Shape is nil and Len is -1 if unknown before the end
	stream any
	closer []io.Closer
}

// Close closes the file.
func (in *Input) Close() {
	for _, c := range in.closer {
		c.Close()
	}
}

// ErrUsage is the reason of errors that a flag can correct.
var ErrUsage = errors.New("missing or wrong flag")

// usage returns an error that wraps ErrUsage and prints only the text.
func usage(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

type usageError string

func (e usageError) Error() string { return string(e) }
func (e usageError) Unwrap() error { return ErrUsage }

// Open opens an array. If c is set, elements of an array in Fortran order come
// in C order.
func (s Source) Open(c bool) (*Input, error) {
	in := &Input{Source: s, Info: array.Info{Len: -1}}
	err := in.open(c)
	if err != nil {
		in.Close()
		return nil, err
	}
	return in, nil
}

func (in *Input) open(c bool) error {
	r, closer, err := in.Begin()
	if err != nil {
		return err
	}
	in.closer = append(in.closer, closer)
	b := bufio.NewReaderSize(r, 64<<10)
	if in.Format == "" {
		if in.Format, err = in.find(b); err != nil {
			return err
		}
		if err := refuse(in.Format, b); err != nil {
			return err
		}
	}
	if in.Kind == nil && (in.Format == CSV || in.Format == JSON || in.Format == Msgpack) {
		in.Kind = Named("float64")
	}
	var body io.Reader = b
	switch in.Format {
	case "":
		head, _ := b.Peek(sniff.MaxHead)
		if f := sniff.ForeignByBytes(head, len(head) < sniff.MaxHead); f.Certain {
			return fmt.Errorf("this looks like %s, not an array; --from selects a format", f.Name)
		}
		return usage("the format of the input is unknown; use --from, and --type for raw numbers")
	case NPY:
		return in.openNPY(body, c)
	case NPZ:
		entry, closer, err := openEntry(in.Path, in.Entry)
		if err != nil {
			return err
		}
		in.closer = append(in.closer, closer)
		return in.openNPY(entry, c)
	case Raw:
		if in.Kind == nil {
			return usage("raw numbers need --type")
		}
	}
	in.stream, err = in.Kind.open(in, body)
	return err
}

// find returns the format of the file.
func (in *Input) find(b *bufio.Reader) (string, error) {
	head, err := b.Peek(6)
	switch {
	case err != nil && err != io.EOF:
		return "", err
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return NPY, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return NPZ, nil
	}
	return ByName(in.Path), nil
}

// refuse returns an error if the beginning of a file is not what its name says.
func refuse(format string, b *bufio.Reader) error {
	if format != Msgpack {
		return nil // raw numbers can be any bytes, and a wrong byte in text is an error
	}
	head, _ := b.Peek(sniff.MaxHead) // a reader of elements returns the error
	looks := sniff.ForeignByBytes(head, len(head) < sniff.MaxHead).Name
	if looks == "" && sniff.ByBytes(head) == sniff.JSON {
		looks = sniff.JSON.Title()
	}
	if looks == "" {
		return nil
	}
	return fmt.Errorf("the name says %s, but the content looks like %s; --from selects another format", sniff.MessagePack.Title(), looks)
}

// openNPY reads the header and keeps it for the reader of the elements.
func (in *Input) openNPY(r io.Reader, c bool) error {
	var head bytes.Buffer
	info, err := array.ReadHeader(io.TeeReader(r, &head))
	if err != nil {
		return err
	}
	as := in.Kind
	in.Info, in.Kind = info, kindOf(info.Kind)
	if c && info.Fortran && dimensions(info.Shape) > 1 {
		if in.Format == NPZ || in.Path == "-" {
			return usage("an array in Fortran order must be a .npy file for this; convert it first")
		}
		in.Format = fortran
	}
	if in.stream, err = in.Kind.open(in, io.MultiReader(&head, r)); err != nil || as == nil || as.Name() == in.Kind.Name() {
		return err
	}
	in.stream, in.Kind = as.convert(in.Kind.texts(in.stream)), as
	return nil
}

// fortran is the format of a .npy file whose elements are read in C order.
const fortran = "npy in Fortran order"

// dimensions returns the number of dimensions that are not 1.
func dimensions(shape []int) int {
	n := 0
	for _, d := range shape {
		if d != 1 {
			n++
		}
	}
	return n
}

// openEntry opens an array of a .npz file.
func openEntry(path, name string) (io.Reader, io.Closer, error) {
	if path == "-" {
		return nil, nil, usage("a .npz file cannot be read from standard input")
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, nil, err
	}
	names := array.NamesNPZ(&z.Reader)
	switch {
	case name == "" && len(names) == 1:
		name = names[0]
	case len(names) == 0:
		z.Close()
		return nil, nil, errors.New("this is a ZIP archive without arrays: none of its files is a .npy file")
	case name == "":
		z.Close()
		return nil, nil, usage("the file has %d arrays; use --name with one of: %s", len(names), strings.Join(names, ", "))
	}
	r, err := z.Open(name + ".npy")
	if errors.Is(err, os.ErrNotExist) {
		err = usage("no array %q; --name can be one of: %s", name, strings.Join(names, ", "))
	}
	if err != nil {
		z.Close()
		return nil, nil, err
	}
	return r, z, nil
}

// piece is the number of elements that are processed at once.
const piece = 4096

// A stream returns the next elements in a slice that is valid until the next
// call. After the last ones, the error is io.EOF.
type stream[T array.Element] func() ([]T, error)

// A buffer collects elements. Code that only parses and calls its methods is compiled once,
// and not for each type of elements.
type buffer interface {
	parse(text string) error // adds an element
	unpack(d *msgpack.Decoder) error
	len() int
}

// A filler adds elements until the buffer has a piece. After the last ones, the error is
// io.EOF.
type filler func(b buffer) error

// elements implements buffer.
type elements[T array.Element] struct {
	list []T
	of   *element[T]
}

func (e *elements[T]) len() int                        { return len(e.list) }
func (e *elements[T]) parse(text string) error         { return e.add(e.of.parse(text)) }
func (e *elements[T]) unpack(d *msgpack.Decoder) error { return e.add(e.of.unpack(d)) }

func (e *elements[T]) add(v T, err error) error {
	if err == nil {
		e.list = append(e.list, v)
	}
	return err
}

// filled returns the stream of elements that fill adds.
func (k *kind[T]) filled(fill filler) stream[T] {
	e := &elements[T]{make([]T, 0, piece), &k.element}
	return func() ([]T, error) {
		e.list = e.list[:0]
		err := fill(e)
		return e.list, err
	}
}

func (k *kind[T]) open(in *Input, r io.Reader) (any, error) {
	switch in.Format {
	case CSV:
		return k.filled(fromCSV(in, r)), nil
	case JSON:
		return k.filled(fromJSON(in, r, k.key != nil)), nil
	case Msgpack:
		return k.filled(fromMsgpack(in, r)), nil
	case fortran:
		return k.fromFortran(in)
	}
	format := array.NPY
	if in.Format == Raw {
		format = array.Raw(in.Order)
	}
	a, err := array.NewReader[T](r, format)
	if err != nil {
		return nil, err
	}
	if in.Format == Raw {
		in.Info = a.Info()
	}
	buffer := make([]T, piece)
	return stream[T](func() ([]T, error) {
		n, err := a.Read(buffer)
		return buffer[:n], err
	}), nil
}

// fromFortran reads elements in C order from wherever they are in the file.
func (k *kind[T]) fromFortran(in *Input) (any, error) {
	f, err := array.Open[T](in.Path, &array.Options{Format: array.NPY, ReadOnly: true})
	if err != nil {
		return nil, err
	}
	in.closer = append(in.closer, f)
	shape := f.Info().Shape
	at, left := make([]int, len(shape)), f.Len()
	buffer := make([]T, piece)
	return stream[T](func() ([]T, error) {
		n := min(piece, left)
		if n == 0 {
			return nil, io.EOF
		}
		err := f.Guard(func() {
			for i := range n {
				buffer[i] = f.At(f.Index(at...))
				for d := len(at) - 1; d >= 0; d-- {
					if at[d]++; at[d] < shape[d] {
						break
					}
					at[d] = 0
				}
			}
		})
		left -= n
		return buffer[:n], err
	}), nil
}

// each calls do with all elements, a part at a time.
func (k *kind[T]) each(in *Input, do func([]T) error) error {
	next := in.stream.(stream[T])
	for {
		part, err := next()
		if len(part) > 0 {
			if err := do(part); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
