package parquet

import (
	"fmt"
	"runtime"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/transcode"
	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// A Format is the format of an input.
type Format uint8

const (
	Record      Format = iota // a record file, or several, one after the other
	MessagePack               // a stream of MessagePack values
	JSON                      // a stream of JSON values, such as NDJSON
)

// String returns the name of the format, such as "record".
func (f Format) String() string {
	switch f {
	case Record:
		return "record"
	case MessagePack:
		return "msgpack"
	case JSON:
		return "json"
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// A Compression is how the pages of columns are compressed.
type Compression uint8

const (
	Snappy       Compression = iota // fast, and read by every program
	Zstd                            // smaller
	Gzip                            // for old programs
	Uncompressed                    // no compression
)

// String returns the name of the compression, such as "snappy".
func (c Compression) String() string {
	switch c {
	case Snappy:
		return "snappy"
	case Zstd:
		return "zstd"
	case Gzip:
		return "gzip"
	case Uncompressed:
		return "none"
	}
	return fmt.Sprintf("Compression(%d)", uint8(c))
}

// codec returns what the library calls c.
func (c Compression) codec() compress.Codec {
	switch c {
	case Zstd:
		return &parquetgo.Zstd
	case Gzip:
		return &parquetgo.Gzip
	case Uncompressed:
		return &parquetgo.Uncompressed
	}
	return &parquetgo.Snappy
}

// MaxRecord is the largest record that is exported, in bytes of MessagePack or JSON.
const MaxRecord = 128 << 20

// Options are the options of [Export]. A nil pointer means the zero value, which is the
// recommended default.
type Options struct {
	// Format is the format of the input. Default: Record.
	Format Format

	// Schema says which columns there are. Default: the schema in the record file if it
	// has one, otherwise that of all records.
	Schema *schema.Schema

	// Infer makes the columns from all records, although the record file has a schema. It
	// is for a file to which programs with newer versions of the schema have appended.
	// It must not be set together with Schema.
	Infer bool

	// Compression compresses the pages of the columns. Default: Snappy.
	Compression Compression

	// RowGroup is the number of bytes of records, as MessagePack or JSON, after which a
	// row group ends: 64 KiB to 1 GiB, default 32 MiB. Memory is about three times as much for each
	// processor. A file has at most 32,767 row groups.
	RowGroup int

	// Procs is the number of row groups that are made at the same time: 1 to 256, default
	// GOMAXPROCS.
	Procs int

	// Decompressor is for record files whose blocks are compressed, such as that of
	// package record/zstd.
	Decompressor record.Decompressor

	// Reversible reads JSON with escape objects: see package transcode. RoundNumbers is
	// the option of that name there.
	Reversible, RoundNumbers bool
}

// checked returns a copy of o with its defaults.
func (o *Options) checked() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	if c.RowGroup == 0 {
		c.RowGroup = 32 << 20
	}
	if c.Procs == 0 {
		c.Procs = min(runtime.GOMAXPROCS(0), 256)
	}
	switch {
	case c.Format > JSON:
		return c, fmt.Errorf("%w: Format is %d", ErrOptions, c.Format)
	case c.Compression > Uncompressed:
		return c, fmt.Errorf("%w: Compression is %d", ErrOptions, c.Compression)
	case c.RowGroup < 64<<10 || c.RowGroup > 1<<30:
		return c, fmt.Errorf("%w: RowGroup is %d", ErrOptions, c.RowGroup)
	case c.Procs < 1 || c.Procs > 256:
		return c, fmt.Errorf("%w: Procs is %d", ErrOptions, c.Procs)
	case c.Infer && c.Schema != nil:
		return c, fmt.Errorf("%w: Infer is set together with Schema", ErrOptions)
	}
	return c, nil
}

// json returns the options for reading JSON.
func (o *Options) json() *transcode.Options {
	return &transcode.Options{MaxValue: MaxRecord, Reversible: o.Reversible, RoundNumbers: o.RoundNumbers}
}
