package array

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/errtext"
)

// Options are the options of [Open]. A nil pointer means the zero value: Open opens
// a .npy file for reading and writing, and maps it where the system can. Open copies
// its Options, so that a later change has no effect.
type Options struct {
	// Format is the format of the file. By default, it must be a .npy file. A file of
	// raw numbers needs [Raw], because nothing in it tells what it is. The order and
	// shape of a .npy file come from its header; if Format has them too, they must be
	// equal.
	Format Format
	// ReadOnly opens the file for reading. Appended elements of a writer that was
	// killed are then ignored instead of removed.
	ReadOnly bool
	// NoMmap reads and writes by system calls and never maps the file, as on
	// systems where files cannot be mapped. For a program that only reads a large
	// file once, by Chunks, this is faster.
	NoMmap bool
	// Populate maps all pages of the file in a second goroutine, beginning when the
	// file is opened, so that a loop over Slice has few page faults. Open does not
	// wait for it. It takes some tens of milliseconds of processor time and 2 MiB of
	// memory for each GiB, and reads what is not in memory from the disk, so it is
	// for programs that read most of the file. All and Chunks do not need it. It has
	// an effect only on Linux, for at least 16 MiB, if there is more than one
	// processor.
	Populate bool
}

// Create creates a file with n elements that are zero. It reserves the blocks of
// the file, so that a full disk is an error here. If the file exists, the error
// is fs.ErrExist.
//
// To write a whole array, create it with 0 elements and call Append once, which
// is faster on some file systems than to reserve blocks and then fill them.
//
// Like Open without ReadOnly, Create locks the file until Close.
func Create[T Element](path string, n int, f Format) (*File[T], error) {
	file, err := create[T](disk.OS, path, n, f)
	return file, wrap("create", path, err)
}

func create[T Element](d disk.Disk, path string, n int, f Format) (*File[T], error) {
	return newFile[T](createStore(d, path, n, elementOf[T](), f))
}

func createStore(d disk.Disk, path string, n int, e element, f Format) (*store, error) {
	info, err := f.infoOf(e, n)
	if err != nil {
		return nil, err
	}
	h := header{Info: info}
	if f.layout == npyLayout {
		h = newHeader(info)
	}
	name, err := filepath.Abs(path) // for Sync, also if the program changes its directory
	if err != nil {
		return nil, err
	}
	w, err := openFile(d, path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, err
	}
	s := &store{disk: d, f: w, path: path, name: name, e: e, header: h, clean: true}
	if err = s.extend(s.end()); err == nil && h.bytes != nil {
		// The header comes last: a file without it is not a .npy file.
		_, err = w.WriteAt(h.bytes, 0)
	}
	if err != nil {
		disk.Discard(d, w)
		return nil, err
	}
	s.begin()
	return s, nil
}

// Open opens an existing file.
//
// If [Options].Format is not set and the file is not a .npy file, the error is
// [ErrFormat]. If the elements of a .npy file do not have the type T, the error is
// [ErrType] and names both types.
//
// Without ReadOnly, Open locks the file until Close, so that one File at a time changes
// it. If another one has it, in this process or another one, the error is [ErrLocked].
// Readers need no lock. On systems other than Linux, Windows, macOS, illumos and the BSDs,
// and on file systems without locks, only Files of the same process are kept out.
func Open[T Element](path string, o *Options) (*File[T], error) {
	var options Options
	if o != nil {
		options = *o
	}
	file, err := open[T](disk.OS, path, options)
	return file, wrap("open", path, err)
}

func open[T Element](d disk.Disk, path string, o Options) (*File[T], error) {
	return newFile[T](openStore(d, path, elementOf[T](), o))
}

func openStore(d disk.Disk, path string, e element, o Options) (*store, error) {
	flags := os.O_RDWR
	if o.ReadOnly {
		flags = os.O_RDONLY
	}
	name, err := filepath.Abs(path) // for Sync, also if the program changes its directory
	if err != nil {
		return nil, err
	}
	r, err := openFile(d, path, flags)
	if err != nil {
		return nil, err
	}
	s := &store{disk: d, f: r, path: path, name: name, e: e, readOnly: o.ReadOnly, noMap: o.NoMmap}
	if err = s.recognize(o.Format); err != nil {
		r.Close()
		return nil, err
	}
	s.durable = s.Len > 0 // an earlier program may have synced these
	s.begin()
	if o.Populate && s.current != nil {
		s.populator = populate(s.current, true, false)
	}
	return s, nil
}

// recognize reads the header of a .npy file, or finds the length of a raw one.
func (s *store) recognize(f Format) error {
	if f.layout == rawLayout {
		info, err := f.infoOf(s.e, 0)
		if s.header = (header{Info: info}); err == nil {
			err = s.recover()
		}
		return err
	}
	h, size, err := fileHeader(s.f)
	s.size = size
	if f.layout == anyLayout && (size == 0 || errors.Is(err, errSignature)) {
		return &Error{Err: fmt.Errorf("%w; for raw numbers, set Options.Format to array.Raw", errSignature)}
	}
	if err != nil {
		return err
	}
	if err := h.match(s.e, f); err != nil {
		return err
	}
	s.header = h
	return h.checkSize(s.size)
}

// mostReads is how often a reader tries to see a file as it is between two calls of Append of another process.
const mostReads = 100

// fileHeader reads the header of a .npy file, and then the size of the file. In this order, the file has the elements
// that the header claims, also if another process appends to it. A read can see a part of a header that is just written.
// Therefore two reads must be equal, or three must have more and more elements; then the second one has as many as the
// array had between the other two.
func fileHeader(f disk.File) (h header, size int64, err error) {
	type look struct {
		header
		err error
	}
	read := func() look {
		h, err := readHeader(io.NewSectionReader(f, 0, math.MaxInt64))
		return look{h, err}
	}
	before, now := look{err: io.EOF}, read()
	for range mostReads {
		next := read()
		grows := before.err == nil && now.err == nil && next.err == nil && before.Len <= now.Len && now.Len <= next.Len
		if grows || bytes.Equal(now.bytes, next.bytes) {
			break
		}
		before, now = now, next
	}
	if size, err = sizeOf(f); now.err != nil {
		err = now.err
	}
	return now.header, size, err
}

// match returns an error if the file has another type than e, or another order
// or shape than f demands.
func (h header) match(e element, f Format) error {
	if h.Kind != e.kind {
		return fault(-1, ErrType, "the file has %v (%s), the program wants %v", h.Kind, h.numpy(), e.kind)
	}
	if f.order != nil && e.unit > 1 {
		if big, err := f.bigEndian(); err != nil {
			return err
		} else if big != h.big() {
			return fault(-1, ErrType, "the file is %s, the program wants %s", orderName(h.Order), orderName(orderOf(big)))
		}
	}
	if f.shape != nil && shapeText(f.shape) != shapeText(h.Shape) {
		return fault(-1, ErrShape, "the file has shape %s, the program wants %s", shapeText(h.Shape), shapeText(f.shape))
	}
	if f.fortran && !h.Fortran {
		return fault(-1, ErrShape, "the file is in C order, the program wants Fortran order")
	}
	return nil
}

// numpy returns the type string of numpy.
func (i Info) numpy() string {
	e := elementOfKind(i.Kind)
	switch {
	case e.unit == 1:
		return "|" + e.numpy()
	case i.big():
		return ">" + e.numpy()
	}
	return "<" + e.numpy()
}

// A raw file has no header that could say how many of its bytes are elements.
// Append therefore writes a note after the room for new elements before it
// writes them, and removes the note when they are complete.
//
//	old elements | new elements | up to 4095 bytes | note
//
// The note begins at a multiple of 4096 and has 48 bytes.
//
//	 0  "octet array: unfinished append"  32 bytes, padded with zeros
//	32  size of the file before           uint64, little-endian
//	40  CRC-32 (IEEE) of these 40 bytes, and of the offset of the note as a uint64
//	44  zero                              4 bytes
//
// The offset is in the checksum so that elements are not taken for a note, such as
// those of an array that has the bytes of another file.
const (
	noteText = "octet array: unfinished append\x00\x00"
	noteSize = 48
	page     = 4096
)

// note returns the note at an offset for a file of the given size.
func note(size, at int64) []byte {
	b := make([]byte, noteSize)
	copy(b, noteText)
	binary.LittleEndian.PutUint64(b[32:], uint64(size))
	binary.LittleEndian.PutUint64(b[40:], uint64(at))
	sum := crc32.ChecksumIEEE(b)
	clear(b[40:])
	binary.LittleEndian.PutUint32(b[40:], sum)
	return b
}

// recover finds the length of a raw file, and removes what a writer that was
// killed has left.
func (s *store) recover() error {
	size, err := s.rawSize()
	if err != nil {
		return err
	}
	n := size / int64(s.e.size)
	if size%int64(s.e.size) != 0 {
		return fault(size, ErrTruncated, "the length of %s is not a multiple of %d, the size of %v", errtext.Counted(size, "byte"), s.e.size, s.e.kind)
	}
	if int64(int(n)) != n {
		return fault(-1, ErrLimit, "%d elements are too many", n)
	}
	s.Len, s.Shape = int(n), []int{int(n)}
	if size < s.size && !s.readOnly {
		if err := s.f.Truncate(size); err != nil {
			return err
		}
		s.size = size
	}
	s.clean = true
	return nil
}

// rawSize returns the size of a raw file without the elements of an append that is not finished. It sets s.size to that
// of the file.
func (s *store) rawSize() (size int64, err error) {
	b := make([]byte, noteSize)
	for reads := 1; ; reads++ {
		if s.size, err = sizeOf(s.f); err != nil {
			return 0, err
		}
		at := s.size - noteSize
		if at < 0 || at%page != 0 {
			return s.size, nil
		}
		n, err := s.f.ReadAt(b, at)
		if err != nil && !isEnd(err) {
			return 0, err
		}
		if old := int64(binary.LittleEndian.Uint64(b[32:])); n == noteSize && old >= 0 && old < s.size && string(b) == string(note(old, at)) {
			return old, nil
		}
		// Another process may have removed the note, and written elements there, since the size was read.
		if now, err := sizeOf(s.f); err != nil || now == s.size && n == noteSize {
			return now, err
		}
		if reads == mostReads {
			return 0, truncated(at+int64(n), s.size)
		}
	}
}
