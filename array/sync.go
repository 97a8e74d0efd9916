package array

import (
	"errors"
	"fmt"
)

// Sync writes everything to the disk. After it returns nil, the elements, the
// length and the name of the file survive a power loss, also those stored
// through Slice. What is written after the last Sync may survive in part:
// elements that were replaced have the old or the new value, and elements that
// were appended are missing, are zero, or have their value. A raw file can have
// up to 4143 bytes of zeros after them. If another program has cut the file short, the
// error is [ErrTruncated].
//
// If Sync fails, it is unknown which values are on the disk, and a later Sync
// could succeed without having written them. Therefore Append, Grow, WriteAt,
// Sync and Close then return [ErrSync]. Open the file again and compare it with
// a copy, or write a new one.
func (f *File[T]) Sync() error {
	s := f.store()
	return wrap("sync", s.path, s.syncElements())
}

func (s *store) syncElements() error {
	err := s.writable()
	if err == ErrReadOnly {
		return nil
	}
	if err == nil {
		err = s.checkSize()
	}
	if err == nil {
		err = s.sync()
	}
	if err == nil {
		s.durable = true
	}
	return err
}

func (s *store) sync() error {
	err := s.syncAll()
	if err != nil {
		s.poison = fmt.Errorf("%w: %w", ErrSync, err)
	}
	return err
}

func (s *store) syncAll() error {
	if err := s.f.Sync(); err != nil {
		return err
	}
	if s.name == "" {
		return nil
	}
	// This is also done for a file that exists, because the program that created it
	// may have closed it without Sync.
	err := s.disk.SyncName(s.name)
	if err == nil {
		s.name = ""
	}
	return err
}

// Close closes the file and its mappings. It does not call Sync. If elements were
// appended to a .npy file, and another program has cut it short, the error is [ErrTruncated].
//
// After Close, slices that Slice and Chunks returned must not be used: an access ends the
// program. The methods that return an error return [ErrClosed], and At, All and Chunks panic.
func (f *File[T]) Close() error {
	s := f.store()
	f.view = nil
	return wrap("close", s.path, s.close())
}

func (s *store) close() error {
	if err := s.open(); err != nil {
		return err
	}
	s.ended = ErrClosed
	s.stopPopulators() // they use the mappings
	if s.populator != nil {
		dropAll(s.maps[0]) // everything is mapped
	}
	errs := []error{s.poison}
	s.maps, s.current = nil, nil
	if s.trim && s.poison == nil {
		errs = append(errs, s.cut()) // removes the reserve of Append
	}
	errs = append(errs, s.f.Close())
	return errors.Join(errs...)
}
