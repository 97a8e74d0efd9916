package parquet

import (
	"io"

	"github.com/octet-go/octet/msgpack/schema"
)

// Export writes the records of file to w, one row for each, as one Parquet file. Options
// says in which format the records are; by default file is a record file. Without a
// schema it is read twice, so it must be an [io.Seeker] then. JSON is read once if the
// first records have the schema of all, and if w can be written again: it has the methods
// Seek and Truncate, as [os.File] has, and is at its end.
//
// The Report says what was written, and what fits no column. Export returns an error if
// the input is damaged, and not if something fits no column; programs decide that with
// Report.Lost. After an error, w does not have a whole file.
func Export(w io.Writer, file io.Reader, options *Options) (Report, error) {
	o, err := options.checked()
	if err != nil {
		return Report{}, err
	}
	in := input{r: file, options: &o}
	if seeker, ok := file.(io.Seeker); ok {
		if in.start, err = seeker.Seek(0, io.SeekCurrent); err == nil { // not a pipe
			in.seeker = seeker
		}
	}
	src := open(file, &o)
	e := &export{options: o}
	e.report.Schema = o.Schema
	if f, ok := src.(*recordFile); ok && o.Schema == nil && !o.Infer {
		e.report.Schema = f.schema()
	}
	if e.report.Schema == nil {
		if in.seeker == nil {
			return Report{}, ErrSeek
		}
		if o.Format == JSON {
			done, report, err := in.guess(w)
			if done || err != nil {
				return report, err
			}
		}
		if e.report.Schema, _, err = infer(src, &o); err != nil {
			return Report{}, err
		}
		if err := in.rewind(); err != nil {
			return Report{}, err
		}
		src = open(file, &o)
	}
	return e.run(w, src)
}

// An export is one call of [Export]. Each worker makes row groups; they are committed to
// the file in the order of the input.
type export struct {
	options Options
	columns *columns
	report  Report // with the schema
	lost    losses
	file    *file
	open    map[*schema.Type]bool // not nil if the schema is a guess
}

func (e *export) run(w io.Writer, src source) (report Report, err error) {
	if e.columns, err = newColumns(e.report.Schema); err != nil {
		return Report{}, err
	}
	e.lost = losses{}
	e.report.Columns = len(e.columns.leaves)
	e.report.JSON = e.columns.json()
	if e.file, err = newFile(w, e.columns); err != nil {
		return Report{}, err
	}
	makers := make([]*maker, e.options.Procs)
	order := newProgress()
	err = process(src, e.options.Procs, e.options.RowGroup, func(worker int, b batch) error {
		if makers[worker] == nil {
			makers[worker] = newMaker(e)
		}
		m := makers[worker]
		g, err := m.group(b.data)
		return order.done(b, m.row, err, func() error { return m.commit(g) })
	})
	if err != nil {
		return Report{}, err
	}
	if err := e.file.close(); err != nil {
		return Report{}, err
	}
	e.report.Lost = e.lost.list()
	if f, ok := src.(*recordFile); ok {
		e.report.Torn = f.scanner.Report().Torn
	}
	return e.report, nil
}

// A maker makes row groups.
type maker struct {
	*export
	*shredder
	json *jsonShredder // nil for MessagePack
}

func newMaker(e *export) *maker {
	m := &maker{export: e, shredder: newShredder(e.columns, e.options.Compression.codec())}
	m.shredder.open = e.open
	if e.options.Format == JSON {
		m.json = newJSONShredder(m.shredder, &e.options)
	}
	return m
}

const (
	batchBytes  = 64 << 10 // of records, after which pages may end
	batchValues = 64 << 10
)

// group makes the row group of the records in data.
func (m *maker) group(data []byte) (*rowGroup, error) {
	pos, record := &m.pos, m.record
	if m.json != nil {
		pos, record = &m.json.jsonText.pos, m.json.record
		m.json.jsonText.data = data
	} else {
		m.shredder.data = data
	}
	*pos, m.row = 0, 0
	start, filled := 0, 0
	for *pos < len(data) {
		at := *pos
		if err := record(); err != nil {
			return nil, &recordError{at, err}
		}
		filled += len(m.leaves) + m.filled
		if *pos-start >= batchBytes || filled >= batchValues {
			if err := m.flush(false); err != nil {
				return nil, err
			}
			start, filled = *pos, 0
		}
		if m.export.open != nil && len(m.shredder.lost) > 0 {
			return nil, errGuess
		}
	}
	return m.rowGroup()
}

// commit writes a row group when it is its turn.
func (m *maker) commit(g *rowGroup) error {
	if g.rows > 0 {
		if err := m.file.write(g); err != nil {
			return err
		}
		m.report.RowGroups++
	}
	for _, l := range m.shredder.lost {
		m.export.lost.add(l.Path, l.Reason, m.report.Rows+l.First, l.Count)
	}
	clear(m.shredder.lost)
	m.report.Rows += m.row
	m.reset(m.options.RowGroup)
	return nil
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
	s, _, err := infer(src, &o)
	return s, err
}
