package parquet

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/octet-go/octet/msgpack/schema"
	parquetgo "github.com/parquet-go/parquet-go"
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

	turn   turns
	out    io.Writer
	writer *parquetgo.GenericWriter[any]
	ready  chan struct{} // closed when writer exists
}

func (e *export) run(w io.Writer, src source) error {
	e.out, e.lost, e.ready = w, losses{}, make(chan struct{})
	e.turn.changed.L = &e.turn.mu
	e.turn.stop = make(chan struct{})
	e.report.Columns = len(e.columns.leaves)
	e.report.JSON = e.columns.json()
	makers := make([]*maker, e.options.Procs)
	err := process(src, e.options.Procs, e.options.RowGroup, func(worker int, seq int64, data []byte) error {
		if makers[worker] == nil {
			makers[worker] = &maker{export: e, shredder: newShredder(e.columns)}
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
	if e.writer == nil { // there is no record
		e.create(nil)
	}
	if err := e.writer.Close(); err != nil {
		return err
	}
	e.report.Lost = e.lost.list()
	return nil
}

// create creates the writer. dictionary has the columns that repeat few values.
func (e *export) create(dictionary []bool) {
	e.writer = parquetgo.NewGenericWriter[any](e.out, e.columns.schema(dictionary),
		parquetgo.Compression(e.options.Compression.codec()),
		parquetgo.CreatedBy("octet", "", ""),
		parquetgo.DictionaryMaxBytes(1<<20),
		parquetgo.WriteBufferSize(1<<20))
}

// A maker makes row groups.
type maker struct {
	*export
	*shredder
	rows *parquetgo.ConcurrentRowGroupWriter
}

const (
	batchBytes  = 256 << 10 // of records, after which their values are written to the columns
	batchValues = 128 << 10
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
		if m.pos-start >= batchBytes || filled >= batchValues || m.pos == len(data) {
			if err := m.write(seq); err != nil {
				return err
			}
			start, filled = m.pos, 0
		}
	}
	if !m.turn.wait(seq) {
		return errStopped
	}
	if _, err := m.rows.Commit(); err != nil {
		return err
	}
	for _, l := range m.shredder.lost {
		m.export.lost.add(l.Path, l.Reason, m.report.Rows+l.First, l.Count)
	}
	clear(m.shredder.lost)
	m.report.Rows += m.row
	m.report.RowGroups++
	m.turn.next()
	return nil
}

// errStopped is the error after that of another worker, which is the one that is returned.
var errStopped = errors.New("parquet: stopped")

// write writes the values that were shredded. The first batch of the input decides how
// the columns are encoded, so that the file does not depend on which worker is faster.
func (m *maker) write(seq int64) error {
	if m.rows == nil {
		if seq == 0 {
			m.create(m.repetitive())
			close(m.ready)
		}
		select {
		case <-m.ready:
		case <-m.turn.stop:
			return errStopped
		}
		m.turn.mu.Lock()
		m.rows = m.writer.BeginRowGroup()
		m.turn.mu.Unlock()
	}
	for i, c := range m.rows.ColumnWriters() {
		if _, err := c.WriteRowValues(m.values[i]); err != nil {
			return err
		}
	}
	m.clear()
	return nil
}

// repetitive reports for each column whether a dictionary makes it smaller: if at least
// half of the values of the first batch occurred before.
func (s *shredder) repetitive() []bool {
	list := make([]bool, len(s.leaves))
	for i, n := range s.leaves {
		if n.kind != kindStr && n.kind != kindBin && n.kind != kindJSON {
			continue
		}
		different, total := map[string]bool{}, 0
		for _, v := range s.values[i] {
			if !v.IsNull() {
				total++
				different[string(v.ByteArray())] = true
			}
		}
		list[i] = len(different) <= total/2
	}
	return list
}

// turns lets the workers commit row groups in order.
type turns struct {
	mu      sync.Mutex
	changed sync.Cond
	number  int64 // of the row group whose turn it is
	stopped bool
	stop    chan struct{} // closed when stopped is set
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
	if !t.stopped {
		t.stopped = true
		close(t.stop)
	}
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
