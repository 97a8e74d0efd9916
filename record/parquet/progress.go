package parquet

import (
	"bytes"
	"errors"
	"sync"
	"unicode/utf8"

	"github.com/octet-go/octet/transcode"
)

// A progress lets workers end their batches in the order of the input. It counts what was
// before a batch, so that an error can say where it is.
type progress struct {
	mu      sync.Mutex
	changed sync.Cond
	seq     int64 // of the batch whose turn it is
	stopped bool
	rows    int64 // records before that batch
	lines   int64 // line ends before it
	runes   int64 // characters after the last of them
}

func newProgress() *progress {
	p := &progress{}
	p.changed.L = &p.mu
	return p
}

// errStopped is the error after that of another worker, which is the one that is returned.
var errStopped = errors.New("parquet: stopped")

// done ends a batch of some rows: it waits for the turn of the batch and calls commit,
// unless there is an error in it. The error that it returns says where it is in the input.
func (p *progress) done(b batch, rows int64, err error, commit func() error) error {
	lines, runes := int64(bytes.Count(b.data, []byte{'\n'})), int64(0)
	if last := b.data[bytes.LastIndexByte(b.data, '\n')+1:]; len(last) > 0 {
		runes = int64(utf8.RuneCount(last))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.seq != b.seq && !p.stopped {
		p.changed.Wait()
	}
	defer p.changed.Broadcast()
	if p.stopped {
		return errStopped
	}
	if err == nil && commit != nil {
		err = commit()
	}
	if err != nil {
		p.stopped = true
		return p.place(b, rows, err)
	}
	p.seq++
	p.rows += rows
	if lines > 0 {
		p.runes = 0
	}
	p.lines += lines
	p.runes += runes
	return nil
}

// A recordError is an error of a record that begins at a place in its batch.
type recordError struct {
	at  int
	err error
}

func (e *recordError) Error() string { return e.err.Error() }
func (e *recordError) Unwrap() error { return e.err }

// place adds the place in the input to the error of the record after some rows.
func (p *progress) place(b batch, rows int64, err error) error {
	var record *recordError
	if !errors.As(err, &record) {
		return err
	}
	var fault *transcode.Error
	if errors.As(err, &fault) && b.offset >= 0 {
		before := b.data[:min(fault.Offset, int64(len(b.data)))]
		fault.Line = p.lines + int64(bytes.Count(before, []byte{'\n'})) + 1
		start := bytes.LastIndexByte(before, '\n') + 1
		fault.Column = int64(utf8.RuneCount(before[start:])) + 1
		if start == 0 {
			fault.Column += p.runes
		}
		fault.Value = p.rows + rows
		fault.Offset += b.offset
		fault.Start += b.offset
		return fault
	}
	e := &Error{Record: p.rows + rows, Offset: -1, Err: record.err}
	if b.offset >= 0 {
		e.Offset = b.offset + int64(record.at)
	}
	return e
}
