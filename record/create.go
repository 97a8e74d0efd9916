package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/durable"
)

// Create makes a new file and returns a Writer for it. If the file exists, the error
// matches [fs.ErrExist]. When Create returns, the file and its name are synced. This
// requires permission to read the directory.
//
// Until Close, the Writer holds the lock of the file: [Append] to it is [ErrLocked], by
// any name, link or directory, and in any process. Readers need no lock. The Writer goes on
// writing to its file if the file is renamed, removed or gets another link. On systems
// other than Linux, Windows, macOS, illumos and the BSDs, and on file systems without
// locks, only Writers of the same process are kept out.
//
// If another program cuts the file off, such as one that rotates logs by copying and
// truncating them, the Writer fails with [ErrTruncated].
func Create(path string, o *Options) (*Writer, error) { return create(disk.OS, path, o) }

func create(d disk.Disk, path string, o *Options) (*Writer, error) {
	w, _, err := createFile(d, path, o)
	return w, err
}

// createFile is create. It also returns the file of the Writer.
func createFile(d disk.Disk, path string, o *Options) (*Writer, disk.File, error) {
	options, err := checked(o)
	if err != nil {
		return nil, nil, err
	}
	h, err := newFileHeader(&options)
	if err != nil {
		return nil, nil, err
	}
	file, err := disk.OpenLocked(d, path, os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, nil, locked(path, err)
	}
	out, err := writeHeader(file, &options, h)
	if err == nil {
		err = syncFile(d, file)
	}
	if err != nil {
		disk.Discard(d, file) // it is new and has no record
		return nil, nil, inFile(path, err)
	}
	return fileWriter(file, out, options), file, nil
}

// writeHeader writes the header of an empty file.
func writeHeader(file disk.File, o *Options, h fileHeader) (*blockWriter, error) {
	w, err := file.From(0)
	if err != nil {
		return nil, err
	}
	out := newBlockWriter(w, o, h)
	return out, out.write(h.bytes())
}

// locked returns the error for a file that cannot be opened and locked.
func locked(path string, err error) error {
	if err == disk.ErrLocked {
		return inFile(path, fault(ErrLocked, ""))
	}
	return err
}

// syncFile makes the file and its name durable.
func syncFile(d disk.Disk, file disk.File) error {
	if err := file.Sync(); err != nil {
		return err
	}
	return d.SyncName(file.Name())
}

// fileWriter returns a Writer that owns the file.
func fileWriter(file disk.File, out *blockWriter, o Options) *Writer {
	w := newWriter(out, o, file.Sync)
	out.size = func() (int64, error) { return sizeOf(file) }
	w.synced = 0
	w.path = file.Name()
	w.close = func(bool) error { return file.Close() }
	return w
}

// Append returns a Writer that adds records to the end of a file. If there is no
// such file, Append creates it. It moves the torn end that a crash has left to a new file
// beside it, which [Writer.Report] names, and keeps everything else. A damaged file is
// [ErrCorrupt], and is not changed; use [Recover] to make a whole one.
//
// Append reads the whole file and verifies the checksum of each block. What nothing in the
// file proves to be synced, it writes again, because a sync of an earlier Writer may have
// failed: in a file that no Writer has synced, these are all blocks. It locks the file as
// [Create] does.
func Append(path string, o *Options) (*Writer, error) { return appendTo(disk.OS, path, o) }

func appendTo(d disk.Disk, path string, o *Options) (*Writer, error) {
	options, err := checked(o)
	if err != nil {
		return nil, err
	}
	file, made, err := openOrMake(d, path)
	if err != nil {
		return nil, locked(path, err)
	}
	var w *Writer
	info, err := file.Stat()
	if err == nil {
		w, err = continued(d, file, info, options)
	}
	if err != nil {
		if made {
			disk.Discard(d, file)
		} else {
			file.Close()
		}
		return nil, inFile(path, err)
	}
	return w, nil
}

// openOrMake opens and locks a file, and reports whether it has made it.
func openOrMake(d disk.Disk, path string) (file disk.File, made bool, err error) {
	file, err = disk.OpenLocked(d, path, os.O_RDWR)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, false, err
	}
	// With O_EXCL, systems do not follow a symbolic link to no file.
	file, err = disk.OpenLocked(d, durable.Target(path), os.O_RDWR|os.O_CREATE|os.O_EXCL)
	if !errors.Is(err, fs.ErrExist) {
		return file, true, err
	}
	// Another program has just made it.
	file, err = disk.OpenLocked(d, path, os.O_RDWR|os.O_CREATE)
	return file, false, err
}

// continued returns a Writer that continues a file.
func continued(d disk.Disk, file disk.File, info fs.FileInfo, o Options) (*Writer, error) {
	out := newBlockWriter(nil, &o, fileHeader{})
	src := &fileSource{r: file, size: info.Size(), ahead: largeRead}
	w, report, err := findEnd(src, out, o.MaxBlock)
	if err != nil {
		return nil, err
	}
	if report.Indexed || report.Parts > 1 {
		if out.closed, err = hasSeekTable(src, w.pos, out.entries); err != nil {
			return nil, err
		}
	}
	if report.Parts > 0 {
		if err := w.header.accepts(o.Schema); err != nil {
			return nil, err // before anything is changed
		}
	}
	if report.Torn > 0 {
		if report.Aside, err = cutOff(d, file, w.pos, info); err != nil {
			return nil, err
		}
	}
	if err := copyPieces(file, w.unproved(), file, w.unproved(), w.pos, nil); err != nil {
		return nil, err
	}
	if out.w, err = file.From(w.pos); err != nil {
		return nil, err
	}
	out.offset, out.parts, out.part = w.pos, int(report.Parts), w.part
	out.begin, out.tabled = w.pos, w.tabled
	if report.Parts > 0 {
		out.header, out.find = w.header, newFinder(w.header.marker)
		out.synced.Store(w.pos) // as soon as this function returns
		out.marked = -1
	} else { // not even a header
		h, err := newFileHeader(&o)
		if err != nil {
			return nil, err
		}
		out.header, out.find, out.parts = h, newFinder(h.marker), 1
		if err := out.write(h.bytes()); err != nil {
			return nil, err
		}
	}
	if err := syncFile(d, file); err != nil {
		return nil, err
	}
	writer := fileWriter(file, out, o)
	writer.total, writer.part, writer.synced = report.Records, w.base, report.Records
	writer.found = report
	return writer, nil
}

// findEnd goes over all blocks of a file and verifies them. The walk that it returns is at
// the end of the last one. out remembers them.
func findEnd(src *fileSource, out *blockWriter, limit int) (*walk, Report, error) {
	w := &walk{src: src, max: limit}
	report := Report{Size: src.size}
	for {
		s, b, err := w.step()
		if err == nil && s == atBlock {
			var sum uint32
			if sum, err = frameSum(src, b); err == nil && sum != b.crc {
				s, err = atTear, w.blockError(b, wrongChecksum(b))
			}
		}
		switch {
		case err != nil:
			return nil, report, err
		case s == atHeader:
			report.Parts++
		case s == atBlock:
			report.add(b)
			out.remember(entry{b.Offset, b.Ordinal, uint32(b.Raw), uint32(b.Stored)})
		default:
			if report.Torn = src.size - w.pos; report.Parts == 1 && report.Torn == 0 {
				report.Indexed, err = hasIndex(src, src.size, &w.header, report.Records)
			}
			return w, report, err
		}
	}
}

// unproved returns the offset from which on nothing in the file proves that it was synced. Append writes
// the same bytes there again, because the sync of an earlier Writer may have failed: the system then has them in
// its memory, but no longer knows that they are not on the disk, and a later sync does not write them.
func (w *walk) unproved() int64 {
	if w.inPart && w.safe == w.part+int64(w.header.size) {
		return w.part // not even the header
	}
	return w.safe
}

// cutOff moves what a file has from an offset on to a new file beside it, whose name it
// returns. The new file is synced before the other one is changed.
func cutOff(d disk.Disk, file disk.File, from int64, info fs.FileInfo) (name string, err error) {
	name, err = copyAside(d, file, from, info)
	if pathError, ok := errors.AsType[*fs.PathError](err); ok && pathError.Path == name {
		err = inFile(name, fault(err, "copy of the torn end"))
	}
	if err != nil {
		return "", err
	}
	if err = file.Truncate(from); err != nil {
		// If the file is as before, the next call makes the copy again. Otherwise the copy stays.
		if now, unknown := file.Stat(); unknown == nil && now.Size() == info.Size() {
			d.Remove(name)
		}
		return "", err
	}
	return name, nil
}

// copyAside makes the new file of cutOff.
func copyAside(d disk.Disk, file disk.File, from int64, info fs.FileInfo) (name string, err error) {
	var aside disk.File
	name = durable.Beside(file.Name(), fmt.Sprintf(".torn-%d", from))
	for n := 2; aside == nil; n++ {
		aside, err = d.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
		if errors.Is(err, fs.ErrExist) {
			name = durable.Beside(file.Name(), fmt.Sprintf(".torn-%d-%d", from, n)) // torn there before
		} else if err != nil {
			return name, err
		}
	}
	err = copyPieces(aside, 0, file, from, info.Size(), isZero)
	if err == nil {
		err = aside.Truncate(info.Size() - from) // it may end with zeros
	}
	if err == nil {
		err = aside.Sync()
	}
	if closed := aside.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = d.SyncName(name)
	}
	if err != nil {
		d.Remove(name)
	}
	return name, err
}

// copyPieces copies what a file has between two offsets to an offset of a file, which may be the same one. It leaves out
// the pieces for which skip, if it is not nil, reports true.
func copyPieces(to io.WriterAt, at int64, file io.ReaderAt, from, end int64, skip func([]byte) bool) error {
	b := make([]byte, min(int64(largeRead), end-from))
	for from < end {
		b = b[:min(int64(len(b)), end-from)]
		if n, err := file.ReadAt(b, from); n < len(b) {
			if err == io.EOF {
				err = faultAt(ErrTruncated, from+int64(n), "file that another program has cut off")
			}
			return err
		}
		if skip == nil || !skip(b) {
			if _, err := to.WriteAt(b, at); err != nil {
				return err
			}
		}
		from += int64(len(b))
		at += int64(len(b))
	}
	return nil
}
