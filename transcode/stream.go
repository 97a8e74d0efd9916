package transcode

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Stats says what a conversion has done. After an error it counts what was
// done before it.
type Stats struct {
	Values   int64 // values whose output was written
	BytesIn  int64 // bytes of the input that these values took, with white space around them
	BytesOut int64 // bytes written
}

// ToMsgpack reads JSON values from r until its end and writes them to w as
// MessagePack, one after the other.
//
// Memory does not grow with the length of the stream, only with its largest
// value: values are converted in batches of about 256 KiB, several at a time.
// Whatever arrives is converted and written without waiting for more, so a
// slow reader delays nothing but itself. Read is called from the caller's
// goroutine and Write from another, possibly at the same time; both have
// returned for the last time when ToMsgpack returns, so it notices an error of
// w only when the Read under way returns. To watch the progress, count in the
// Read method of a reader around r.
//
// A fault in the input is an [*Error]; the values before it are written. An
// error of r is returned as it is, after the values before it have been
// written, and so is an error of w.
func ToMsgpack(w io.Writer, r io.Reader, o Options) (Stats, error) {
	return toMsgpack.stream(w, r, o)
}

// ToJSON reads MessagePack values from r until its end and writes them to w as
// JSON, each followed by a line end. What is said at [ToMsgpack] holds for it
// as well.
func ToJSON(w io.Writer, r io.Reader, o Options) (Stats, error) {
	return toJSON.stream(w, r, o)
}

const (
	// batchSize is how much input is converted at a time: enough for the work
	// to outweigh the handing over, little enough to stay in the cache.
	batchSize = 256 << 10
	// smallBatch is the size below which the reader waits for the conversion of
	// what it has before it asks for more, so that a fault is known although
	// the next Read may never return.
	smallBatch = 32 << 10
	// firstRead is the size of the first buffer; it grows as reads fill it.
	firstRead = 8 << 10
	// maxWorkers keeps memory bounded on large machines: one reader cannot
	// feed more.
	maxWorkers = 8
	// maxEmptyReads is how often a reader may return neither data nor an
	// error, as in package bufio.
	maxEmptyReads = 100
)

// Errors of readers and writers that break the rules of package io.
var (
	errReadCount  = errors.New("transcode: the reader returned an impossible count")
	errWriteCount = errors.New("transcode: the writer returned an impossible count")
)

// A batch is a run of whole values on its way through the pipeline: read in the
// caller's goroutine, converted by one of the workers, and written in order.
type batch struct {
	in, out []byte
	offset  int64 // of in, in the input
	values  int
	used    int
	fault   *Error
	done    chan struct{} // closed once it is converted
}

// A pipeline is one call of stream.
type pipeline struct {
	work  chan *batch // to the workers
	order chan *batch // to the writer
	free  chan *batch // back to the reader
	stop  atomic.Bool // nothing more will be written

	// Of the writer, to be read once it has ended.
	stats Stats
	err   error
}

func (d *direction) stream(w io.Writer, r io.Reader, o Options) (Stats, error) {
	o, err := o.check()
	if err != nil {
		return Stats{}, err
	}
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	batches := workers + 2 // one is being read, one written
	p := &pipeline{
		work:  make(chan *batch, batches),
		order: make(chan *batch, batches),
		free:  make(chan *batch, batches),
	}
	for range batches {
		p.free <- new(batch)
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { p.convert(d, o) })
	}
	group.Go(func() { p.write(w) })
	readErr := p.read(r, d.scan(), o)
	group.Wait()
	if p.err != nil {
		return p.stats, p.err
	}
	return p.stats, readErr
}

// read cuts the input into batches of whole values. However it ends, even if r
// panics, the other goroutines end with it.
func (p *pipeline) read(r io.Reader, scan boundaries, o Options) error {
	defer close(p.work)
	defer close(p.order)
	b := <-p.free
	size, empty := firstRead, 0
	for !p.stop.Load() {
		if cap(b.in)-len(b.in) < size/2 {
			// A value that outgrows the batch doubles it, as its data arrives.
			b.in = append(make([]byte, 0, max(size, 2*len(b.in))), b.in...)
		}
		n, err := r.Read(b.in[len(b.in):cap(b.in)])
		if n < 0 || n > cap(b.in)-len(b.in) {
			return errReadCount
		}
		b.in = b.in[:len(b.in)+n]
		if len(b.in) == cap(b.in) && size < batchSize {
			size *= 2
		}
		end, seen, bad := scan.advance(b.in)
		if bad {
			b.in = b.in[:seen]
		} else if o.MaxValue > 0 && len(b.in)-end > o.MaxValue+len(bom) {
			bad = true
		}
		if bad || err == io.EOF {
			p.submit(b)
			return nil
		}
		if end > 0 {
			var next *batch
			if err != nil || len(b.in) >= batchSize {
				next = <-p.free
			} else {
				select {
				case next = <-p.free:
				default: // all are busy: go on filling this one
				}
			}
			if next != nil {
				next.in = append(next.in[:0], b.in[end:]...)
				next.offset = b.offset + int64(end)
				b.in = b.in[:end]
				scan.drop(end)
				p.submit(b)
				if end < smallBatch {
					if <-b.done; b.fault != nil {
						return nil
					}
				}
				b = next
			}
		}
		if err != nil {
			return err
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads {
			return io.ErrNoProgress
		}
	}
	return nil
}

func (p *pipeline) submit(b *batch) {
	b.done = make(chan struct{})
	p.work <- b
	p.order <- b
}

// convert is a worker.
func (p *pipeline) convert(d *direction, o Options) {
	c := d.take(o)
	defer d.give(c)
	for b := range p.work {
		if !p.stop.Load() {
			b.out, b.values, b.used, b.fault = c.convert(b.out[:0], b.in, b.offset == 0, false)
		}
		close(b.done)
	}
}

// write writes the batches in order, up to the first fault.
func (p *pipeline) write(w io.Writer) {
	for b := range p.order {
		<-b.done
		if p.err == nil {
			p.finish(w, b)
			p.stop.Store(p.err != nil)
		}
		b.in, b.out = shrink(b.in), shrink(b.out)
		p.free <- b
	}
}

func (p *pipeline) finish(w io.Writer, b *batch) {
	if len(b.out) > 0 {
		n, err := w.Write(b.out)
		if n < 0 || n > len(b.out) {
			n, err = 0, errWriteCount
		}
		if err == nil && n < len(b.out) {
			err = io.ErrShortWrite
		}
		p.stats.BytesOut += int64(n)
		if err != nil {
			p.err = err
			return
		}
	}
	if b.fault != nil {
		b.fault.Offset += b.offset
		b.fault.Value += p.stats.Values
		p.err = b.fault
	}
	p.stats.Values += int64(b.values)
	p.stats.BytesIn += int64(b.used)
}

// shrink drops a buffer that one large value has grown.
func shrink(b []byte) []byte {
	if cap(b) > 8*batchSize {
		return nil
	}
	return b[:0]
}
