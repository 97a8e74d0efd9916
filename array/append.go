package array

import (
	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// Append adds elements to the end of the array. The elements must fill whole
// rows: n × the product of all dimensions but the first, or but the last in
// Fortran order.
//
// A process that is killed during Append leaves a file that opens with all
// elements of this call or with none, and with those of all earlier calls. After
// an error, the array has its old length.
//
// A .npy file has reserved bytes after the array while it grows. If another program cuts
// only these off, an Append of up to 4 KiB can return nil although the file does not have its
// elements. The next Sync or Close then returns [ErrTruncated].
func (f *File[T]) Append(v ...T) error {
	s := f.store()
	if err := s.append(mem.SliceBytes(v), len(v)); err != nil || len(v) == 0 {
		return wrap("append", s.path, err)
	}
	if len(f.view)+len(v) == s.Len && int64(len(s.current)) >= s.end() && f.view != nil {
		f.view = mem.SliceOf[T](s.elements())
		return nil
	}
	s.remap(s.end(), true)
	f.look()
	return nil
}

// append adds the n elements in b.
func (s *store) append(b []byte, n int) error {
	err := s.writable()
	if err != nil || n == 0 {
		return err
	}
	rows, err := s.rows(n)
	if err != nil {
		return err
	}
	if s.Format.layout == rawLayout {
		return s.appendRaw(b)
	}
	return s.appendNPY(b, rows)
}

// Grow adds n zeros to the end of the array, in whole rows. It reserves their
// blocks, so that a full disk is an error of Grow, and not a fault when a number
// is stored through Slice. Slices that were returned before stay valid and do
// not grow; call Slice again.
//
// A process that is killed during Grow leaves a file that opens with the old or
// the new length.
func (f *File[T]) Grow(n int) error {
	s := f.store()
	if err := s.grow(n); err != nil || n == 0 {
		return wrap("grow", s.path, err)
	}
	f.look()
	return nil
}

// grow adds n zeros and maps them.
func (s *store) grow(n int) error {
	err := s.writable()
	if err == nil && n != 0 {
		err = s.addZeros(n)
	}
	if err == nil && n != 0 {
		s.remap(s.end(), true)
	}
	return err
}

func (s *store) addZeros(n int) error {
	if n < 0 {
		return fault(-1, ErrRange, "%d elements", n)
	}
	rows, err := s.rows(n)
	if err != nil {
		return err
	}
	end := s.at(s.Len + n)
	if s.Format.layout == rawLayout {
		return s.growRaw(end)
	}
	next, from, to, ok := s.resize(rows)
	if !ok {
		return fault(-1, ErrHeaderFull, "no room for shape %s", shapeText(next.Shape))
	}
	if err := s.reserveTo(end, end); err != nil {
		return err
	}
	if err := s.checkEnd(end); err != nil { // the reserve can be gone
		return err
	}
	return s.commit(next, from, to)
}

// rows returns the length of the growing dimension after n more elements.
func (s *store) rows(n int) (int, error) {
	row := s.row()
	if row == 0 || n%row != 0 {
		return 0, fault(-1, ErrShape, "%s cannot fill rows of shape %s", errtext.Counted(n, "element"), shapeText(s.Shape))
	}
	if _, ok := bytesOf(s.Len+n, s.e.size); !ok || s.Len+n < 0 {
		return 0, fault(-1, ErrLimit, "%d more elements are too many", n)
	}
	return s.Shape[s.grows()] + n/row, nil
}

// inPlace is the size up to which Append stores elements through the mapping.
// Larger ones are written, which is faster because no page faults occur.
const inPlace = 4 << 10

// appendNPY stores the elements after the array, and then the new length in the
// header: in this order, and the length in one step.
func (s *store) appendNPY(b []byte, rows int) error {
	end := s.end()
	after := end + int64(len(b))
	if len(b) <= inPlace && disk.CanMap && !s.noMap {
		if err := s.reserveTo(after, after+min(max(end/2, 64<<10), 64<<20)); err != nil {
			return err
		}
		s.remap(after, true)
		if s.current != nil {
			return s.appendMapped(b, end, rows)
		}
	}
	next, from, to, ok := s.resize(rows)
	if !ok {
		return fault(-1, ErrHeaderFull, "no room for shape %s", shapeText(next.Shape))
	}
	if err := s.dropOld(); err != nil {
		return err
	}
	if err := s.checkSize(); err != nil {
		return err
	}
	err := s.write(b, end)
	if err == nil && after > s.size {
		s.size, s.trim = after, true
		err = s.persistSize()
	}
	if err == nil {
		err = s.commit(next, from, to)
	}
	if err != nil {
		s.undo(after) // so that the bytes after the array are zero
	}
	return err
}

// appendMapped does the same through the mapping. A fault means that someone
// else has cut the file short.
func (s *store) appendMapped(b []byte, end int64, rows int) error {
	var err error
	failed := s.guard(func() {
		to := s.current[end:][:len(b)]
		if s.swapped {
			s.e.swap(to, b)
		} else {
			copy(to, b)
		}
		err = s.setRows(rows, len(b)/s.e.size)
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		s.undo(end + int64(len(b)))
	}
	return err
}

// setRows changes the length of an array in the header. It takes the short way
// if the digits that change are in one word, which one store changes.
func (s *store) setRows(rows, more int) error {
	var text [20]byte
	i := len(text)
	for n := rows; ; n /= 10 {
		i--
		text[i] = byte('0' + n%10)
		if n < 10 {
			break
		}
	}
	digits, at := text[i:], s.digits[0]
	if len(digits) == s.digits[1]-at {
		same := 0
		for same < len(digits) && s.bytes[at+same] == digits[same] {
			same++
		}
		word := (at + same) &^ 7
		if word == (at+len(digits)-1)&^7 && word+8 <= len(s.bytes) {
			copy(s.bytes[at+same:], digits[same:])
			mem.StoreAtomic64(mem.Bytes(s.current[word:]), mem.LoadNative64(mem.Bytes(s.bytes[word:]), 0))
			s.Len += more
			s.Shape[s.grows()] = rows
			return nil
		}
	}
	next, from, to, ok := s.resize(rows)
	if !ok {
		return fault(-1, ErrHeaderFull, "no room for shape %s", shapeText(next.Shape))
	}
	return s.commit(next, from, to)
}

// commit writes a changed header. It writes only the bytes that differ, all of
// which are in one page, so that a reader, and a process that is killed, sees
// all of them or none.
func (s *store) commit(next header, from, to int) error {
	if from/page != (to-1)/page {
		return fault(int64(from), ErrHeaderFull, "the shape crosses a page")
	}
	if _, err := s.f.WriteAt(next.bytes[from:to], int64(from)); err != nil {
		return err
	}
	s.header = next
	return nil
}

// reserveTo makes sure that the file has zero bytes and blocks up to need. If it
// must grow, it tries to grow to want.
func (s *store) reserveTo(need, want int64) error {
	if err := s.dropOld(); err != nil {
		return err
	}
	if need <= s.size {
		return nil
	}
	if err := s.checkSize(); err != nil {
		return err
	}
	s.trim = true
	err := s.extend(want)
	if err != nil && want > need {
		err = s.extend(need)
	}
	if err != nil {
		return err
	}
	return s.persistSize()
}

// persistSize makes a new size of the file durable before the header claims it,
// if there are elements that must survive a power loss.
func (s *store) persistSize() error {
	if !s.durable {
		return nil
	}
	return s.sync()
}

// dropOld removes bytes after the array that were there when the file was
// opened, such as the reserve of a writer that was killed. It refuses to remove
// another array.
func (s *store) dropOld() error {
	if s.clean {
		return nil
	}
	end := s.end()
	if s.size > end && !s.trim {
		b := make([]byte, len(magic))
		if n, _ := s.f.ReadAt(b, end); string(b[:n]) == magic {
			return fault(end, ErrTrailing, "another array is in the file")
		}
	}
	return s.cut()
}

// cut removes all bytes after the array. It does not make a file longer that someone else
// has cut short: the elements that are gone would become zeros.
func (s *store) cut() error {
	if err := s.checkSize(); err != nil {
		return err
	}
	if end := s.end(); s.size > end {
		if err := s.f.Truncate(end); err != nil {
			return err
		}
		s.size = end
	}
	s.clean = true
	return nil
}

// undo removes what a call that failed has written up to an offset. If this fails
// too, the next call that adds elements does it, or Close.
func (s *store) undo(to int64) {
	s.size, s.trim, s.clean = max(s.size, to), true, false
	_ = s.cut()
}
