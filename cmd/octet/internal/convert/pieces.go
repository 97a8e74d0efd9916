package convert

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/octet-go/octet/cmd/octet/internal/position"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

const (
	// pieceSize is the number of input bytes that are converted at a time.
	pieceSize = 256 << 10
	// smallPiece is the size below which the reader waits for the conversion of a
	// piece before it reads on, so that an error is found even if no more input
	// arrives.
	smallPiece = 32 << 10
	// largeValue is the size above which a value is converted while it is read,
	// in one goroutine, as is everything after it.
	largeValue = 1 << 20
	// maxWorkers limits the memory that all pieces together take.
	maxWorkers = 8
)

// A splitter finds the ends of values in input that arrives in chunks. What it finds
// has to be right only up to the first error, which the conversion then reports.
type splitter interface {
	Next(chunk []byte) (n int, whole bool, err error)
	Last(chunk []byte) (end, n int, err error)
}

// A piece is a sequence of complete values.
type piece struct {
	in     []byte
	offset int64 // of in in the input
	out    bytes.Buffer
	result Result
	err    error
	end    position.Position // of in, relative to its beginning
	done   chan struct{}     // closed when it is converted
}

// A pieceLine converts a stream in pieces, several at a time, and writes them in
// order.
type pieceLine struct {
	o     Options
	w     io.Writer
	work  chan *piece
	order chan *piece
	free  chan *piece
	stop  atomic.Bool // nothing more will be written

	// Set by the writer.
	result Result
	begin  position.Position // of the next piece
	err    error
}

// inPieces converts r, whose format stays the same, with a number of goroutines.
func (o Options) inPieces(w io.Writer, r io.Reader, workers int) (Result, error) {
	if o.From != sniff.JSON {
		return o.pieces(w, r, new(wire.Splitter), workers)
	}
	r, skipped := skipMark(r)
	result, err := o.pieces(w, r, new(transcode.JSONSplitter), workers)
	if e, ok := errors.AsType[*transcode.Error](err); ok {
		e.Offset += skipped
	}
	return result, err
}

func (o Options) pieces(w io.Writer, r io.Reader, split splitter, workers int) (Result, error) {
	if workers == 1 {
		return o.pass(w, r, 0, nil) // one worker needs no pieces, and finding their ends takes time
	}
	n := workers + 2 // one is being read, one written
	p := &pieceLine{o: o, w: w, work: make(chan *piece, n), order: make(chan *piece, n), free: make(chan *piece, n)}
	for range n {
		p.free <- new(piece)
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(p.convert)
	}
	group.Go(p.write)
	rest, err := p.read(r, split)
	group.Wait()
	if p.err != nil {
		return p.result, p.err
	}
	if rest == nil {
		return p.result, err
	}
	result, err := o.pass(w, rest, p.begin.Offset, nil)
	err = p.shift(err)
	p.result.Add(result)
	return p.result, err
}

// read divides the input into pieces. If a value is large, it returns a reader of
// this value and of everything after it.
func (p *pieceLine) read(r io.Reader, split splitter) (rest io.Reader, err error) {
	defer close(p.work)
	defer close(p.order)
	c := <-p.free
	size := 8 << 10
	end := 0 // of the last value in c.in
	for empty := 0; !p.stop.Load(); {
		if cap(c.in)-len(c.in) < size/2 {
			c.in = append(make([]byte, 0, max(size, 2*len(c.in))), c.in...)
		}
		n, err := r.Read(c.in[len(c.in):cap(c.in)])
		c.in = c.in[:len(c.in)+n]
		if len(c.in) == cap(c.in) && size < pieceSize {
			size *= 2
		}
		chunk := c.in[len(c.in)-n:]
		last, _, fault := split.Last(chunk)
		// A comma between values is an error, whose text depends on what follows it.
		wrong := fault != nil || p.o.From == sniff.JSON && last > 0 && chunk[last-1] == ','
		if wrong && err == nil {
			c.in = appendSome(c.in, r, mistakeSize)
		}
		if wrong || err == io.EOF {
			p.submit(c)
			return nil, nil
		}
		if last > 0 {
			end = len(c.in) - n + last
		}
		if end > 0 {
			var next *piece
			if err != nil || len(c.in) >= pieceSize {
				next = <-p.free // this piece must not become larger
			} else {
				select {
				case next = <-p.free:
				default: // all are in use: continue to fill this one
				}
			}
			if next != nil {
				next.in = append(next.in[:0], c.in[end:]...)
				next.offset = c.offset + int64(end)
				c.in = c.in[:end]
				p.submit(c)
				if end < smallPiece {
					if <-c.done; c.err != nil {
						return nil, nil
					}
				}
				c, end = next, 0
			}
		}
		if err != nil {
			return nil, err
		}
		if end == 0 && len(c.in) > largeValue {
			return io.MultiReader(bytes.NewReader(c.in), r), nil
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			return nil, io.ErrNoProgress
		}
	}
	return nil, nil
}

// appendSome appends n bytes of r to b, or fewer if r ends, fails or is stuck.
func appendSome(b []byte, r io.Reader, n int) []byte {
	for empty := 0; n > 0 && empty < 100; empty++ {
		var text [mistakeSize]byte
		k, err := r.Read(text[:n])
		b = append(b, text[:k]...)
		n -= k
		if err != nil {
			break
		}
		if k > 0 {
			empty = 0
		}
	}
	return b
}

func (p *pieceLine) submit(c *piece) {
	c.done = make(chan struct{})
	p.work <- c
	p.order <- c
}

// convert is the loop of a worker.
func (p *pieceLine) convert() {
	for c := range p.work {
		if !p.stop.Load() {
			c.out.Reset()
			if c.result, c.err = p.o.pass(&c.out, bytes.NewReader(c.in), c.offset, nil); c.err != nil {
				// Convert the piece again, flushing after each value, to write only the
				// values before the error.
				good := 0
				c.out.Reset()
				_, _ = p.o.pass(&c.out, bytes.NewReader(c.in), c.offset, func(int64) { good = c.out.Len() })
				c.out.Truncate(good)
			}
			c.end = position.Position{Offset: int64(len(c.in))}
			if p.o.From == sniff.JSON {
				c.end = position.Position{}.After(c.in)
			}
		}
		close(c.done)
	}
}

// write writes the pieces in order, up to the first error.
func (p *pieceLine) write() {
	for c := range p.order {
		<-c.done
		if p.err == nil {
			if _, err := p.w.Write(c.out.Bytes()); err != nil {
				p.err = err
			} else {
				p.err = p.shift(c.err)
				p.result.Add(c.result)
			}
			p.begin = p.begin.Join(c.end)
			p.stop.Store(p.err != nil)
		}
		// A piece with a large value does not keep its memory.
		if cap(c.in) > 2*largeValue {
			c.in = nil
		}
		if c.out.Cap() > 2*largeValue {
			c.out = bytes.Buffer{}
		}
		p.free <- c
	}
}

// shift changes the position in an error of a piece, which begins at p.begin, to
// that in the input.
func (p *pieceLine) shift(err error) error {
	if e, ok := errors.AsType[*transcode.Error](err); ok {
		e.Value += p.result.Values
		e.Offset += p.begin.Offset
		e.Start += p.begin.Offset
		if e.Line == 1 {
			e.Column += p.begin.Runes
		}
		e.Line += p.begin.Lines
	} else if f, ok := errors.AsType[*scan.Fault](err); ok {
		f.Value += p.result.Values // the offsets are those in the input
	}
	return err
}
