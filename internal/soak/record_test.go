package soak

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/record"
)

// An entry is a record. Each worker counts its own.
type entry struct {
	Worker int
	Number int64
	Text   string
}

// A shared Writer is used by all workers. When it has enough records, one of them
// closes it, reads the file, and begins a new one.
type shared struct {
	mu     sync.RWMutex // of replacing the Writer
	file   bytes.Buffer
	writer *record.Writer
	sent   [workers]int64 // by worker
	t      *testing.T
}

const enough = 3000

func (s *shared) begin() {
	s.file.Reset()
	clear(s.sent[:])
	s.writer = must(record.NewWriter(&s.file, &record.Options{BlockSize: 4 << 10}))
}

// write writes one record.
func (s *shared) write(w *worker) {
	s.mu.RLock()
	s.sent[w.id]++
	e := entry{w.id, s.sent[w.id], strings.Repeat(string(rune('a'+w.id%26)), w.IntN(300))}
	w.check("Write", s.writer.Write(e))
	if w.IntN(200) == 0 {
		w.check("Flush", s.writer.Flush())
	}
	full := s.writer.Len() >= enough
	s.mu.RUnlock()
	if full {
		s.mu.Lock()
		if s.writer.Len() >= enough {
			s.finish()
			s.begin()
		}
		s.mu.Unlock()
	}
}

// finish closes the Writer and checks the file: all records of each worker, in the
// order in which it wrote them.
func (s *shared) finish() {
	if err := s.writer.Close(); err != nil {
		s.t.Error(err)
	}
	f, err := record.NewFile(bytes.NewReader(s.file.Bytes()), int64(s.file.Len()), nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	var got [workers]int64
	for e, err := range record.All[entry](f) {
		if err != nil {
			s.t.Error(err)
			return
		}
		got[e.Worker]++
		if e.Number != got[e.Worker] || strings.Trim(e.Text, string(rune('a'+e.Worker%26))) != "" {
			s.t.Errorf("record %d of worker %d is %+v", got[e.Worker], e.Worker, e)
			return
		}
	}
	if got != s.sent {
		s.t.Errorf("records %v, want %v", got, s.sent)
	}
}

func recordJobs(t *testing.T) (jobs []job, finish func()) {
	writers := make([]*shared, 4)
	for i := range writers {
		writers[i] = &shared{t: t}
		writers[i].begin()
	}
	whole := file()
	jobs = []job{
		{"record.Writer, shared", func(w *worker) {
			for range 20 {
				writers[w.IntN(len(writers))].write(w)
			}
		}},
		{"record.Writer, own", func(w *worker) {
			s := &shared{t: w.t}
			s.begin()
			for range w.IntN(30) {
				s.write(w)
			}
			s.finish()
		}},
		{"record.File, Scanner", func(w *worker) {
			b := whole
			damaged := w.IntN(2) == 0
			if damaged {
				b = bytes.Clone(whole)
				b[w.IntN(len(b))] ^= 1
			}
			n := 0
			f, err := record.NewFile(bytes.NewReader(b), int64(len(b)), nil)
			if err == nil {
				for e, err := range record.All[entry](f) {
					if err != nil {
						break
					}
					if n++; e.Number != int64(n) {
						w.t.Errorf("record %d is %+v", n, e)
					}
				}
			}
			s := record.NewScanner(bytes.NewReader(b), nil)
			scanned := 0
			for s.Scan() {
				scanned++
			}
			if err := s.Err(); !damaged && (err != nil || n != 500 || scanned != n) || err != nil && !errors.Is(err, record.ErrCorrupt) && !damaged {
				w.t.Errorf("%d records by All, %d by Scan, %v", n, scanned, err)
			}
		}},
	}
	return jobs, func() {
		for _, s := range writers {
			s.finish()
		}
	}
}

// file returns a record file of 500 records.
func file() []byte {
	var b bytes.Buffer
	w := must(record.NewWriter(&b, &record.Options{BlockSize: 2 << 10}))
	for i := range 500 {
		if err := w.Write(entry{1, int64(i + 1), "text"}); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
