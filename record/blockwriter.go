package record

import (
	"fmt"
	"io"
	"sync/atomic"
)

// A blockWriter makes blocks of records and writes them. One goroutine uses it at a
// time.
type blockWriter struct {
	w          io.Writer
	compressor Compressor
	header     fileHeader
	find       *finder
	offset     int64                 // of what is written next
	size       func() (int64, error) // of the file; nil if w is none of Create or Append
	part       int64                 // offset of the file header that applies

	synced atomic.Int64 // what comes before this offset was synced
	marked int64        // synced in the last sync mark

	parts   int     // file headers
	entries []entry // of all blocks, up to MaxIndexed
	blocks  int64

	begin  int64 // where Append continues the file
	tabled int64 // the end of the last table before begin, or 0
	closed bool  // what is before begin ends with all tables that the file can have

	frame []byte // of the compressor
	cuts  []int
}

func newBlockWriter(w io.Writer, o *Options, h fileHeader) *blockWriter {
	return &blockWriter{w: w, compressor: o.Compressor, header: h, find: newFinder(h.marker), parts: 1}
}

// check returns an error if the file no longer has all bytes before an offset. Another program
// has then cut it off, and what is written after it would follow a hole of zeros.
func (w *blockWriter) check(end int64) error {
	if w.size == nil {
		return nil
	}
	size, err := w.size()
	if err != nil {
		return faultAt(err, end, "size")
	}
	if size < end {
		return faultAt(ErrTruncated, size, "file that another program has cut off")
	}
	return nil
}

// write writes b. The error says at which offset it failed.
func (w *blockWriter) write(b []byte) error {
	if err := w.check(w.offset); err != nil {
		return err
	}
	n, err := w.w.Write(b)
	if n < 0 || n > len(b) {
		return faultAt(fmt.Errorf("the writer returned the invalid count %d", n), w.offset, "write")
	}
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		return faultAt(err, w.offset+int64(n), "write")
	}
	w.offset += int64(len(b))
	return nil
}

// block writes a block and returns its buffer for reuse.
func (w *blockWriter) block(j *job) ([]byte, error) {
	if w.compressor != nil && !j.framed {
		records := j.buf[headroom:]
		smaller, err := w.compress(records)
		if err != nil {
			return j.buf, err
		}
		if smaller {
			crc := checksum(w.frame[blockHeaderSize:])
			return j.buf, w.emit(w.frame, &blockHeader{raw: uint32(len(records)), records: j.records, ordinal: j.ordinal, crc: crc})
		}
	}
	if !j.framed {
		w.cuts = j.store(w.find, w.cuts)
	}
	return j.buf, w.emit(j.buf, &blockHeader{raw: j.raw, records: j.records, ordinal: j.ordinal, crc: j.crc})
}

// store makes a stored frame of the records. cuts is scratch space, which it returns.
func (j *job) store(find *finder, cuts []int) []int {
	j.framed, j.raw = true, uint32(len(j.buf)-headroom)
	j.buf, cuts = storeFrame(j.buf, find, cuts)
	j.crc = checksum(j.buf[blockHeaderSize:])
	return cuts
}

// compress makes a frame after room for a block header. It returns false if the
// block has to be stored: because it is not smaller, or has a marker by chance.
func (w *blockWriter) compress(data []byte) (smaller bool, err error) {
	if cap(w.frame) == 0 {
		w.frame = make([]byte, blockHeaderSize, blockHeaderSize+len(data))
	}
	w.frame, err = w.compressor.Compress(w.frame[:blockHeaderSize], data)
	if err != nil {
		return false, faultAt(err, w.offset, "compress")
	}
	if len(w.frame) < blockHeaderSize {
		return false, faultAt(ErrCorrupt, w.offset, "Compressor that did not append")
	}
	frame := w.frame[blockHeaderSize:]
	c, ok := parseFrame(frame)
	if !ok || !c.known || c.size != uint64(len(data)) {
		return false, faultAt(ErrCorrupt, w.offset, "frame of the Compressor without checksum or size")
	}
	if classify(frame, c.blocks, len(data)) == frameBroken {
		return false, faultAt(ErrCorrupt, w.offset, "result of the Compressor that is not one whole frame")
	}
	return len(frame) < len(data) && !w.find.contains(frame), nil
}

// emit writes a frame that follows room for a block header. h lacks only the stored
// length.
func (w *blockWriter) emit(b []byte, h *blockHeader) error {
	if h.ordinal > maxOrdinal-int64(h.records) {
		return fault(ErrLimit, "number of records")
	}
	if err := w.mark(); err != nil {
		return err
	}
	h.stored = uint32(len(b) - blockHeaderSize)
	h.put(b, &w.header.marker)
	e := entry{w.offset, h.ordinal, h.raw, h.stored}
	if err := w.write(b); err != nil {
		return err
	}
	w.remember(e)
	return nil
}

// mark writes a sync mark if there was a sync since the last one. It comes before the next
// block and not at once, because a file whose last block was synced does not need it.
func (w *blockWriter) mark() error {
	synced := w.synced.Load()
	if synced == w.marked {
		return nil
	}
	w.marked = synced
	return w.write(appendMark(nil, &w.header.marker, synced-w.part))
}

// remember keeps a block for the tables.
func (w *blockWriter) remember(e entry) {
	if w.blocks++; w.blocks <= MaxIndexed {
		w.entries = append(w.entries, e)
	} else {
		w.entries = nil
	}
}

// tables writes what proves that the blocks were synced, and the seek table. The proof is the index. It has offsets from
// the file header, so a file of several parts has none, and ends with a sync mark, as one with too many blocks does.
func (w *blockWriter) tables(records int64) error {
	if w.closed && w.offset == w.begin {
		return nil
	}
	listed := w.blocks <= MaxIndexed && w.worthTables()
	var b []byte
	if w.parts == 1 && listed {
		b = appendIndex(b, w.offset, &w.header, w.entries, records)
	} else if err := w.mark(); err != nil || !listed {
		return err
	}
	return w.write(appendSeekTable(b, w.entries, w.offset+int64(len(b))))
}

// smallTables is the number of bytes of tables up to which each Writer of a file writes them.
const smallTables = 4 << 10

// worthTables reports whether the file has grown by as much as the tables take since it got the last ones, or has blocks that
// are much longer than they and the old ones. Those stay in the file, so that a program that appends one record at a time
// would otherwise write far more bytes of tables than of records. A Writer that has added nothing was opened for the tables.
func (w *blockWriter) worthTables() bool {
	size := minIndex + minSeekTable + (indexEntry+2*seekEntry)*int64(len(w.entries))
	if size <= max(smallTables, w.offset-w.tabled) || w.offset == w.begin {
		return true
	}
	frames := int64(0)
	for _, e := range w.entries {
		frames += int64(e.stored)
	}
	return w.offset-frames+size <= frames/8
}
