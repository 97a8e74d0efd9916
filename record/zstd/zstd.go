// Package zstd compresses the blocks of record files. It is a module of its own because package record has no
// dependencies.
//
//	c, err := zstd.New(zstd.Default)
//	o := record.Options{Compressor: c, Decompressor: c}
//	w, err := record.Create("clicks.rec", &o)
//
// The work is done by github.com/klauspost/compress/zstd.
package zstd

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zstd"

	"github.com/octet-go/octet/record"
)

// A Level is a compromise between speed and size.
type Level int

// The levels, from fast to small.
const (
	Fastest Level = iota - 1
	Default
	Better
	Best
)

// A Codec compresses and decompresses blocks. It needs no Close. Several files can
// share it: each call of Compress and Decompress is independent.
type Codec struct {
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

var (
	_ record.Compressor   = (*Codec)(nil)
	_ record.Decompressor = (*Codec)(nil)
)

var errZero = errors.New("record/zstd: zero Codec; use New")

// New returns a Codec that compresses with a level. Any Codec decompresses blocks of
// any level. The error for an unknown level is [record.ErrOptions]. The memory for it is allocated on first use: about 1 MiB to compress
// with Default, and as much as the largest block to decompress.
func New(level Level) (*Codec, error) {
	levels := map[Level]zstd.EncoderLevel{
		Fastest: zstd.SpeedFastest, Default: zstd.SpeedDefault,
		Better: zstd.SpeedBetterCompression, Best: zstd.SpeedBestCompression,
	}
	l, ok := levels[level]
	if !ok {
		return nil, &record.Error{Offset: -1, Record: -1, Found: fmt.Sprintf("compression level %d", level), Err: record.ErrOptions}
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(l), zstd.WithEncoderCRC(true), zstd.WithSingleSegment(true),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	// The frame cannot decide how much memory it takes: DecodeAll stays within the
	// capacity of the block, which package record has checked.
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithDecodeAllCapLimit(true),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return nil, err
	}
	return &Codec{encoder, decoder}, nil
}

// Compress implements [record.Compressor].
func (c *Codec) Compress(dst, src []byte) ([]byte, error) {
	if c.encoder == nil {
		return nil, errZero
	}
	return c.encoder.EncodeAll(src, dst), nil
}

// Decompress implements [record.Decompressor].
func (c *Codec) Decompress(dst, frame []byte) ([]byte, error) {
	if c.decoder == nil {
		return nil, errZero
	}
	return c.decoder.DecodeAll(frame, dst)
}
