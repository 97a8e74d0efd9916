package msgpack

import (
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// table finds plans by type word. Readers take no lock and write nothing: a
// change makes a new table and swaps it in, which is rare after start-up. It
// is open-addressed and at most half full, so a look-up is a multiplication
// and, nearly always, one comparison.
type table struct {
	slots atomic.Pointer[slots]
}

type slots struct {
	entries []entry // a power of two
	shift   uint    // 64 - log2(len(entries))
	used    int
}

type entry struct {
	word mem.TypeWord
	plan *plan
}

// get returns the plan of the type, nil if there is none yet.
func (t *table) get(w mem.TypeWord) *plan {
	s := t.slots.Load()
	if s == nil {
		return nil
	}
	return s.get(w)
}

func (s *slots) get(w mem.TypeWord) *plan {
	mask := uint64(len(s.entries) - 1)
	for i := w.Hash() >> s.shift; ; i++ {
		e := &s.entries[i&mask]
		if e.word == w || e.plan == nil {
			return e.plan
		}
	}
}

// add puts plans into the table under the words of their types. The caller
// holds the lock that serialises changes.
func (t *table) add(plans []*plan) {
	old := t.slots.Load()
	if old == nil {
		old = &slots{}
	}
	size, shift := 64, uint(64-6)
	for size < 2*(old.used+len(plans)) {
		size, shift = size*2, shift-1
	}
	s := &slots{entries: make([]entry, size), shift: shift}
	for _, e := range old.entries {
		if e.plan != nil {
			s.put(e)
		}
	}
	for _, p := range plans {
		s.put(entry{mem.WordOf(p.typ), p})
	}
	t.slots.Store(s)
}

func (s *slots) put(e entry) {
	mask := uint64(len(s.entries) - 1)
	i := e.word.Hash() >> s.shift
	for s.entries[i&mask].plan != nil {
		if s.entries[i&mask].word == e.word {
			return
		}
		i++
	}
	s.entries[i&mask] = e
	s.used++
}
