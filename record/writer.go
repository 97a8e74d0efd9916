package record

import (
	"bytes"
	"io"
	"io/fs"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Writer writes a record file. Its methods are safe for concurrent use. [Create],
// [Append] and [NewWriter] return one; the methods of the zero Writer return an error.
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
	timer   *time.Timer // of SyncEvery; nil until the first record
	armed   bool        // timer will call Sync
	cuts    []int       // scratch space for the frames that Write makes

	failure atomic.Pointer[error] // that every further call returns
	synced  int64                 // records that were synced, or -1; guarded by flush

	out      *blockWriter
	jobs     chan job    // nil until the first block
	free     chan []byte // buffers that were written; nil for one that was too large
	buffers  int         // that were made, including buf
	finished chan struct{}
	waiting  atomic.Int64  // bytes of the blocks in jobs
	room     chan struct{} // receives when waiting has become less

	found Report // of Append

	path  string                  // of a file of Create or Append, for errors
	sync  func() error            // nil if the destination has none
	close func(failed bool) error // the file and its lock
}

// A job is a block to write, or a request to say when all earlier ones are written.
type job struct {
	buf     []byte // headroom, then the records
	records uint32
	ordinal int64

	framed  bool       // buf has room for a block header, and then a frame
	raw     uint32     // of the frame: the size of its records
	crc     uint32     // of the frame
	written chan int64 // receives the offset of the end of the earlier jobs
}

// NewWriter returns a Writer that writes a new record file to w. If w has a method
// Sync() error, as an [os.File] has, [Writer.Sync] calls it, unless w is a pipe, a
// socket or a character device such as a terminal. Close does not close w.
//
// Close writes an index even if w cannot be synced. The index says that all blocks are on
// the disk, so sync the file afterwards: until then, what a power loss takes is reported as
// damage, not as a torn end.
func NewWriter(w io.Writer, o *Options) (*Writer, error) {
	options, err := checked(o)
	if err != nil {
		return nil, err
	}
	var sync func() error
	if s, ok := w.(interface{ Sync() error }); ok && !isStream(w) {
		sync = s.Sync
	} else if options.SyncEvery > 0 {
		return nil, fault(ErrNoSync, "SyncEvery")
	}
	h, err := newFileHeader(&options)
	if err != nil {
		return nil, err
	}
	out := newBlockWriter(w, &options, h)
	if err := out.write(h.bytes()); err != nil {
		return nil, err
	}
	return newWriter(out, options, sync), nil
}

// isStream reports whether w is a file that cannot be synced: to sync a pipe is an
// error.
func isStream(w io.Writer) bool {
	file, ok := w.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) != 0
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
	if err := w.failed(); err != nil {
		return err
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
	if err := w.failed(); err != nil {
		return err
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
	w.arm()
	return nil
}

// arm starts the timer of SyncEvery, unless it is running. The caller holds mu and
// has accepted a record.
func (w *Writer) arm() {
	if w.o.SyncEvery == 0 || w.armed {
		return
	}
	w.armed = true
	if w.timer != nil {
		w.timer.Reset(w.o.SyncEvery)
		return
	}
	w.timer = time.AfterFunc(w.o.SyncEvery, func() {
		w.mu.Lock()
		w.armed = false
		w.mu.Unlock()
		w.Sync() // an error is kept for the next call
	})
}

// cut hands the current block to the goroutine. The caller holds mu.
func (w *Writer) cut() {
	if w.records == 0 {
		return
	}
	j := job{buf: w.buf, records: w.records, ordinal: w.total - w.part}
	if w.o.Compressor == nil && (len(w.jobs) > cap(w.jobs)/2 || w.waiting.Load() >= waitingBytes) {
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
	if len(j.buf) > 0 {
		// Large records make blocks of more than BlockSize.
		for w.waiting.Load() >= waitingBytes {
			<-w.room
		}
		w.waiting.Add(int64(len(j.buf)))
	}
	w.jobs <- j
}

// Another block may wait for the goroutine if those that wait have less than
// waitingBytes, and are fewer than mostWaiting. While some wait, the goroutine does
// not sleep. Waking it takes about as long as encoding or writing a block.
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
	w.room = make(chan struct{}, 1)
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
			j.written <- w.out.offset
			continue
		}
		w.waiting.Add(int64(-len(j.buf)))
		select {
		case w.room <- struct{}{}:
		default: // send will see it
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

// failed returns the error that every further call returns.
func (w *Writer) failed() error {
	if w.out == nil {
		return fault(errZeroWriter, "")
	}
	if e := w.failure.Load(); e != nil {
		return *e
	}
	return nil
}

// drain writes everything that was written before. It returns the number of records
// and the offset of their end. The caller holds flush.
func (w *Writer) drain() (total, end int64, err error) {
	w.mu.Lock()
	if err := w.failed(); err != nil {
		w.mu.Unlock()
		return 0, 0, err
	}
	w.cut()
	total = w.total
	written := make(chan int64, 1)
	if w.jobs == nil {
		written <- w.out.offset
	} else {
		w.send(job{written: written})
	}
	w.mu.Unlock()
	return total, <-written, w.failed()
}

// Flush ends the block and waits until everything is written to the file. A crash of
// the program loses none of it. A block costs about 70 bytes, and 37 more after a Sync.
func (w *Writer) Flush() error {
	w.flush.Lock()
	defer w.flush.Unlock()
	_, _, err := w.drain()
	return err
}

// Sync is Flush followed by Sync of the file: a crash of the machine loses nothing
// that was written before. Concurrent calls share the work. If the destination
// cannot sync, the error is [ErrNoSync], and the Writer can be used further.
func (w *Writer) Sync() error {
	if w.out == nil {
		return w.failed()
	}
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
	total, end, err := w.drain()
	if err != nil {
		return err
	}
	if err := w.out.check(end); err != nil {
		return w.fail(err)
	}
	if err := w.sync(); err != nil {
		return w.fail(faultAt(err, end, "sync"))
	}
	w.synced = total
	w.out.synced.Store(end)
	return nil
}

// Len returns the number of records in the file, including those that were not
// written to it yet.
func (w *Writer) Len() int64 {
	if w.out == nil {
		panic("record: " + errZeroWriter.Error())
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.total + int64(w.records)
}

// Report says what [Append] has found in the file: how many records it had, and whether it
// was torn. The Report of another Writer is empty.
func (w *Writer) Report() Report { return w.found }

// Close writes what is left and the tables at the end, and syncs the file if it
// can. A Writer of [Append] that has added records leaves the tables out if they take more
// than 4 KiB, more than all bytes that were added since the last ones, and, with all old
// tables, more than an eighth of the blocks. A Writer of
// [Create] or [Append] also closes the file. Calls after Close
// return [ErrClosed]. Of calls at the same time, each comes either before Close, and
// its records are in the file, or after it.
func (w *Writer) Close() error {
	if w.out == nil {
		return w.failed()
	}
	w.flush.Lock()
	defer w.flush.Unlock()
	err, again := w.shut()
	if again {
		return err
	}
	if err == nil {
		err = w.finish()
	}
	if w.close != nil {
		if e := w.close(err != nil); err == nil && e != nil {
			err = faultAt(e, w.out.offset, "close")
		}
	}
	if err != nil {
		err = inFile(w.path, err)
		w.failure.Store(&err)
	}
	return err
}

// shut writes what is left, ends the goroutine, and makes all other calls return
// ErrClosed. It holds mu all the time, so that no call can add a record which is then
// not written. It reports whether the Writer was closed before.
func (w *Writer) shut() (err error, again bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.failed(), true
	}
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.failed() == nil {
		w.cut()
	}
	if w.jobs != nil {
		close(w.jobs)
		<-w.finished
	}
	err = w.failed()
	closed := error(fault(ErrClosed, "Writer"))
	w.failure.CompareAndSwap(nil, &closed)
	return err, false
}

// finish writes the tables. The blocks are synced before, because the tables prove that
// they were.
func (w *Writer) finish() error {
	sync := func() error {
		if w.sync == nil {
			return nil
		}
		if err := w.sync(); err != nil {
			return faultAt(err, w.out.offset, "sync")
		}
		return nil
	}
	if w.synced < w.total {
		if err := sync(); err != nil {
			return err
		}
	}
	if w.sync != nil {
		w.out.synced.Store(w.out.offset)
	}
	if err := w.out.tables(w.total); err != nil {
		return err
	}
	return sync()
}
