package beamio

import (
	"fmt"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// ErrOptions: a field of [Options] is out of its range. [Read], [ReadAll] and [Write]
// panic with an error that matches it, because they have no other result than a
// PCollection.
var ErrOptions = record.ErrOptions

// Options are the options of [Read] and [Write]. A nil pointer means the zero value,
// which is the recommended default. A function copies its Options. Each function ignores
// the fields for the other.
type Options struct {
	// SplitSize is the size in bytes of the ranges into which Read divides files.
	// The default is 64 MiB. The runner divides them further while it reads. The
	// default does not divide files of a filesystem that cannot read from an offset;
	// see [Read].
	SplitSize int64

	// Shards is the number of files that Write makes. The default is one.
	Shards int
	// ShardSize is the number of bytes after which a bundle of Write continues with
	// the next shard. Each bundle can make the sizes of files differ by that much. A
	// file can be larger by the blocks that wait in a [record.Writer], about 1 MiB.
	// The default is 16 MiB.
	ShardSize int64
	// BlockSize, Metadata and Schema are those of [record.Options].
	BlockSize int
	Metadata  map[string]any
	Schema    *schema.Schema
	// Compress makes Write compress blocks with zstd. Read always decompresses.
	Compress bool

	// MaxBlock is the largest number of bytes of records in a block that Read accepts,
	// and so of a record that Write accepts. The default is that of [record.Options].
	MaxBlock int
}

const (
	defaultShardSize = 16 << 20
	maxShards        = 100_000 // five digits in a name
)

// Settings are checked Options as plain data, which a DoFn can contain.
type settings struct {
	SplitSize int64 // 0 is the default
	Shards    int
	ShardSize int64
	BlockSize int
	Metadata  []byte // MessagePack, because JSON does not keep the types of values
	Schema    []byte // its text; nil: none
	Compress  bool
	MaxBlock  int
}

// check returns the settings for Options.
func check(o *Options) (settings, error) {
	var c Options
	if o != nil {
		c = *o
	}
	switch {
	case c.SplitSize < 0:
		return settings{}, fmt.Errorf("%w: SplitSize %d is negative", ErrOptions, c.SplitSize)
	case c.ShardSize < 0:
		return settings{}, fmt.Errorf("%w: ShardSize %d is negative", ErrOptions, c.ShardSize)
	case c.Shards < 0 || c.Shards > maxShards:
		return settings{}, fmt.Errorf("%w: Shards %d is not in the range 0 to %d", ErrOptions, c.Shards, maxShards)
	}
	s := settings{c.SplitSize, max(c.Shards, 1), c.ShardSize, c.BlockSize, nil, nil, c.Compress, c.MaxBlock}
	if s.ShardSize == 0 {
		s.ShardSize = defaultShardSize
	}
	if c.Metadata != nil {
		var err error
		if s.Metadata, err = msgpack.Marshal(c.Metadata); err != nil {
			return settings{}, fmt.Errorf("%w: Metadata: %w", ErrOptions, err)
		}
	}
	if c.Schema != nil {
		s.Schema = c.Schema.Compact()
	}
	// Fail when the pipeline is built, not on a worker.
	options, err := s.record()
	if err == nil {
		_, err = record.NewWriter(discard{}, &options)
	}
	return s, err
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// record returns the options for a file.
func (s *settings) record() (record.Options, error) {
	o := record.Options{BlockSize: s.BlockSize, MaxBlock: s.MaxBlock}
	codec, err := zstd.New(zstd.Default)
	if err != nil {
		return o, err
	}
	o.Decompressor = codec
	if s.Compress {
		o.Compressor = codec
	}
	if s.Metadata != nil {
		if err = msgpack.Unmarshal(s.Metadata, &o.Metadata); err != nil {
			return o, err
		}
	}
	if s.Schema != nil {
		o.Schema, err = schema.Parse(s.Schema)
	}
	return o, err
}
