package parquet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A file is a Parquet file that is written: row groups, and at the end what describes
// them.
type file struct {
	w      *bufio.Writer
	offset int64
	meta   format.FileMetaData
	paths  [][]string // of the columns
}

const magic = "PAR1"

// newFile begins a file with the columns. The library makes the description of a file
// without rows, to which row groups are added.
func newFile(w io.Writer, c *columns) (*file, error) {
	schema := c.schema()
	var empty bytes.Buffer
	none := parquetgo.NewGenericWriter[any](&empty, schema, parquetgo.CreatedBy("", "", ""))
	if err := none.Close(); err != nil {
		return nil, err
	}
	read, err := parquetgo.OpenFile(bytes.NewReader(empty.Bytes()), int64(empty.Len()))
	if err != nil {
		return nil, err
	}
	f := &file{w: bufio.NewWriterSize(checkedWriter{w}, 256<<10), meta: *read.Metadata(), paths: schema.Columns()}
	f.meta.CreatedBy = createdBy(debug.ReadBuildInfo())
	return f, f.put([]byte(magic))
}

// createdBy names this module and its version, for the description of a file. The version has no
// parentheses, because Java readers take them for the build and refuse other text in them.
func createdBy(info *debug.BuildInfo, ok bool) string {
	version := "(devel)"
	if ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/octet-go/octet/record/parquet" && m.Version != "" {
				version = m.Version
			}
		}
	}
	return "octet-parquet version " + strings.TrimPrefix(strings.Trim(version, "()"), "v")
}

// A checkedWriter checks what bufio does not: the counts that w returns.
type checkedWriter struct{ w io.Writer }

func (c checkedWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	switch {
	case n < 0 || n > len(b):
		return 0, errWriteCount
	case n < len(b) && err == nil:
		err = io.ErrShortWrite
	}
	return n, err
}

// put writes bytes.
func (f *file) put(b []byte) error {
	n, err := f.w.Write(b)
	f.offset += int64(n)
	return err
}

// A rowGroup is one that has not been written: for each column a description, the page of
// the dictionary, and the other pages.
type rowGroup struct {
	rows   int64
	bytes  int64 // before compression
	chunks []chunk
}

type chunk struct {
	meta              format.ColumnMetaData
	dictionary, pages []byte
}

// rowGroup returns the row group of the shredded records.
func (s *shredder) rowGroup() (g *rowGroup, err error) {
	g = &rowGroup{rows: s.row, chunks: make([]chunk, len(s.values))}
	for i := range s.values {
		c := &g.chunks[i]
		if c.meta, c.dictionary, err = s.values[i].finish(); err != nil {
			return nil, err
		}
		c.pages = s.values[i].chunk
		g.bytes += c.meta.TotalUncompressedSize
	}
	return g, nil
}

// reset prepares for another row group. It gives back memory if that is much more than a
// row group takes, which happens if row groups fill different columns.
func (s *shredder) reset(size int) {
	total := 0
	for i := range s.values {
		total += s.values[i].memory()
	}
	for i, n := range s.leaves {
		if total > 4*size+64<<20 {
			s.values[i].begin(n, s.values[i].scratch)
		} else {
			s.values[i].reset()
		}
	}
}

// write writes a row group.
func (f *file) write(g *rowGroup) error {
	if len(f.meta.RowGroups) == parquetgo.MaxRowGroups {
		return fmt.Errorf("%w: a file has at most %d row groups", ErrLimit, parquetgo.MaxRowGroups)
	}
	described := format.RowGroup{TotalByteSize: g.bytes, NumRows: g.rows, FileOffset: f.offset, Ordinal: int16(len(f.meta.RowGroups))}
	for i := range g.chunks {
		c := &g.chunks[i]
		start := f.offset
		c.meta.PathInSchema = f.paths[i]
		c.meta.DataPageOffset += start
		if c.dictionary != nil {
			c.meta.DictionaryPageOffset = start
		}
		if err := f.put(c.dictionary); err != nil {
			return err
		}
		if err := f.put(c.pages); err != nil {
			return err
		}
		described.TotalCompressedSize += c.meta.TotalCompressedSize
		described.Columns = append(described.Columns, format.ColumnChunk{FileOffset: start, MetaData: c.meta})
	}
	f.meta.RowGroups = append(f.meta.RowGroups, described)
	f.meta.NumRows += g.rows
	return nil
}

// close writes the end of the file.
func (f *file) close() error {
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &f.meta)
	if err != nil {
		return err
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	if err := f.put(append(footer, magic...)); err != nil {
		return err
	}
	return f.w.Flush()
}
