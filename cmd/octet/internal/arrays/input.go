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
	"slices"
	"strings"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
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
	Kind   *Kind  // nil for the type in the file, or float64 if the format has none
	Order  binary.ByteOrder
	Header bool // the first line of CSV has the names of columns
	// Begin opens Path. Zip files need a second call for random access, so they are
	// opened by path.
	Begin func() (io.Reader, io.Closer, error)
	// Rest is called with the number of bytes after the array in a .npy file. Nil does nothing.
	Rest func(bytes int64)
}

// An Input is an open array.
type Input struct {
	Source
	Info   array.Info // Shape is nil and Len is -1 if unknown before the end
	stream stream
	closer []io.Closer
	mark   int64 // bytes of the byte order mark at the beginning of text
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
	if in.Format == CSV || in.Format == JSON {
		if mark, _ := b.Peek(len(byteOrderMark)); string(mark) == byteOrderMark { // a reader of elements returns the error
			_, _ = b.Discard(len(mark))
			in.mark = int64(len(mark))
		}
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
	in.stream, err = in.elements(body)
	return err
}

// byteOrderMark begins CSV of spreadsheets.
const byteOrderMark = "\ufeff"

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
	f := sniff.ForeignByBytes(head, len(head) < sniff.MaxHead)
	looks := f.Name
	switch {
	case sniff.IsJSON(head):
		looks = sniff.JSON.Title()
	case !f.Certain: // a guess counts less than the name: small integers can be any text
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
	if file, err := os.Stat(in.Path); in.Rest != nil && in.Format == NPY && in.Path != "-" && err == nil && file.Mode().IsRegular() {
		if n := file.Size() - info.Offset - int64(info.Len)*int64(info.ElementSize()); n > 0 {
			in.Rest(n)
		}
	}
	if c && info.Fortran && dimensions(info.Shape) > 1 {
		if file, err := os.Stat(in.Path); in.Format == NPZ || in.Path == "-" || err == nil && !file.Mode().IsRegular() {
			return usage("an array in Fortran order must be a regular .npy file for this; convert it first")
		}
		in.Format = fortran
	}
	if in.stream, err = in.elements(io.MultiReader(&head, r)); err != nil {
		return err
	}
	if in.Format == NPZ {
		in.stream = drained(in.stream, r)
	}
	if as == nil || as == in.Kind {
		return nil
	}
	in.stream, in.Kind = convert(in.stream, in.Kind, as), as
	return nil
}

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
	for i := range names {
		names[i] = EntryName(names[i])
	}
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
	// A name need not be a valid path, as [zip.Reader.Open] requires. The last array of a name is read, as in numpy.
	err = usage("no array %q; --name can be one of: %s", name, strings.Join(names, ", "))
	for _, f := range slices.Backward(z.File) {
		if entry, ok := strings.CutSuffix(f.Name, ".npy"); ok && EntryName(entry) == name {
			var r io.ReadCloser
			if r, err = f.Open(); err == nil {
				return r, z, nil
			}
			break
		}
	}
	z.Close()
	return nil, nil, err
}

// EntryName returns the name of an array of a .npz file as it is shown, and as it selects the array. If the array has
// no name, that is the name of its file, .npy, and so that of the array .npy is .npy.npy.
func EntryName(name string) string {
	if strings.ReplaceAll(name, ".npy", "") == "" {
		name += ".npy"
	}
	return name
}

// drained returns a stream that reads the end of an entry of a .npz file, too, where its checksum is verified.
func drained(elements stream, entry io.Reader) stream {
	return func() (part, error) {
		p, err := elements()
		if err == io.EOF {
			var n int
			if n, err = io.ReadFull(entry, make([]byte, 1)); n > 0 {
				err = errors.New("an entry of a .npz file has one array, but more bytes follow")
			}
		}
		return p, err
	}
}

// piece is the number of elements that are processed at once.
const piece = 4096

// A filler adds elements until the part has a piece. After the last ones, the error is
// io.EOF.
type filler func(p part) error

// filled returns the stream of elements that fill adds.
func (in *Input) filled(fill filler) stream {
	p := in.Kind.empty()
	return func() (part, error) {
		p.cut(0)
		err := fill(p)
		return p, err
	}
}

// elements returns the stream of the elements in r.
func (in *Input) elements(r io.Reader) (stream, error) {
	switch in.Format {
	case CSV:
		return in.filled(fromCSV(in, r)), nil
	case JSON:
		return in.filled(fromJSON(in, r, !in.Kind.isComplex())), nil
	case Msgpack:
		return in.filled(fromMsgpack(in, r)), nil
	case fortran:
		t, err := openFortran(in.Path)
		if err != nil {
			return nil, err
		}
		in.closer = append(in.closer, t.f)
		elements, _, err := in.Kind.read(t, array.Raw(t.info.Order))
		return elements, err
	case Raw:
		elements, info, err := in.Kind.read(r, array.Raw(in.Order))
		if err == nil {
			in.Info = info
		}
		return elements, err
	}
	elements, _, err := in.Kind.read(r, array.NPY)
	return elements, err
}

// each calls do with all elements, a part at a time.
func (in *Input) each(do func(part) error) error {
	for {
		p, err := in.stream()
		if p.len() > 0 {
			if err := do(p); err != nil {
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
