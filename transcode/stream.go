package transcode

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// Stats describes a conversion. After an error, it describes the part before
// the error.
type Stats struct {
	Values   int64 // number of values written
	BytesIn  int64 // number of input bytes of these values, including white space around them
	BytesOut int64 // number of bytes written

	// Changed counts the values of MessagePack that became another kind of value
	// in JSON. Options.Reversible would have kept them.
	Changed Changed
}

// Changed counts values that JSON has no form for.
type Changed struct {
	Bins       int64 // written as strings in base64
	Timestamps int64 // written as strings in RFC 3339
	Exts       int64 // written as objects with the key $ext, as timestamps of other years are
	Floats     int64 // written as float 64, which has the same value
	Keys       int64 // keys of other kinds, written as the string of their JSON text
}

// Total returns the sum of all counts.
func (c Changed) Total() int64 { return c.Bins + c.Timestamps + c.Exts + c.Floats + c.Keys }

// Add adds the counts of d to those of c.
func (c *Changed) Add(d Changed) {
	c.Bins += d.Bins
	c.Timestamps += d.Timestamps
	c.Exts += d.Exts
	c.Floats += d.Floats
	c.Keys += d.Keys
}

// ToMsgpack reads JSON values from r until io.EOF and writes them to w as
// MessagePack.
//
// Memory use depends on the largest value and not on the length of the stream.
// ToMsgpack converts batches of about 256 KiB, several at a time. It does not
// wait until a batch is full: values from a slow reader are converted and
// written as they arrive.
//
// ToMsgpack calls Read in the caller's goroutine and Write in another one,
// possibly at the same time, unless the first Read returns the whole input.
// Neither is called after ToMsgpack returns.
// ToMsgpack therefore returns an error of w only after the current Read
// returns. If Write panics, ToMsgpack then panics with the same value, and if
// Write calls [runtime.Goexit], so does ToMsgpack. To show progress, count the
// bytes in the Read method of a reader around r.
//
// An HTTP handler that converts the body of the request to that of the response
// must first call [net/http.ResponseController.EnableFullDuplex]. Otherwise, a
// server that speaks HTTP/1 drops up to 256 KiB of the request when the response
// begins, which cuts values out of the stream.
//
// An error in the input is an [*Error]. An error of r or w is returned as it
// is. After an error in the input or of r, the values before it have been
// written.
func ToMsgpack(w io.Writer, r io.Reader, o *Options) (Stats, error) {
	return toMsgpack.stream(w, r, o)
}

// ToJSON reads MessagePack values from r until io.EOF and writes them to w as
// JSON, each followed by a newline. Otherwise it behaves like [ToMsgpack].
func ToJSON(w io.Writer, r io.Reader, o *Options) (Stats, error) {
	return toJSON.stream(w, r, o)
}

const (
	// batchSize is the number of input bytes that are converted at a time. It
	// is large enough to make the cost of passing a batch between goroutines
	// small, and small enough for the cache.
	batchSize = 256 << 10
	// smallBatch is the size below which read waits for the conversion of a
	// batch before it calls Read again. An error in the batch is then found
	// even if the next Read never returns.
	smallBatch = 32 << 10
	// oneBatch is the maximum size of an input in memory that is read at once,
	// because converting it takes less time than starting goroutines.
	oneBatch = 64 << 10
	// firstRead is the size of the first buffer. The size doubles when a read
	// fills the buffer.
	firstRead = 2 << 10
	// maxWorkers limits memory use on large machines. One reader cannot supply
	// more workers with input.
	maxWorkers = 8
	// maxEmptyReads is the number of consecutive reads that may return neither
	// data nor an error, as in package bufio.
	maxEmptyReads = 100
)

// Errors for readers and writers that violate the rules of package io.
var (
	errReadCount  = errors.New("transcode: reader returned invalid count from Read")
	errWriteCount = errors.New("transcode: writer returned invalid count from Write")
)

// A batch is a sequence of complete values. It is read in the caller's
// goroutine, converted by a worker, and written in order.
type batch struct {
	in, out []byte
	offset  int64 // offset of in in the input
	values  int
	used    int
	fault   *Error
	cut     bool     // in ends after a line, and one more byte follows it in memory
	place   position // of the end of in, relative to its beginning; only for text
	changed Changed
	done    chan struct{} // closed when the batch is converted
}

// A pipeline is the state of one call of stream.
type pipeline struct {
	work  chan *batch // to the workers
	order chan *batch // to the writer
	free  chan *batch // back to the reader
	stop  atomic.Bool // nothing more will be written

	unread []byte // for the Error; set by the reader

	// The writer goroutine sets these; they may be read after it ends.
	stats    Stats
	place    position // the end of what was written
	err      error
	panicked any  // what the Write method panicked with
	exited   bool // the Write method called runtime.Goexit, unless it panicked
}

func (d *direction) stream(w io.Writer, r io.Reader, o *Options) (Stats, error) {
	checked, err := o.check()
	if err != nil {
		return Stats{}, err
	}
	b := &batch{in: make([]byte, 0, max(firstRead, min(left(r), oneBatch)))}
	n, err := b.fill(r)
	if (err == io.EOF || err == nil && left(r) == 0) && checked.MaxValue == 0 {
		return d.once(w, b, checked)
	}
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	batches := workers + 2 // one is being read, one written
	p := &pipeline{
		work:  make(chan *batch, batches),
		order: make(chan *batch, batches),
		free:  make(chan *batch, batches),
	}
	for range batches - 1 {
		p.free <- new(batch)
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() { p.convert(d, checked) })
	}
	group.Go(func() { p.write(w) })
	readErr := p.read(r, d, checked, b, n, err)
	group.Wait()
	if p.panicked != nil {
		panic(p.panicked)
	}
	if p.exited {
		runtime.Goexit()
	}
	if p.err != nil {
		if fault, ok := p.err.(*Error); ok && fault.Err == ErrLimit {
			fault.Unread = p.unread
		}
		return p.stats, p.err
	}
	return p.stats, readErr
}

// once converts an input of one batch, which needs no goroutines.
func (d *direction) once(w io.Writer, b *batch, o Options) (Stats, error) {
	c := d.take(o)
	defer d.give(c)
	b.convert(d, c)
	var p pipeline
	p.finish(w, b)
	return p.stats, p.err
}

// left returns how many bytes r has left if they are all in memory, and otherwise -1.
func left(r io.Reader) int {
	switch r := r.(type) {
	case *bytes.Reader:
		return r.Len()
	case *bytes.Buffer:
		return r.Len()
	case *strings.Reader:
		return r.Len()
	}
	return -1
}

// fill reads from r into the room that is left in b.
func (b *batch) fill(r io.Reader) (int, error) {
	n, err := r.Read(b.in[len(b.in):cap(b.in)])
	if n < 0 || n > cap(b.in)-len(b.in) {
		return 0, errReadCount
	}
	b.in = b.in[:len(b.in)+n]
	return n, err
}

// limited reports whether a value in b, which was submitted, exceeds
// Options.MaxValue. text and after is what was read from the beginning of b on.
func (p *pipeline) limited(b *batch, text, after []byte) bool {
	if <-b.done; b.fault == nil || b.fault.Err != ErrLimit {
		return false
	}
	p.unread = append(text[b.used:len(text):len(text)], after...)
	return true
}

// read divides the input into batches of complete values. The first read has returned n
// and err, and its bytes are in b. The deferred calls end the other goroutines, even if r
// panics.
func (p *pipeline) read(r io.Reader, d *direction, o Options, b *batch, n int, err error) error {
	defer close(p.work)
	defer close(p.order)
	split := d.new()
	last, seen := 0, 0 // in b.in: the end of the last value, and of what split has taken
	size, empty := firstRead, 0
	from := 0 // of the part of b.in that lastRecord has not searched
	for {
		if len(b.in) == cap(b.in) && size < batchSize {
			size *= 2
		}
		end, bad := 0, false
		// After a read error, the last value is complete even if no line follows it.
		if d.text && len(b.in) > smallBatch && err == nil {
			if end = lastRecord(b.in, from); end == 0 {
				from = searched(b.in)
			}
		}
		cut := end > 0
		if !cut {
			part, taken, fault := split.Last(b.in[seen:])
			if part > 0 {
				last = seen + part
			}
			seen += taken
			end, bad = last, fault != nil
		}
		all := b.in
		if d.text && !bad && end == 0 && len(b.in) > batchSize {
			// No text has zero bytes, but a file that was not written to its end can have any number.
			// The converter returns the error, without a value before it that is as long.
			if zero := bytes.IndexByte(b.in[len(b.in)-n:], 0); zero >= 0 {
				seen, bad = len(b.in)-n+zero+1, true
			}
		}
		if bad {
			b.in = b.in[:seen]
		} else if o.MaxValue > 0 && len(b.in)-end > o.MaxValue+len(bom) {
			bad = true
		}
		if bad || err == io.EOF {
			b.cut = false
			p.submit(b)
			if o.MaxValue > 0 {
				p.limited(b, all, nil)
			}
			return nil
		}
		if end > 0 {
			var next *batch
			if err != nil || len(b.in) >= batchSize {
				next = <-p.free
			} else {
				select {
				case next = <-p.free:
				default: // all are in use: continue to fill this one
				}
			}
			if next != nil {
				next.in = append(next.in[:0], b.in[end:]...)
				next.offset = b.offset + int64(end)
				b.in, b.cut = b.in[:end], cut
				text := b.in
				last, seen = 0, seen-end
				if cut {
					split, seen = d.new(), 0
				}
				p.submit(b)
				if o.MaxValue > 0 && end > o.MaxValue && p.limited(b, text, next.in) {
					return nil
				}
				if end < smallBatch {
					if <-b.done; b.fault != nil {
						return nil
					}
				}
				b, from = next, 0
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
		if p.stop.Load() {
			return nil
		}
		if cap(b.in)-len(b.in) < size/2 {
			// A value that does not fit into the batch doubles the batch as its
			// data arrives.
			b.in = append(make([]byte, 0, max(size, 2*len(b.in))), b.in...)
		}
		n, err = b.fill(r)
	}
}

func (p *pipeline) submit(b *batch) {
	b.done = make(chan struct{})
	p.work <- b
	p.order <- b
}

// convert is the loop of a worker.
func (p *pipeline) convert(d *direction, o Options) {
	c := d.take(o)
	defer d.give(c)
	for b := range p.work {
		if !p.stop.Load() {
			b.convert(d, c)
		}
		close(b.done)
	}
}

// convert sets the output and what else b holds for the writer.
func (b *batch) convert(d *direction, c converter) {
	b.out, b.values, b.used, b.fault = c.convert(b.out[:0], b.in, b.offset == 0, false)
	if b.cut && b.fault != nil && b.fault.Err == ErrTruncated {
		// The batch ends inside a value. The next byte shows the error.
		b.out, b.values, b.used, b.fault = c.convert(b.out[:0], b.in[:len(b.in)+1], b.offset == 0, false)
	}
	b.changed = c.changes()
	switch {
	case !d.text:
	case b.fault != nil:
		b.fault.locate(position{}, b.in)
	default:
		b.place = position{}.after(b.in)
	}
}

// write writes the batches in order, up to the first fault.
func (p *pipeline) write(w io.Writer) {
	for b := range p.order {
		<-b.done
		if !p.stop.Load() {
			p.keepPanic(w, b)
			p.stop.Store(p.err != nil || p.panicked != nil)
		}
		p.release(b)
	}
}

// release gives a batch back to the reader.
func (p *pipeline) release(b *batch) {
	b.in, b.out = shrink(b.in), shrink(b.out)
	p.free <- b
}

// keepPanic calls finish and keeps a panic of w for the caller's goroutine, because in this
// one it would end the program. It does the same with [runtime.Goexit], after which only
// deferred calls run in this goroutine: the reader still waits for the batches.
func (p *pipeline) keepPanic(w io.Writer, b *batch) {
	p.exited = true
	defer func() {
		if p.panicked = recover(); p.exited && p.panicked == nil {
			p.stop.Store(true)
			p.release(b)
			p.write(w)
		}
	}()
	p.finish(w, b)
	p.exited = false
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
	if f := b.fault; f != nil {
		f.Offset += b.offset
		f.Start += b.offset
		f.Value += p.stats.Values
		if f.Line > 0 {
			if f.Line == 1 {
				f.Column += p.place.runes
			}
			f.Line += p.place.lines
		}
		p.err = f
	}
	p.place = p.place.add(b.place)
	p.stats.Values += int64(b.values)
	p.stats.BytesIn += int64(b.used)
	p.stats.Changed.Add(b.changed)
}

// shrink drops a buffer that has become too large for one value.
func shrink(b []byte) []byte {
	if cap(b) > 8*batchSize {
		return nil
	}
	return b[:0]
}
