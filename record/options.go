package record

import (
	"fmt"
	"sync"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// Options are the options of writers and readers. A nil pointer means the zero value,
// which is the recommended default. A function copies its Options, so that a later
// change has no effect. Writers ignore the fields for readers, and readers those for
// writers. The error for an invalid field is [ErrOptions].
type Options struct {
	// Codec encodes and decodes the records. The default is that of the functions of
	// package msgpack. AliasInput has no advantage here: each record is copied.
	Codec *msgpack.Codec

	// Compressor compresses blocks when they are written. By default blocks are
	// stored. A block that does not become smaller is stored.
	Compressor Compressor

	// Decompressor is for reading blocks that are compressed. Without it such a block
	// is [ErrCompressed]. Stored blocks never need it.
	Decompressor Decompressor

	// BlockSize is the number of bytes of records after which a Writer ends a block:
	// 1 KiB to 64 MiB, default 256 KiB. Smaller blocks make [At] faster and lose less
	// when a file is damaged; larger blocks compress better. A block costs 53 bytes
	// and the header of its zstd frame. A Writer has at most six of the default size in
	// memory, at most three of 1 MiB or more, as large records make them, and at most
	// 18 of the smallest.
	BlockSize int

	// MaxBlock is the largest number of bytes of records in a block, and so of a
	// record: 1 KiB to 128 MiB, default 64 MiB. A Writer refuses larger records, a
	// reader larger blocks. Reading takes at most twice as much memory.
	MaxBlock int

	// Metadata is written to the header of a new file, where [File.Metadata] finds it.
	// It takes at most 64 KiB, and must not contain the text octet-rec, with which readers find headers.
	// [Append] ignores it for a file that has a header.
	Metadata map[string]any

	// Schema says what the records look like. It is written to the header of a new file,
	// where [File.Schema] finds it; together with Metadata it takes at most 64 KiB.
	// [Append] compares it with that of the file. If with one of them a program could not
	// read the records of the other, or would lose a field, the error is [ErrSchema], with
	// a [SchemaError]. Otherwise the file keeps the schema that it has. A file without a
	// schema accepts any. The records are not checked.
	Schema *schema.Schema

	// SyncEvery is the longest time that a written record may remain unsynced. With the
	// default, 0, only [Writer.Sync] and [Writer.Close] sync. It requires a destination
	// that can sync.
	SyncEvery time.Duration

	// Progress is called by [Recover] before the first block, after each block, and while
	// it searches after damage, with the number of bytes of the file that are done. If it
	// returns an error, Recover stops and returns this error.
	Progress func(done int64) error
}

// A Compressor makes zstd frames. The nested module record/zstd has one.
type Compressor interface {
	// Compress appends one zstd frame with the contents of src to dst. The frame says
	// how long its content is, has a content checksum, and needs no dictionary.
	// A Writer does not call it concurrently.
	Compress(dst, src []byte) ([]byte, error)
}

// A Decompressor reads zstd frames. The nested module record/zstd has one.
type Decompressor interface {
	// Decompress appends the content of one zstd frame to dst. The content must fit
	// the capacity of dst; if it does not, the result is an error. It is safe for
	// concurrent use and does not keep its arguments.
	Decompress(dst, frame []byte) ([]byte, error)
}

const (
	minBlock       = 1 << 10
	largestBlock   = 64 << 20  // of BlockSize
	largestMax     = 128 << 20 // of MaxBlock; format.go relies on it
	defaultBlock   = 256 << 10
	defaultMax     = 64 << 20
	maxHeaderBytes = 64 << 10 // of the MessagePack map in a file header
)

// checked returns a copy of the Options, with defaults for the fields that are zero.
func checked(given *Options) (Options, error) {
	var o Options
	if given != nil {
		o = *given
	}
	if o.Codec == nil {
		o.Codec = defaultCodec()
	}
	switch {
	case o.BlockSize != 0 && (o.BlockSize < minBlock || o.BlockSize > largestBlock):
		return o, fault(ErrOptions, fmt.Sprintf("BlockSize %d is not in the range %d to %d", o.BlockSize, minBlock, largestBlock))
	case o.MaxBlock != 0 && (o.MaxBlock < minBlock || o.MaxBlock > largestMax):
		return o, fault(ErrOptions, fmt.Sprintf("MaxBlock %d is not in the range %d to %d", o.MaxBlock, minBlock, largestMax))
	case o.MaxBlock != 0 && o.MaxBlock < o.BlockSize:
		return o, fault(ErrOptions, fmt.Sprintf("MaxBlock %d is less than BlockSize %d", o.MaxBlock, o.BlockSize))
	case o.SyncEvery < 0:
		return o, fault(ErrOptions, fmt.Sprintf("SyncEvery %v is negative", o.SyncEvery))
	case o.Schema != nil && o.Schema.Root.Type == nil:
		return o, fault(ErrOptions, "Schema without a type")
	}
	if o.MaxBlock == 0 {
		o.MaxBlock = defaultMax
	}
	if o.BlockSize == 0 {
		o.BlockSize = min(defaultBlock, o.MaxBlock)
	}
	return o, nil
}

// defaultCodec returns the Codec for Options without one. It is shared, so that each
// type is compiled once.
var defaultCodec = sync.OnceValue(func() *msgpack.Codec {
	c, err := msgpack.New(msgpack.Options{})
	if err != nil {
		panic(err) // the zero Options are valid
	}
	return c
})
