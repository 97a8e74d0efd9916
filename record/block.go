package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A blockReader reads the blocks of one source. It is used by one goroutine at a
// time.
type blockReader struct {
	src   source
	o     *Options
	alias bool   // o.Codec decodes values that share memory with the input
	raw   []byte // content of compressed blocks

	decoder *msgpack.Decoder // of the content; nil until it is needed
	decodes *msgpack.Codec   // the Codec of decoder

	block   Block  // whose content this is, if content is not nil
	content []byte // records

	marks []int32 // where record 0, apart, 2*apart and so on begin, as far as skip has gone
}

// frame returns the zstd frame of the block b, whose checksum it has checked. It is
// valid until the next call.
func (r *blockReader) frame(b Block) ([]byte, error) {
	r.content = nil
	n := blockHeaderSize + b.Stored
	all, err := r.src.at(b.Offset, n)
	if err != nil {
		return nil, err
	}
	if len(all) < n {
		return nil, faultAt(ErrTruncated, b.Offset, "block")
	}
	if frame := all[blockHeaderSize:]; checksum(frame) == b.crc {
		return frame, nil
	}
	return nil, wrongChecksum(b)
}

// wrongChecksum returns the error for a block whose header is valid. walk.blockError decides
// what it means.
func wrongChecksum(b Block) error {
	return faultAt(errChecksum, b.Offset, "block with a wrong checksum")
}

// read reads the block b. The content is valid until the next call.
func (r *blockReader) read(b Block) error {
	frame, err := r.frame(b)
	if err != nil {
		return err
	}
	content, kind := joinFrame(frame, b.Raw)
	if kind == frameCompressed {
		content, err = r.decompress(b, frame)
		if err != nil {
			return err
		}
	} else if kind == frameBroken {
		return faultAt(ErrCorrupt, b.Offset, "block without a valid zstd frame")
	}
	r.src.changed(b.end())
	r.block, r.content = b, content
	r.marks = r.marks[:0]
	return nil
}

func (r *blockReader) decompress(b Block, frame []byte) ([]byte, error) {
	if r.o.Decompressor == nil {
		return nil, faultAt(ErrCompressed, b.Offset, "block")
	}
	// A Writer stores what does not become smaller.
	if len(frame) > r.o.MaxBlock+minBlock || !couldExpand(len(frame), b.Raw) {
		return nil, faultAt(ErrCorrupt, b.Offset, "compressed block with a wrong length")
	}
	if cap(r.raw) < b.Raw {
		r.raw = make([]byte, 0, b.Raw)
	}
	content, err := r.o.Decompressor.Decompress(r.raw[:0:b.Raw], frame)
	if err != nil {
		return nil, faultAt(ErrCorrupt, b.Offset, fmt.Sprintf("compressed block that cannot be read (%v)", err))
	}
	if len(content) != b.Raw {
		return nil, faultAt(ErrCorrupt, b.Offset, "compressed block with a wrong length")
	}
	return content, nil
}

// verify checks what reading leaves unchecked: the checksum of the zstd frame, and
// that the content is as many values as the header says. sum is the end of the frame.
func (r *blockReader) verify(sum uint32) error {
	if !contentMatches(sum, r.content) {
		return faultAt(ErrCorrupt, r.block.Offset, "block whose content has a wrong checksum")
	}
	rest, err := r.skip(r.block.Records)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return r.surplus()
	}
	return nil
}

// frameEnd returns the checksum at the end of a frame.
func frameEnd(frame []byte) uint32 {
	return binary.LittleEndian.Uint32(frame[len(frame)-frameSumSize:])
}

// maxDecoder is the largest content that is read by a Decoder. It is faster than
// decoding value by value, because short strings of several records share memory,
// but its buffer can become four times as long as a value.
const maxDecoder = 1 << 20

// decodeBlock decodes the records of a block until yield returns false. It reports
// whether yield returned true to the end and the block is as its header says.
//
// A record that is not what T wants is an error for yield, and the next record
// follows. After a damaged one, nothing does.
func decodeBlock[T any](r *blockReader, yield func(T, error) bool) bool {
	content := r.content
	pos, base := 0, 0 // of the record, and of the input of d
	var d *msgpack.Decoder
	if len(content) <= maxDecoder {
		if r.decoder == nil {
			r.decoder, r.decodes = r.o.Codec.NewDecoder(nil), r.o.Codec
		}
		d = r.decoder
		d.Reset(bytes.NewReader(content))
	}
	for i := range r.block.Records {
		var v T
		if d != nil && d.Decode(&v) == nil {
			pos = base + int(d.InputOffset())
			if !yield(v, nil) {
				return false
			}
			continue
		}
		// The record is damaged, or not a T, or the block is large.
		v, n, err := decodeOne[T](r, i, content[pos:])
		more := yield(v, err)
		if !more || n == 0 {
			return false
		}
		pos += n
		if d != nil {
			d.Reset(bytes.NewReader(content[pos:]))
			base = pos
		}
	}
	if pos < len(content) {
		yield(*new(T), r.surplus())
		return false
	}
	return true
}

// decodeOne decodes the record at the start of b and returns its length, or 0 if it
// is damaged. i is its index in the block.
func decodeOne[T any](r *blockReader, i int, b []byte) (v T, n int, err error) {
	if n, err = wire.Skip(b, math.MaxInt32); err != nil {
		return v, 0, r.damaged(i)
	}
	value := b[:n]
	if r.alias {
		value = bytes.Clone(value) // because the buffer is used again
	}
	if err = r.o.Codec.Unmarshal(value, &v); err != nil {
		err = &Error{Offset: r.block.Offset, Record: r.block.Ordinal + int64(i), Found: "value", Err: err}
		return *new(T), n, err
	}
	return v, n, nil
}

// apart is the number of records between two marks.
const apart = 1 << 10

// skip returns what follows the first records of the block. It goes on from the last mark before the wanted record, so that
// calls of At in any order do not go over all records before it each time.
func (r *blockReader) skip(records int) ([]byte, error) {
	if len(r.marks) == 0 {
		r.marks = append(r.marks, 0)
	}
	k := min(records/apart, len(r.marks)-1)
	pos := int(r.marks[k])
	for i := k * apart; i < records; {
		n, err := wire.Skip(r.content[pos:], math.MaxInt32)
		if err != nil {
			return nil, r.damaged(i)
		}
		pos += n
		if i++; i == len(r.marks)*apart {
			r.marks = append(r.marks, int32(pos))
		}
	}
	return r.content[pos:], nil
}

// surplus returns the error for a block with more records than its header says.
func (r *blockReader) surplus() error {
	return faultAt(ErrCorrupt, r.block.Offset, "block with more records than it says")
}

// damaged returns the error for a record that is not a value.
func (r *blockReader) damaged(i int) error {
	return &Error{Offset: r.block.Offset, Record: r.block.Ordinal + int64(i), Found: "block with a damaged record", Err: ErrCorrupt}
}

// aliases reports whether values that the codec decodes share memory with the
// input. Only the codec knows; a Raw shows it.
func aliases(codec *msgpack.Codec) bool {
	input := []byte{0xc0}
	var raw msgpack.Raw
	return codec.Unmarshal(input, &raw) == nil && len(raw) > 0 && &raw[0] == &input[0]
}
