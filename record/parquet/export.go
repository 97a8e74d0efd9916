package parquet

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/octet-go/octet/msgpack/schema"
)

// Export writes the records of file to w, one row for each, as one Parquet file. Options
// says in which format the records are; by default file is a record file. Without a
// schema it is read twice, so it must be an [io.Seeker] then.
//
// The Report says what was written, and what fits no column. Export returns an error if
// the input is damaged, and not if something fits no column; programs decide that with
// Report.Lost. After an error, w does not have a whole file.
func Export(w io.Writer, file io.Reader, options *Options) (Report, error) {
	o, err := options.checked()
	if err != nil {
		return Report{}, err
	}
	start := int64(0)
	seeker, canSeek := file.(io.Seeker)
	if canSeek {
		if start, err = seeker.Seek(0, io.SeekCurrent); err != nil {
			canSeek = false // a pipe
		}
	}
	src := open(file, &o)
	defer func() { src.close() }()
	s := o.Schema
	if f, ok := src.(*recordFile); ok && s == nil && !o.Infer {
		s = f.schema()
	}
	if s == nil {
		if !canSeek {
			return Report{}, ErrSeek
		}
		if s, err = infer(src, o.Procs); err != nil {
			return Report{}, err
		}
		src.close()
		if _, err = seeker.Seek(start, io.SeekStart); err != nil {
			return Report{}, err
		}
		src = open(file, &o)
	}
	e := &export{options: o}
	e.report.Schema = s
	if e.columns, err = newColumns(s); err != nil {
		return Report{}, err
	}
	if err := e.run(w, src); err != nil {
		return Report{}, err
	}
	if f, ok := src.(*recordFile); ok {
		e.report.Torn = f.scanner.Report().Torn
	}
	return e.report, nil
}

// An export is one call of [Export]. Each worker makes row groups; they are committed to
// the file in the order of the input.
type export struct {
	options Options
	columns *columns
	report  Report
	lost    losses

	turn turns
	file *file
}

func (e *export) run(w io.Writer, src source) error {
	e.lost = losses{}
	e.turn.changed.L = &e.turn.mu
	e.report.Columns = len(e.columns.leaves)
	e.report.JSON = e.columns.json()
	var err error
	if e.file, err = newFile(w, e.columns); err != nil {
		return err
	}
	makers := make([]*maker, e.options.Procs)
	err = process(src, e.options.Procs, e.options.RowGroup, func(worker int, seq int64, data []byte) error {
		if makers[worker] == nil {
			makers[worker] = &maker{e, newShredder(e.columns, e.options.Compression.codec())}
		}
		err := makers[worker].group(seq, data)
		if err != nil {
			e.turn.end()
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := e.file.close(); err != nil {
		return err
	}
	e.report.Lost = e.lost.list()
	return nil
}

// A maker makes row groups.
type maker struct {
	*export
	*shredder
}

const (
	batchBytes  = 64 << 10 // of records, after which pages may end
	batchValues = 64 << 10
)

// group makes the row group of data, the records number seq in the order of the input.
func (m *maker) group(seq int64, data []byte) error {
	m.shredder.data, m.pos, m.row = data, 0, 0
	start, filled := 0, 0
	for m.pos < len(data) {
		at := m.pos
		if err := m.record(); err != nil {
			return fmt.Errorf("parquet: record %d of row group %d, at byte %d of it: %w", m.row, seq, m.pos-at, err)
		}
		filled += len(m.leaves) + m.filled
		if m.pos-start >= batchBytes || filled >= batchValues {
			if err := m.flush(false); err != nil {
				return err
			}
			start, filled = m.pos, 0
		}
	}
	group, err := m.rowGroup()
	if err != nil {
		return err
	}
	if !m.turn.wait(seq) {
		return errStopped
	}
	if err := m.file.write(group); err != nil {
		return err
	}
	for _, l := range m.shredder.lost {
		m.export.lost.add(l.Path, l.Reason, m.report.Rows+l.First, l.Count)
	}
	clear(m.shredder.lost)
	m.report.Rows += m.row
	m.report.RowGroups++
	m.turn.next()
	m.reset(m.options.RowGroup)
	return nil
}

// errStopped is the error after that of another worker, which is the one that is returned.
var errStopped = errors.New("parquet: stopped")

// turns lets the workers commit row groups in order.
type turns struct {
	mu      sync.Mutex
	changed sync.Cond
	number  int64 // of the row group whose turn it is
	stopped bool
}

// wait waits for the turn of a row group. It returns false if there is none because
// another worker has failed.
func (t *turns) wait(seq int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.number != seq && !t.stopped {
		t.changed.Wait()
	}
	return !t.stopped
}

func (t *turns) next() {
	t.mu.Lock()
	t.number++
	t.mu.Unlock()
	t.changed.Broadcast()
}

func (t *turns) end() {
	t.mu.Lock()
	t.stopped = true
	t.mu.Unlock()
	t.changed.Broadcast()
}

// InferSchema returns the schema that [Export] makes from all records of file. Options
// says in which format they are. Programs that export many files write it to all of them,
// so that they have the same columns.
func InferSchema(file io.Reader, options *Options) (*schema.Schema, error) {
	o, err := options.checked()
	if err != nil {
		return nil, err
	}
	src := open(file, &o)
	defer src.close()
	return infer(src, o.Procs)
}
