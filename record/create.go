package record

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/octet-go/octet/internal/durable"
)

// Create makes a new file and returns a Writer for it. If the file exists, the error
// matches [fs.ErrExist]. When Create returns, the file and its name are synced.
//
// Until Close, the Writer holds a lock on a second file, whose name is that of the
// first with ".lock" after it. If another Writer holds the lock, the error is
// [ErrLocked].
func Create(path string, o *Options) (*Writer, error) {
	options, err := checked(o)
	if err != nil {
		return nil, err
	}
	h, err := newFileHeader(&options)
	if err != nil {
		return nil, err
	}
	l, err := lock(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	out := newBlockWriter(file, &options, h)
	err = out.write(h.bytes())
	if err == nil {
		err = syncFile(file)
	}
	if err != nil {
		file.Close()
		os.Remove(path) // it is new and has no record
		l.release()
		return nil, inFile(path, err)
	}
	return fileWriter(file, l, out, options), nil
}

// syncFile makes the file and its name durable.
func syncFile(file *os.File) error {
	if err := file.Sync(); err != nil {
		return err
	}
	return durable.Name(file.Name())
}

// fileWriter returns a Writer that owns the file and its lock.
func fileWriter(file *os.File, l *fileLock, out *blockWriter, o Options) *Writer {
	w := newWriter(out, o, file.Sync)
	w.synced = 0
	w.path = file.Name()
	w.close = func() error { return errors.Join(file.Close(), l.release()) }
	return w
}

// Append returns a Writer that adds records to the end of a file. If there is no
// such file, Append creates it. It cuts off the torn end that a crash has left, and keeps
// everything else. A damaged file is [ErrCorrupt]; use [Recover] to make a whole one.
//
// Append reads the headers of all blocks and checks the content of the last one. It
// locks the file as [Create] does.
func Append(path string, o *Options) (*Writer, error) {
	options, err := checked(o)
	if err != nil {
		return nil, err
	}
	l, err := lock(path)
	if err != nil {
		return nil, err
	}
	w, err := appendLocked(path, &options, l)
	if err != nil {
		l.release()
		return nil, inFile(path, err)
	}
	return w, nil
}

func appendLocked(path string, o *Options, l *fileLock) (*Writer, error) {
	_, missing := os.Lstat(path)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	out, w, err := openEnd(file, o)
	if err == nil {
		err = syncFile(file)
	}
	if err != nil {
		file.Close()
		if errors.Is(missing, fs.ErrNotExist) {
			os.Remove(path) // it is new and has no record
		}
		return nil, err
	}
	writer := fileWriter(file, l, out, *o)
	writer.total = w.base + max(w.next, 0)
	writer.part = w.base
	writer.synced = writer.total
	return writer, nil
}

// openEnd finds the end of the last whole block, cuts off what is torn after it, and
// returns a blockWriter for that place.
func openEnd(file *os.File, o *Options) (*blockWriter, *walk, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "append", Path: file.Name(), Err: errors.New("not a regular file")}
	}
	src := &fileSource{r: file, size: info.Size()}
	w := &walk{src: src, max: o.MaxBlock}
	out := newBlockWriter(file, o, fileHeader{})
	out.parts = 0
	var last Block
	for {
		if out.blocks > 0 && w.pos/out.blocks < smallRead {
			src.ahead = largeRead
		}
		s, b, err := w.step()
		if err != nil {
			return nil, nil, err
		}
		if s == atHeader {
			out.parts++
		}
		if s == atBlock {
			out.remember(entry{b.Offset, b.Ordinal, uint32(b.Raw), uint32(b.Stored)})
			last = b
		}
		if s == atEnd || s == atTear {
			break
		}
	}
	if last.Records > 0 {
		// The checksum tells whether the last block is whole, whatever its frame has.
		frame, err := src.at(last.Offset, blockHeaderSize+last.Stored)
		if err != nil {
			return nil, nil, err
		}
		if checksum(frame[blockHeaderSize:]) != last.crc {
			return nil, nil, faultAt(ErrCorrupt, last.Offset, "block with a wrong checksum")
		}
	}
	if w.pos < info.Size() {
		if err := file.Truncate(w.pos); err != nil {
			return nil, nil, err
		}
	}
	if _, err := file.Seek(w.pos, io.SeekStart); err != nil {
		return nil, nil, err
	}
	out.offset = w.pos
	if out.parts == 0 { // not even a header
		h, err := newFileHeader(o)
		if err != nil {
			return nil, nil, err
		}
		out.header, out.find, out.parts = h, newFinder(h.marker), 1
		return out, w, out.write(h.bytes())
	}
	out.header, out.find = w.header, w.find
	return out, w, nil
}
