package record

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Writer writes a record file. Its methods are safe for concurrent use.
//
// Records are collected in a block. A goroutine of the Writer compresses and writes
// full blocks while the next ones are filled; it ends with Close. While it is behind,
// Write makes the frames and checksums of blocks that are not compressed. If 16
// blocks, blocks of 1 MiB in all, or a single larger block wait to be written,
// Write waits too.
//
// After a write or sync has failed, every further call returns the same error,
// because it is not known which bytes the file contains. Close must still be called.
type Writer struct {
	o     Options
	flush sync.Mutex // of the methods that wait for the goroutine

	mu      sync.Mutex
	buf     []byte // headroom, then the records of the current block
	records uint32 // in buf
	total   int64  // in the file
	part    int64  // total when the part with this header began
	closed  bool
	armed   bool  // a Sync of SyncEvery is due
	cuts    []int // scratch space for the frames that Write makes

	failure atomic.Pointer[error] // that every further call returns
	synced  int64                 // records that were synced, or -1; guarded by flush

	out      *blockWriter
	jobs     chan job    // nil until the first block
	free     chan []byte // buffers that were written; nil for one that was too large
	buffers  int         // that were made, including buf
	finished chan struct{}

	path  string       // of a file of Create or Append, for errors
	sync  func() error // nil if the destination has none
	close func() error // the file and its lock
}

// A job is a block to write, or a request to say when all earlier ones are written.
type job struct {
	buf     []byte // headroom, then the records
	records uint32
	ordinal int64

	framed  bool   // buf has room for a block header, and then a frame
	raw     uint32 // of the frame: the size of its records
	crc     uint32 // of the frame
	written chan struct{}
}

// NewWriter returns a Writer that writes a new record file to w. If w has a method
// Sync() error, as an [os.File] has, [Writer.Sync] calls it. Close does not close w.
func NewWriter(w io.Writer, o Options) (*Writer, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	var sync func() error
	if s, ok := w.(interface{ Sync() error }); ok {
		sync = s.Sync
	} else if o.SyncEvery > 0 {
		return nil, fault(ErrNoSync, "SyncEvery")
	}
	h, err := newFileHeader(&o)
	if err != nil {
		return nil, err
	}
	out := newBlockWriter(w, &o, h)
	if err := out.write(h.bytes()); err != nil {
		return nil, err
	}
	return newWriter(out, o, sync), nil
}

func newWriter(out *blockWriter, o Options, sync func() error) *Writer {
	return &Writer{o: o, out: out, sync: sync, synced: -1, buf: make([]byte, headroom, headroom+minBlock)}
}

// Write appends the encoding of v as one record. The bytes reach the file when the
// block is full, or by [Writer.Flush].
//
// An error of package msgpack and [ErrLimit] are about v; the Writer can be used further.
func (w *Writer) Write(v any) error {
	w.mu.Lock()
	defer w.mu.Unlock() // also if a method of v panics
	if e := w.failure.Load(); e != nil {
		return *e
	}
	b, err := w.o.Codec.MarshalAppend(w.buf, v)
	if err != nil {
		return err
	}
	if len(b) < headroom+w.o.BlockSize && w.o.SyncEvery == 0 {
		w.buf = b
		w.records++
		return nil
	}
	return w.added(b)
}

// WriteRaw appends exactly one encoded value as one record. If it is not exactly
// one, the error is [ErrInvalid], and the Writer can be used further.
func (w *Writer) WriteRaw(raw msgpack.Raw) error {
	if n, err := wire.Skip(raw, math.MaxInt32); err != nil || n != len(raw) {
		return fault(ErrInvalid, "argument of WriteRaw")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if e := w.failure.Load(); e != nil {
		return *e
	}
	return w.added(append(w.buf, raw...))
}

// added accepts the record that b has after w.buf. The caller holds mu.
func (w *Writer) added(b []byte) error {
	size := len(b) - len(w.buf)
	if size > w.o.MaxBlock {
		return fault(ErrLimit, "record of more than MaxBlock bytes") // b is dropped
	}
	if len(b)-headroom > w.o.MaxBlock {
		record := bytes.Clone(b[len(w.buf):]) // the goroutine overwrites what follows w.buf
		w.cut()
		b = append(w.buf, record...)
	}
	w.buf = b
	w.records++
	if len(b) >= headroom+w.o.BlockSize {
		w.cut()
	}
	if w.o.SyncEvery > 0 && !w.armed && !w.closed {
		w.armed = true
		time.AfterFunc(w.o.SyncEvery, func() {
			w.mu.Lock()
			w.armed = false
			w.mu.Unlock()
			w.Sync() // an error is kept for the next call
		})
	}
	return nil
}

// cut hands the current block to the goroutine. The caller holds mu.
func (w *Writer) cut() {
	if w.records == 0 {
		return
	}
	j := job{buf: w.buf, records: w.records, ordinal: w.total - w.part}
	if w.o.Compressor == nil && len(w.jobs) > cap(w.jobs)/2 {
		w.cuts = j.store(w.out.find, w.cuts) // the goroutine is behind
	}
	w.send(j)
	w.total += int64(w.records)
	w.buf, w.records = w.take(), 0
}

// take returns an empty buffer. If there are enough, it waits until the goroutine
// has written one.
func (w *Writer) take() []byte {
	var b []byte
	select {
	case b = <-w.free:
	default:
		// One is filled, one is written, and the others wait.
		if w.buffers == cap(w.jobs)+2 {
			b = <-w.free
		} else {
			w.buffers++
		}
	}
	if b == nil {
		// The block may be larger by a record, and has headers inside.
		b = make([]byte, headroom, headroom+w.o.BlockSize+min(w.o.BlockSize, 16<<10))
	}
	return b[:headroom]
}

// send gives a job to the goroutine, which it starts if necessary. The caller holds mu.
func (w *Writer) send(j job) {
	if w.jobs == nil {
		w.start()
	}
	w.jobs <- j
}

// The blocks that wait for the goroutine have waitingBytes together, but at least one
// and at most mostWaiting may wait. While some wait, it does not sleep. Waking it
// takes about as long as encoding or writing a block.
const (
	waitingBytes = 1 << 20
	mostWaiting  = 16
)

// start starts the goroutine. The caller holds mu.
func (w *Writer) start() {
	waiting := min(max(waitingBytes/w.o.BlockSize, 1), mostWaiting)
	w.jobs = make(chan job, waiting)
	w.free = make(chan []byte, waiting+2)
	w.buffers = 1
	w.finished = make(chan struct{})
	go w.run(w.jobs)
}

// longRun is the number of blocks after which the goroutine calls runtime.Gosched. From
// a goroutine that has made system calls for 10 ms and was never scheduled, the
// scheduler takes the processor away in every call, if all others are in use.
const longRun = 16

// run is the goroutine.
func (w *Writer) run(jobs <-chan job) {
	defer close(w.finished)
	for blocks := 1; ; blocks++ {
		j, ok := <-jobs
		if !ok {
			return
		}
		if blocks%longRun == 0 {
			runtime.Gosched()
		}
		if j.written != nil {
			close(j.written)
			continue
		}
		if w.failure.Load() == nil {
			var err error
			if j.buf, err = w.out.block(&j); err != nil {
				w.fail(err)
			}
		}
		if cap(j.buf) > 4*(headroom+w.o.BlockSize) {
			j.buf = nil // it had a large record
		}
		w.free <- j.buf
	}
}

// fail keeps the first error.
func (w *Writer) fail(err error) error {
	err = inFile(w.path, err)
	w.failure.CompareAndSwap(nil, &err)
	return *w.failure.Load()
}

func (w *Writer) failed() error {
	if e := w.failure.Load(); e != nil {
		return *e
	}
	return nil
}

// drain writes everything that was written before, and returns the number of
// records. The caller holds flush.
func (w *Writer) drain() (total int64, err error) {
	w.mu.Lock()
	if err := w.failed(); err != nil {
		w.mu.Unlock()
		return 0, err
	}
	w.cut()
	total = w.total
	done := make(chan struct{})
	if w.jobs == nil {
		close(done)
	} else {
		w.send(job{written: done})
	}
	w.mu.Unlock()
	<-done
	return total, w.failed()
}

// Flush ends the block and waits until everything is written to the file. A crash of
// the program loses none of it. A block costs about 70 bytes.
func (w *Writer) Flush() error {
	w.flush.Lock()
	defer w.flush.Unlock()
	_, err := w.drain()
	return err
}

// Sync is Flush followed by Sync of the file: a crash of the machine loses nothing
// that was written before. Concurrent calls share the work. If the destination
// cannot sync, the error is [ErrNoSync], and the Writer can be used further.
func (w *Writer) Sync() error {
	if w.sync == nil {
		return fault(ErrNoSync, "Sync")
	}
	w.mu.Lock()
	wanted := w.total + int64(w.records)
	w.mu.Unlock()
	w.flush.Lock()
	defer w.flush.Unlock()
	if err := w.failed(); err != nil {
		return err
	}
	if w.synced >= wanted {
		return nil // another call did it while this one waited
	}
	return w.drainAndSync()
}

func (w *Writer) drainAndSync() error {
	total, err := w.drain()
	if err != nil {
		return err
	}
	if err := w.sync(); err != nil {
		return w.fail(faultAt(err, w.out.offset, "sync"))
	}
	w.synced = total
	return nil
}

// Len returns the number of records in the file, including those that were not
// written to it yet.
func (w *Writer) Len() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total + int64(w.records)
}

// Close writes what is left and the tables at the end, and syncs the file if it
// can. A Writer of [Create] or [Append] also closes the file. Calls after Close
// return [ErrClosed].
func (w *Writer) Close() error {
	w.flush.Lock()
	defer w.flush.Unlock()
	w.mu.Lock()
	again := w.closed
	w.closed = true
	w.mu.Unlock()
	if again {
		return w.failed()
	}
	_, err := w.drain()
	// From here on no other call changes anything.
	closed := error(fault(ErrClosed, "Writer"))
	w.failure.CompareAndSwap(nil, &closed)
	w.mu.Lock()
	if w.jobs != nil {
		close(w.jobs)
		<-w.finished
	}
	w.mu.Unlock()
	if err == nil {
		err = w.finish()
	}
	if w.close != nil {
		if e := w.close(); err == nil && e != nil {
			err = faultAt(e, w.out.offset, "close")
		}
	}
	if err != nil {
		err = inFile(w.path, err)
		w.failure.Store(&err)
	}
	return err
}

func (w *Writer) finish() error {
	if err := w.out.tables(w.total); err != nil {
		return err
	}
	if w.sync != nil {
		if err := w.sync(); err != nil {
			return faultAt(err, w.out.offset, "sync")
		}
	}
	return nil
}
