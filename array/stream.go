package array

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/mem"
)

// Read reads one .npy array from r and returns its elements in the order of the
// stream, and its description. It reads no further, so several arrays may follow
// each other; if there is none, the error is io.EOF.
//
// Read allocates in total at most about five times the memory of the elements that
// arrive, whatever the header claims, because it doubles its memory each time.
func Read[T Element](r io.Reader) ([]T, Info, error) {
	one := make([]byte, 1)
	if _, err := readFull(r, one); err != nil {
		if err == io.EOF {
			return nil, Info{}, err
		}
		return nil, Info{}, wrap("read", "", err)
	}
	s, info, err := read[T](io.MultiReader(strings.NewReader(string(one)), r))
	return s, info, wrap("read", "", err)
}

func read[T Element](r io.Reader) ([]T, Info, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, Info{}, err
	}
	e := elementOf[T]()
	if err := h.match(e, Format{}); err != nil {
		return nil, h.Info, err
	}
	total, _ := bytesOf(h.Len, e.size)
	if int64(int(total)) != total {
		return nil, h.Info, fault(-1, ErrLimit, "%d elements are too many", h.Len)
	}
	swapped := e.unit > 1 && h.big() != nativeBig
	s := []T{}
	for len(s) < h.Len {
		// At first at most 64 KiB, later as much again as has arrived.
		more := min(h.Len-len(s), max(len(s), (64<<10)/e.size))
		s = slices.Grow(s, more)
		b := mem.SliceBytes(s[len(s) : len(s)+more])
		n, err := readFull(r, b)
		clear(b[n:])
		e.fix(b[:n-n%e.size], swapped)
		clear(b[n-n%e.size:])
		if err != nil {
			got := h.Offset + int64(len(s)*e.size+n)
			if isEnd(err) {
				err = fault(got, ErrTruncated, "shape %s of %s ends at %d", shapeText(h.Shape), h.Kind, h.Offset+total)
			}
			return nil, h.Info, err
		}
		s = s[:len(s)+more]
	}
	return s, h.Info, nil
}

// Write writes s to w as a .npy array. The format f is [NPY], with a byte order
// and a shape if they matter. It can also be [Raw].
func Write[T Element](w io.Writer, s []T, f Format) error {
	return wrap("write", "", write(w, mem.SliceBytes(s), elementOf[T](), f))
}

func write(w io.Writer, b []byte, e element, f Format) error {
	info, err := f.infoOf(e, len(b)/e.size)
	if err != nil {
		return err
	}
	if f.layout == npyLayout {
		if err := writeFull(w, newHeader(info).bytes); err != nil {
			return err
		}
	}
	switch e.unit {
	case 1:
		return binary.WriteSlice(w, info.Order, b)
	case 2:
		return binary.WriteSlice(w, info.Order, mem.SliceOf[uint16](b))
	case 4:
		return binary.WriteSlice(w, info.Order, mem.SliceOf[uint32](b))
	}
	return binary.WriteSlice(w, info.Order, mem.SliceOf[uint64](b))
}

// WriteNPZ adds s to a .npz file, as numpy.savez_compressed does. Such a file is
// a zip file in which the array "x" is the .npy file "x.npy".
//
//	z := zip.NewWriter(w)
//	err := array.WriteNPZ(z, "x", numbers, array.NPY)
func WriteNPZ[T Element](z *zip.Writer, name string, s []T, f Format) error {
	return wrap("write", name, writeNPZ(z, name, mem.SliceBytes(s), elementOf[T](), f))
}

func writeNPZ(z *zip.Writer, name string, b []byte, e element, f Format) error {
	if f.layout != npyLayout {
		return fault(-1, ErrOptions, "an array in a .npz file is array.NPY")
	}
	if name == "" {
		return fault(-1, fs.ErrInvalid, "the name is empty")
	}
	w, err := z.Create(name + ".npy")
	if err != nil {
		return err
	}
	return write(w, b, e, f)
}

// ReadNPZ returns an array of a .npz file. A name that is not in the file is
// fs.ErrNotExist. A compressed array can be a thousand times longer than the
// file; [StatNPZ] tells its length before anything is allocated.
func ReadNPZ[T Element](z *zip.Reader, name string) ([]T, Info, error) {
	r, err := openNPZ(z, name)
	if err != nil {
		return nil, Info{}, wrap("read", name, err)
	}
	defer r.Close()
	s, info, err := read[T](r)
	if err == nil {
		err = drained(r)
	}
	if err != nil {
		return nil, info, wrap("read", name, inEntry(err))
	}
	return s, info, nil
}

// openNPZ opens an array by the name that [NamesNPZ] returns, which need not be a
// valid path. If a name appears more than once, the last array is read, as in numpy.
func openNPZ(z *zip.Reader, name string) (io.ReadCloser, error) {
	for _, f := range slices.Backward(z.File) {
		if f.Name == name+".npy" {
			return f.Open()
		}
	}
	return nil, fs.ErrNotExist
}

// inEntry returns the error for an entry, which must have an array: it does not match
// io.EOF.
func inEntry(err error) error {
	var e *Error
	if errors.As(err, &e) && errors.Is(err, truncatedError{true}) {
		return fault(e.Offset, ErrTruncated, "the entry is empty")
	}
	return err
}

// drained reads the end of an entry, where its checksum is verified.
func drained(r io.Reader) error {
	switch n, err := readFull(r, make([]byte, 1)); {
	case n > 0:
		return fault(-1, ErrTrailing, "an entry of a .npz file has one array")
	case err != io.EOF:
		return err
	}
	return nil
}

// StatNPZ returns the description of an array of a .npz file.
func StatNPZ(z *zip.Reader, name string) (Info, error) {
	r, err := openNPZ(z, name)
	if err != nil {
		return Info{}, wrap("stat", name, err)
	}
	defer r.Close()
	h, err := readHeader(r)
	return h.Info, wrap("stat", name, inEntry(err))
}

// NamesNPZ returns the names of the arrays in a .npz file, in the order of the
// file. A name that appears more than once is returned once. Entries that are not
// .npy files are not included.
func NamesNPZ(z *zip.Reader) []string {
	var names []string
	seen := map[string]bool{}
	for _, f := range z.File {
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}
