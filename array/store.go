package array

import (
	"sync"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/mem"
)

// A store is a File without its Go type.
type store struct {
	disk    disk.Disk
	f       disk.File
	path    string
	e       element
	swapped bool // the byte order is not that of the machine
	header       // Info and, for .npy, the bytes of the header

	size     int64 // of the file; a .npy file may have reserved bytes at its end
	clean    bool  // all reserved bytes are zero
	trim     bool  // Close removes the reserved bytes
	readOnly bool
	ended    error // why the file cannot be used: ErrClosed or errZero

	// current maps the file from its beginning and may be longer than the file.
	// maps contains it and all earlier mappings, to which slices may point.
	noMap   bool
	current []byte
	maps    [][]byte
	// populator maps the pages of the mapping that Open has made. It is nil without
	// Options.Populate. running has those of loops.
	populator *populator
	running   populators
	large     int64 // the size from which two goroutines read

	// name is the absolute path of a file until Sync has made the name durable, too.
	// durable means that values were synced, so that the file must open after a power
	// loss.
	name    string
	durable bool
	poison  error
}

// end returns where the elements end in the file.
func (s *store) end() int64 { return s.Offset + int64(s.Len)*int64(s.e.size) }

// at returns where element i is in the file.
func (s *store) at(i int) int64 { return s.Offset + int64(i)*int64(s.e.size) }

// elements returns the mapped memory of the elements, or nil.
func (s *store) elements() []byte {
	if end := s.end(); int64(len(s.current)) >= end {
		return s.current[s.Offset:end:end]
	}
	return nil
}

// zeroStore is the store of a zero File.
var zeroStore = store{ended: errZero}

// open checks that s can be used.
func (s *store) open() error { return s.ended }

// mustBeOpen panics if s cannot be used.
func (s *store) mustBeOpen() {
	if s.ended != nil {
		s.refuse()
	}
}

func (s *store) refuse() {
	if s.ended == errZero {
		panic("array: " + errZero.Error())
	}
	panic("array: File is closed")
}

// writable checks that s can be written.
func (s *store) writable() error {
	switch {
	case s.ended != nil:
		return s.ended
	case s.readOnly:
		return ErrReadOnly
	}
	return s.poison
}

// begin maps a file that was opened.
func (s *store) begin() {
	s.swapped = s.e.unit > 1 && s.big() != nativeBig
	s.large = aheadSize
	s.remap(s.end(), false)
}

// remap makes current cover the file up to need. A file that grows is mapped
// with room for as much again, so that the number of mappings stays small. A
// mapping that fails, such as one too large for the addresses of a 32-bit
// machine, is not an error: the file is then read by system calls.
func (s *store) remap(need int64, grows bool) {
	if !disk.CanMap || s.noMap || need <= int64(len(s.current)) || need == 0 {
		return
	}
	size := need
	if grows && len(s.maps) > 0 {
		size *= 2
	}
	m, err := s.f.Map(size, !s.readOnly)
	if err != nil && size > need {
		m, err = s.f.Map(need, !s.readOnly)
	}
	if err != nil {
		s.current, s.noMap = nil, true
		return
	}
	s.current = m
	s.maps = append(s.maps, m)
}

// checkSize returns an error if the file no longer contains its elements.
func (s *store) checkSize() error { return s.checkEnd(s.end()) }

// checkEnd returns an error if the file ends before an offset.
func (s *store) checkEnd(end int64) error {
	info, err := s.f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < end {
		return truncated(info.Size(), end)
	}
	return nil
}

func truncated(size, want int64) error {
	return fault(size, ErrTruncated, "the array ends at %d", want)
}

const (
	// readPiece is how much is read before the bytes are swapped in place. It is
	// small enough for them to be still in the cache.
	readPiece = 256 << 10
	// writePiece is how much is swapped before it is written.
	writePiece = 64 << 10
	// overlapped is the size from which binary.WriteSlice swaps and writes at the
	// same time.
	overlapped = 16 << 20
)

var pieces = sync.Pool{New: func() any { return new([writePiece]byte) }}

// read fills b with elements from offset and returns how many bytes it read.
func (s *store) read(b []byte, offset int64) (int, error) {
	piece := len(b)
	if s.swapped || s.e.kind == boolKind {
		piece = readPiece
	}
	for done := 0; done < len(b); {
		part := b[done:min(len(b), done+piece)]
		n, err := s.f.ReadAt(part, offset+int64(done))
		n -= n % s.e.size
		s.e.fix(part[:n], s.swapped)
		done += n
		if err != nil && n < len(part) {
			if isEnd(err) {
				err = truncated(offset+int64(done), s.end())
			}
			return done, err
		}
	}
	return len(b), nil
}

// write writes the elements in b at offset.
func (s *store) write(b []byte, offset int64) error {
	if !s.swapped {
		_, err := s.f.WriteAt(b, offset)
		return err
	}
	if len(b) >= overlapped {
		w, err := s.f.From(offset)
		if err != nil {
			return err
		}
		switch s.e.unit {
		case 2:
			return binary.WriteSlice(w, s.Order, mem.SliceOf[uint16](b))
		case 4:
			return binary.WriteSlice(w, s.Order, mem.SliceOf[uint32](b))
		}
		return binary.WriteSlice(w, s.Order, mem.SliceOf[uint64](b))
	}
	buffer := pieces.Get().(*[writePiece]byte)
	defer pieces.Put(buffer)
	for len(b) > 0 {
		// Pieces that end at a page are faster than pieces that share pages.
		n := min(len(b), writePiece-int(offset%writePiece)&^(s.e.size-1))
		s.e.swap(buffer[:n], b[:n])
		if _, err := s.f.WriteAt(buffer[:n], offset); err != nil {
			return err
		}
		b, offset = b[n:], offset+int64(n)
	}
	return nil
}

// extend makes the file longer and reserves blocks for the new bytes, which are
// zero. After an error, the file has its old size.
func (s *store) extend(size int64) error {
	if size == s.size {
		return nil
	}
	err := s.f.Reserve(s.size, size)
	switch {
	case err == disk.ErrNoReserve:
		err = s.writeZeros(s.size, size)
	case err == nil:
		err = s.f.Truncate(size)
	}
	if err != nil {
		_ = s.f.Truncate(s.size) // returns reserved blocks
		return err
	}
	s.size = size
	return nil
}

// writeZeros is for systems that cannot reserve blocks in another way.
func (s *store) writeZeros(from, to int64) error {
	buffer := pieces.Get().(*[writePiece]byte)
	defer pieces.Put(buffer)
	clear(buffer[:])
	for from < to {
		// Pieces end at multiples of their size, which is faster.
		n := min(to-from, writePiece-from%writePiece)
		if _, err := s.f.WriteAt(buffer[:n], from); err != nil {
			return err
		}
		from += n
	}
	return nil
}
