package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/transcode"
)

// inputs are the files that are read, one after the other.
type inputs struct {
	format  parquet.Format
	files   []*os.File
	names   []string // of temporary files
	current int
	sizes   []int64      // of each file; of a record file, what is read of it
	torn    []int64      // of each record file but the last: the bytes after its last whole block
	pos     int64        // in the current file
	length  int64        // of all files
	read    atomic.Int64 // bytes, in all passes
	newline bool         // is due before the next file, so that JSON values do not touch
	ends    ends         // of MessagePack values, if there are several files
}

// ends finds files that end inside a MessagePack value. The next file would complete it.
type ends struct {
	splitter wire.Splitter
	offset   int64 // of what follows in all files
	begun    int64 // offset of the value that begins last and has not ended
	invalid  bool  // Export returns the error
}

// look looks at the next bytes.
func (e *ends) look(b []byte) {
	if e.invalid {
		return
	}
	end, _, err := e.splitter.Last(b)
	e.invalid = err != nil
	if end > 0 {
		e.begun = e.offset + int64(end)
	}
	e.offset += int64(len(b))
}

// check returns an error if a file that ends here ends inside a value.
func (e *ends) check() error {
	if e.invalid || e.begun == e.offset {
		return nil
	}
	return &parquet.Error{Record: -1, Offset: e.begun, Err: wire.ErrTruncated}
}

// openInputs opens the files. Standard input, a pipe or a device is copied to a temporary file
// because it cannot be read twice.
func openInputs(names []string, from string, stdin *os.File) (in *inputs, err error) {
	in = &inputs{}
	defer func() {
		if err != nil {
			in.close()
		}
	}()
	for i, name := range names {
		f := stdin
		if name == "-" {
			if f, err = in.spool(stdin); err != nil {
				return in, &failure{exitAccess, err}
			}
		} else if f, err = in.open(name); err != nil {
			return in, &failure{exitAccess, err}
		}
		in.files = append(in.files, f)
		info, err := f.Stat()
		switch {
		case err != nil:
			return in, &failure{exitAccess, err}
		case info.IsDir():
			return in, &failure{exitAccess, fmt.Errorf("%s is a directory", name)}
		}
		in.length += info.Size()
		format, err := formatOf(name, from, f)
		if err != nil {
			return in, err
		}
		if i > 0 && format != in.format {
			return in, &failure{exitUsage, fmt.Errorf("%s is %v, but the files before it are %v", name, format, in.format)}
		}
		in.format = format
		in.sizes, in.torn = append(in.sizes, info.Size()), append(in.torn, 0)
	}
	if in.format == parquet.Record {
		for i, f := range in.files[:max(len(names)-1, 0)] {
			in.torn[i] = tornEnd(f, in.sizes[i])
			in.sizes[i] -= in.torn[i]
		}
	}
	return in, nil
}

// tornEnd returns the number of bytes at the end of a record file that are not a whole block. Together with the next file, they
// would be damage.
func tornEnd(f *os.File, size int64) int64 {
	file, err := record.NewFile(f, size, &record.Options{MaxBlock: parquet.MaxRecord})
	if err != nil {
		return 0 // Export has the same error
	}
	report, err := file.Report()
	if err != nil {
		return 0
	}
	return report.Torn
}

// open opens a file.
func (in *inputs) open(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return f, err
	}
	defer f.Close()
	return in.spool(f)
}

// spool copies r to a temporary file unless it is a regular file.
func (in *inputs) spool(r *os.File) (*os.File, error) {
	if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
		return r, nil
	}
	f, err := os.CreateTemp("", "octet-parquet-*")
	if err != nil {
		return nil, err
	}
	in.names = append(in.names, f.Name())
	_ = os.Remove(f.Name()) // where an open file can be removed, nothing is left after a signal
	if _, err = io.Copy(f, r); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// contain reports whether an output is the file of an input. stdout is the output of the name -.
func (in *inputs) contain(output string, stdout *os.File) bool {
	stat := stdout.Stat
	if output != "-" {
		stat = func() (fs.FileInfo, error) { return os.Stat(output) }
	}
	info, err := stat()
	return err == nil && slices.ContainsFunc(in.files, func(f *os.File) bool {
		other, err := f.Stat()
		return err == nil && os.SameFile(info, other)
	})
}

func (in *inputs) close() {
	for _, f := range in.files {
		f.Close()
	}
	for _, name := range in.names {
		os.Remove(name)
	}
}

// formatOf returns the format of a file: the one that the flag names, otherwise that of
// its first bytes and name.
func formatOf(name, from string, f *os.File) (parquet.Format, error) {
	for _, format := range []parquet.Format{parquet.Record, parquet.MessagePack, parquet.JSON} {
		if from == format.String() {
			return format, nil
		}
	}
	if from != "" {
		return 0, &failure{exitUsage, fmt.Errorf("there is no format %q: record, msgpack or json", from)}
	}
	head := make([]byte, 64)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, &failure{exitAccess, err}
	}
	head = head[:n]
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	extension := strings.ToLower(filepath.Ext(name))
	switch {
	case n >= 18 && string(head[8:18]) == "\x01octet-rec", extension == ".rec": // its header may be torn or damaged
		return parquet.Record, nil
	case n > 3 && (string(head[:3]) == "\x1f\x8b\x08" || string(head[:4]) == "\x28\xb5\x2f\xfd"):
		return 0, &failure{exitUsage, fmt.Errorf("%s is compressed; decompress it first", name)}
	case extension == ".json" || extension == ".ndjson" || extension == ".jsonl":
		return parquet.JSON, nil
	case extension != ".msgpack" && extension != ".mp" && len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return parquet.JSON, nil
	}
	return parquet.MessagePack, nil
}

// Read reads the files one after the other.
func (in *inputs) Read(b []byte) (int, error) {
	for in.current < len(in.files) {
		if in.newline && len(b) > 0 {
			in.newline = false
			b[0] = '\n'
			return 1, nil
		}
		n, err := in.next(b)
		in.read.Add(int64(n))
		in.pos += int64(n)
		if n > 0 {
			if in.format == parquet.MessagePack && len(in.files) > 1 {
				in.ends.look(b[:n])
			}
			return n, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if err != nil {
			if err := in.ends.check(); err != nil {
				return 0, err
			}
			in.current, in.pos = in.current+1, 0
			in.newline = in.format == parquet.JSON
		}
	}
	return 0, io.EOF
}

// next reads the current file. What a program adds to a record file in the meantime is left out, because it may be read twice.
func (in *inputs) next(b []byte) (int, error) {
	f := in.files[in.current]
	if in.format != parquet.Record {
		return f.Read(b)
	}
	return io.LimitReader(f, in.sizes[in.current]-in.pos).Read(b)
}

// Seek returns to the beginning. Other positions are errors, except the current one,
// which Export asks for before it reads.
func (in *inputs) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence == io.SeekEnd || whence == io.SeekCurrent && in.read.Load() > 0 {
		return 0, errors.ErrUnsupported
	}
	in.current, in.pos, in.newline, in.ends = 0, 0, false, ends{}
	for _, f := range in.files {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// locate returns the name of the file that an error of Export is about, and the error with
// its place in that file. If the place is not known, it returns all names.
func (in *inputs) locate(names []string, err error) (name string, located error) {
	all := strings.Join(names, ", ")
	var value *parquet.Error
	var damage *record.Error
	var fault *transcode.Error
	var offset *int64
	switch {
	case errors.As(err, &value) && value.Offset >= 0:
		offset = &value.Offset
	case errors.As(err, &damage) && damage.Offset >= 0:
		offset = &damage.Offset
	case errors.As(err, &fault):
		offset = &fault.Offset
	default:
		return all, err
	}
	for i, f := range in.files {
		size := in.sizes[i]
		if in.format == parquet.JSON {
			size++ // the newline after it
		}
		if *offset < size || i == len(in.files)-1 {
			return names[i], err
		}
		*offset -= size
		if fault != nil {
			lines, e := lineEnds(f)
			if e != nil {
				return all, err
			}
			fault.Line -= lines + 1
		}
	}
	return all, err
}

// lineEnds counts the line ends of a file.
func lineEnds(f *os.File) (n int64, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	buf := make([]byte, 64<<10)
	for {
		read, err := f.Read(buf)
		n += int64(bytes.Count(buf[:read], []byte{'\n'}))
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return n, err
		}
	}
}

// A result is the file that is written, or standard output.
type result struct {
	*output.File
	written int64
	err     error // of Write
}

// create starts to write the named file.
func create(ctx context.Context, name string, stdout *os.File) (*result, error) {
	f, err := output.Create(ctx, name, stdout)
	if err != nil {
		return nil, named(name, err)
	}
	if isTerminal(f.Writer) {
		f.Discard()
		return nil, errors.New("standard output is a terminal; use -o FILE")
	}
	return &result{File: f}, nil
}

// named returns an error of the file system with the name that the user knows, instead of
// that of a temporary file.
func named(name string, err error) error {
	if access, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: access.Op, Path: name, Err: access.Err}
	}
	return err
}

func (r *result) Write(b []byte) (int, error) {
	n, err := r.File.Write(b)
	r.written += int64(n)
	if err != nil {
		err = named(r.Name, err)
		r.err = err
	}
	return n, err
}

// Seek and Truncate let Export write the file again.
func (r *result) Seek(offset int64, whence int) (int64, error) {
	f, ok := r.Writer.(*os.File)
	if !ok || r.Direct() {
		return 0, errors.ErrUnsupported
	}
	return f.Seek(offset, whence)
}

// Truncate is called after Seek.
func (r *result) Truncate(size int64) error {
	r.written = size
	return r.Writer.(*os.File).Truncate(size)
}
