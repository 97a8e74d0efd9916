package record

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"sync"
)

// All returns the records of the file in order, as values of type T.
//
// If a record is not a T, the error is that of package msgpack inside an [*Error],
// and the loop can continue with the next record. After any other error there are
// no more records. A torn file ends without an error after its last whole block; see
// [File.Report].
func All[T any](f *File) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) { In[T](f, f.all())(yield) }
}

// In returns the records of a range in order, like [All].
func In[T any](f *File, r Range) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		named := func(v T, err error) bool {
			if err != nil {
				err = inFile(f.path, err)
			}
			return yield(v, err)
		}
		blocks, src := f.shared()
		w, err := f.enter(r, src)
		if err != nil {
			named(*new(T), err)
			return
		}
		src.ahead = largeRead
		for {
			b, more, err := w.nextIn(r)
			if err == nil && more {
				if err = blocks.read(b); err != nil {
					more, err = false, w.blockError(b, err)
				}
			}
			if err != nil {
				named(*new(T), err)
				return
			}
			if !more || !decodeBlock(blocks, named) {
				share(blocks)
				return
			}
		}
	}
}

// readers has blockReaders whose buffers serve the next ranges and files. They are
// most of what reading a range allocates.
var readers sync.Pool

// maxShared is the largest buffer that a blockReader in readers has.
const maxShared = 1 << 20

// shared returns a blockReader and its source. They have the buffers of an earlier
// one if possible.
func (f *File) shared() (*blockReader, *fileSource) {
	r, ok := readers.Get().(*blockReader)
	src := f.source()
	if !ok {
		return &blockReader{src: src, o: &f.o, alias: f.alias}, src
	}
	src.buf = r.src.(*fileSource).buf
	r.src, r.o, r.alias = src, &f.o, f.alias
	if r.decodes != f.o.Codec {
		r.decoder = nil
	}
	return r, src
}

// share makes the buffers of r available to the next range.
func share(r *blockReader) {
	src := r.src.(*fileSource)
	if cap(src.buf) > maxShared || cap(r.raw) > maxShared {
		return
	}
	if r.decoder != nil {
		r.decoder.Reset(nil)
	}
	*r = blockReader{src: &fileSource{buf: src.buf[:0]}, raw: r.raw[:0], decoder: r.decoder, decodes: r.decodes}
	readers.Put(r)
}

// InBlock returns the records of a block in order, like [All]. The block is one that
// [File.Blocks] of the same File has returned. It is for programs that decide block
// by block who reads it; [In] is simpler. A block whose content a power loss has taken is
// [ErrTruncated], because it is in the torn end.
func InBlock[T any](f *File, b Block) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		named := func(v T, err error) bool {
			if err != nil {
				err = inFile(f.path, err)
			}
			return yield(v, err)
		}
		if err := f.check(); err != nil {
			named(*new(T), err)
			return
		}
		if b.Offset < 0 || b.Records < 1 || b.Raw < b.Records || b.Raw > f.o.MaxBlock ||
			b.Stored < minFrame || int64(b.Stored) > maxStored(f.o.MaxBlock) {
			named(*new(T), fault(ErrOptions, fmt.Sprintf("block %+v", b)))
			return
		}
		blocks := f.reader()
		err := blocks.read(b)
		if err == nil {
			err = f.inTornEnd(b, f.contents())
		} else if errors.Is(err, errChecksum) {
			c, _ := f.load()
			err = cmp.Or(f.inTornEnd(b, c), err)
		}
		if err != nil {
			named(*new(T), err)
			return
		}
		decodeBlock(blocks, named)
		blocks.content = nil // At must not find it, because b.Ordinal may be that of a part
		f.give(blocks)
	}
}

// inTornEnd returns an error if c, which may be nil, says that the block is in the torn end.
func (f *File) inTornEnd(b Block, c *contents) error {
	if c == nil || c.fault != nil || c.report.Torn == 0 || b.Offset < c.end {
		return nil
	}
	return faultAt(ErrTruncated, b.Offset, "block in the torn end")
}

// contents returns what the File knows of its blocks, or nil.
func (f *File) contents() *contents {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.known
}

// At returns the record with an ordinal, counted from 0. It reads one block, or
// none if the last call read the same. The error is [ErrNotFound] if there are not
// so many records.
func At[T any](f *File, ordinal int64) (T, error) {
	var v T
	blocks, err := f.take(ordinal)
	if err != nil {
		return v, inFile(f.path, err)
	}
	defer f.give(blocks)
	i := int(ordinal - blocks.block.Ordinal)
	rest, err := blocks.skip(i)
	if err == nil {
		v, _, err = decodeOne[T](blocks, i, rest)
	}
	return v, inFile(f.path, err)
}

// take returns a blockReader that has read the block with the record.
func (f *File) take(ordinal int64) (*blockReader, error) {
	c, err := f.load()
	if ordinal < 0 || ordinal >= c.report.Records {
		if err == nil || ordinal < 0 {
			err = &Error{Offset: -1, Record: ordinal, Err: ErrNotFound}
		}
		return nil, err
	}
	blocks := f.reader()
	if has(blocks, ordinal) {
		return blocks, nil
	}
	b, err := f.find(c, ordinal, blocks.src)
	if err == nil {
		err = blocks.read(b)
	}
	if err != nil {
		return nil, err
	}
	return blocks, nil
}

func has(r *blockReader, ordinal int64) bool {
	return r.content != nil && ordinal >= r.block.Ordinal && ordinal < r.block.Ordinal+int64(r.block.Records)
}

// find returns the block that has the record.
func (f *File) find(c *contents, ordinal int64, src source) (Block, error) {
	p := c.places.before(ordinal)
	part := c.parts[p.part]
	f.mu.Lock()
	w := f.walkOf(src, part.offset)
	f.mu.Unlock()
	w.whole = c.end
	if _, _, err := w.step(); err != nil {
		return Block{}, err
	}
	w.base, w.pos, w.next = part.base, p.offset, p.ordinal-part.base
	for {
		s, b, err := w.step()
		switch {
		case err != nil:
			return Block{}, err
		case s == atEnd || s == atTear || s == atBlock && b.Ordinal > ordinal:
			// The index is not that of these blocks.
			return Block{}, faultAt(ErrCorrupt, p.offset, fmt.Sprintf("no block with record %d", ordinal))
		case s == atBlock && ordinal < b.Ordinal+int64(b.Records):
			return b, nil
		}
	}
}

// reader returns the blockReader of the last call, or another one if that is in use.
func (f *File) reader() *blockReader {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.idle; r != nil {
		f.idle = nil
		return r
	}
	return &blockReader{src: &fileSource{r: f.r, size: f.size}, o: &f.o, alias: f.alias}
}

// give keeps r for the next call.
func (f *File) give(r *blockReader) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.src.(*fileSource).size == f.size {
		f.idle = r
	}
}
