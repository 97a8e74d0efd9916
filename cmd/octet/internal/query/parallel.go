package query

import (
	"context"
	"errors"
	"io"
	"regexp"
	"runtime"
	"sync"

	"github.com/octet-go/octet/cmd/octet/internal/input"
)

// sequential matches the names of functions whose results or effects depend on the order
// in which a program runs on the values.
var sequential = regexp.MustCompile(`\b(input|inputs|input_filename|input_line_number|debug|stderr|halt|halt_error)\b`)

// isParallel reports whether the program may run on several values at a time.
func (s *Session) isParallel() bool {
	return !s.Null && !s.Slurp && !s.Text && !s.Stream && !sequential.MatchString(s.Program)
}

const (
	batchBytes = 256 << 10 // of the values of a batch, which has at least one value
	reserved   = 64 << 20
	waitBytes  = 1 << 20 // of the results of a batch that wait for those before it
)

// A batch is some values of an input that follow one another.
type batch struct {
	number int64 // of the batches before it
	in     *input.Input
	values []span
	data   []byte
	err    error // of the inputs, after the values; io.EOF at their end
}

// A span is the place of a value in the data of a batch, and in the input.
type span struct {
	start, end     int
	number, offset int64
}

// A queue gives the results of batches their order. Its fields are guarded by mu.
type queue struct {
	s      *Session
	w      io.Writer
	mu     sync.Mutex
	moved  sync.Cond // turn or over has changed
	turn   int64     // the batch whose results are written
	over   bool      // nothing more is written, and err is the result of the session
	err    error
	failed int64
	stop   context.CancelFunc
}

// errOver ends a program whose results are not needed any more.
var errOver = errors.New("the session is over")

// parallel runs the program with all processors. Each has a batch of values at a time.
func (s *Session) parallel(ctx context.Context, w io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q := &queue{s: s, w: w, stop: cancel}
	q.moved.L = &q.mu
	batches := make(chan *batch)
	go func() {
		defer close(batches)
		s.read(ctx, batches)
	}()
	var workers sync.WaitGroup
	for i := range runtime.GOMAXPROCS(0) {
		p := s.program
		if i > 0 {
			var err error
			if p, err = Compile(s.Program, s.Options); err != nil { // it was compiled before
				return err
			}
		}
		workers.Go(func() {
			for {
				select {
				case <-ctx.Done(): // the reader may wait for its input
					return
				case b, ok := <-batches:
					if !ok {
						return
					}
					o := &ordered{queue: q, batch: b}
					o.finish(p, o.run(p))
				}
			}
		})
	}
	select {
	case <-ctx.Done(): // by stop, or by an interrupt
	case <-ended(&workers):
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.over { // an endless program is left when it writes its next results
		q.over, q.err = true, context.Cause(ctx)
		q.moved.Broadcast()
	}
	return q.err
}

// ended returns a channel that is closed when the workers have ended.
func ended(workers *sync.WaitGroup) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		workers.Wait()
		close(done)
	}()
	return done
}

// read sends the values of all inputs in batches. It sends what it has before it waits
// for more.
func (s *Session) read(ctx context.Context, batches chan<- *batch) {
	b := &batch{}
	var reserve []byte
	send := func() bool {
		next := &batch{number: b.number + 1}
		select {
		case batches <- b:
			b = next
			return true
		case <-ctx.Done():
			return false
		}
	}
	err := s.files.Each(ctx, func(in *input.Input) error {
		for v, err := range in.ValuesBefore(func() {
			if len(b.values) > 0 {
				_ = send() // if it fails, the next one fails too
			}
		}) {
			if err != nil {
				return err
			}
			b.in = in
			start := len(b.data)
			b.data = append(b.data, v.Data...)
			b.values = append(b.values, span{start, len(b.data), v.Number, max(v.Offset, 0)})
			if len(b.data) < batchBytes {
				continue
			}
			// Little memory is in use at a time, so the garbage collector would run all the time.
			// Memory that is reserved and never touched makes it wait for as much garbage.
			if reserve == nil {
				reserve = make([]byte, reserved)
			}
			if !send() {
				return errOver
			}
		}
		if len(b.values) > 0 && !send() { // a batch has values of one input
			return errOver
		}
		return nil
	})
	if err == nil {
		err = io.EOF
	}
	if b.err = err; err != errOver {
		send()
	}
	runtime.KeepAlive(reserve)
}

// An ordered writer writes the results of a batch after those of all batches before it.
type ordered struct {
	*queue
	batch *batch
	text  []byte
	notes []note
}

// A note is a message that follows the first bytes of the results.
type note struct {
	after int
	text  string
}

// Write implements [io.Writer].
func (o *ordered) Write(b []byte) (int, error) {
	o.text = append(o.text, b...)
	if len(o.text) < waitBytes {
		return len(b), nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.await() {
		return 0, errOver
	}
	return len(b), o.flush()
}

// await waits until the batches before this one are written. It returns false if the
// session is over. The caller holds mu.
func (o *ordered) await() bool {
	for !o.over && o.turn != o.batch.number {
		o.moved.Wait()
	}
	return !o.over
}

// flush writes the results and the messages so far. The caller holds mu, and the turn is
// that of this batch.
func (o *ordered) flush() error {
	written := 0
	for _, n := range o.notes {
		if n.after > written {
			if _, err := o.w.Write(o.text[written:n.after]); err != nil {
				return err
			}
			written = n.after
		}
		if o.failed++; o.failed <= maxReported {
			o.s.files.Console.Note("octet: query: %v", errors.New(n.text)) // may have several lines
		}
	}
	text := o.text[written:]
	o.text, o.notes = o.text[:0], o.notes[:0]
	if len(text) == 0 {
		return nil
	}
	_, err := o.w.Write(text)
	return err
}

// run runs the program on the values of the batch. It returns the error that ends the
// session, if there is one.
func (o *ordered) run(p *Program) error {
	b := o.batch
	for _, at := range b.values {
		v := value{b.in, at.number, at.offset, b.data[at.start:at.end:at.end]}
		// A context would cost time at each step of the program. See parallel for how it ends.
		err := p.Run(context.Background(), o, v.data)
		var wrong *RuntimeError
		switch {
		case errors.As(err, &wrong):
			o.notes = append(o.notes, note{len(o.text), v.place() + wrong.Error()})
		case err != nil:
			return v.explain(err)
		}
	}
	return b.err
}

// finish writes the results that are left. err ends the session.
func (o *ordered) finish(p *Program, err error) {
	totals := p.take()
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.await() {
		return
	}
	o.s.totals.add(totals)
	if unwritten := o.flush(); unwritten != nil {
		o.err, o.over = unwritten, true
	} else if err != nil {
		o.over = true
		if err == io.EOF {
			err = o.s.result(o.failed)
		} else {
			_ = o.s.result(0) // counts what the results before the error have lost
		}
		o.err = err
	}
	if o.over {
		o.stop()
	}
	o.turn++
	o.moved.Broadcast()
}
