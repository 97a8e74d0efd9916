package array

import "github.com/octet-go/octet/internal/disk"

// appendRaw writes elements after a raw array. A write within one page changes
// the size of the file in one step. A longer one could be interrupted between
// two pages, so it is done under a note; see noteText.
func (s *store) appendRaw(b []byte) error {
	if err := s.dropOld(); err != nil {
		return err
	}
	end := s.size
	after := end + int64(len(b))
	if err := s.checkSize(); err != nil {
		return err
	}
	if end/page == (after-1)/page {
		if err := s.write(b, end); err != nil {
			s.undo(after)
			return err
		}
		s.setSize(after)
		return nil
	}
	return s.underNote(after, func() error { return s.write(b, end) })
}

// growRaw adds zeros to a raw array.
func (s *store) growRaw(after int64) error {
	if err := s.dropOld(); err != nil {
		return err
	}
	if err := s.checkSize(); err != nil {
		return err
	}
	end := s.size
	err := s.f.Reserve(end, after)
	if err == disk.ErrNoReserve {
		return s.underNote(after, func() error { return s.writeZeros(end, after) })
	}
	if err == nil {
		err = s.f.Truncate(after)
	}
	if err != nil {
		s.undo(after)
		return err
	}
	s.setSize(after)
	return nil
}

// underNote calls write, which fills the file from its end to after, while a note
// after that size says that the file still has its old length.
func (s *store) underNote(after int64, write func() error) error {
	end, at := s.size, (after+page-1)&^(page-1)
	_, err := s.f.WriteAt(note(end, at), at)
	if err == nil {
		err = write()
	}
	if err == nil {
		err = s.f.Truncate(after)
	}
	if err != nil {
		s.undo(at + noteSize)
		return err
	}
	s.setSize(after)
	return nil
}

// setSize records a new size of a raw file.
func (s *store) setSize(size int64) {
	s.size = size
	s.Len = int(size / int64(s.e.size))
	s.Shape[0] = s.Len
}
