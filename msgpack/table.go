package msgpack

import (
	"math/bits"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// table maps type words to plans. Readers take no lock and write nothing, because
// every call of Marshal and Unmarshal reads it. It uses open addressing and is at
// most half full, so a look-up takes a multiplication and usually one comparison.
//
// The first plan of each hash is also in an array of fixed size. A look-up there is
// so short that the compiler inlines it.
type table struct {
	first [1 << firstBits]atomic.Pointer[plan]
	slots atomic.Pointer[slots]
}

const firstBits = 7

type slots struct {
	plans []atomic.Pointer[plan] // the length is a power of two
	shift uint                   // 64 - log2(len(plans))
	used  int
}

// home returns the first plan with the hash of w. It is nearly always the plan of
// w; the caller must compare the word.
func (t *table) home(w mem.TypeWord) *plan { return t.first[w.Hash()>>(64-firstBits)].Load() }

// get returns the plan of the type, or nil if it has not been compiled.
func (t *table) get(w mem.TypeWord) *plan {
	s := t.slots.Load()
	if s == nil {
		return nil
	}
	mask := uint64(len(s.plans) - 1)
	for i := w.Hash() >> s.shift; ; i++ {
		if p := s.plans[i&mask].Load(); p == nil || p.word == w {
			return p
		}
	}
}

// add puts a complete plan into the table. The caller holds the lock that
// serializes changes. Free slots are filled while other goroutines read; a reader
// then sees the plan or nil. Slots are never moved: if the table becomes too full,
// it is replaced by a larger one, and readers of the old one miss only new plans.
func (t *table) add(p *plan) {
	s := t.slots.Load()
	if s == nil {
		s = makeSlots(64)
	}
	if need := 2 * (s.used + 1); need > len(s.plans) {
		size := 2 * len(s.plans)
		for size < need {
			size *= 2
		}
		old := s
		s = makeSlots(size)
		for i := range old.plans {
			if p := old.plans[i].Load(); p != nil {
				s.put(p)
			}
		}
	}
	s.put(p)
	t.first[p.word.Hash()>>(64-firstBits)].CompareAndSwap(nil, p)
	t.slots.Store(s)
}

func makeSlots(size int) *slots {
	return &slots{plans: make([]atomic.Pointer[plan], size), shift: uint(64 - bits.TrailingZeros(uint(size)))}
}

func (s *slots) put(p *plan) {
	mask := uint64(len(s.plans) - 1)
	i := p.word.Hash() >> s.shift
	for s.plans[i&mask].Load() != nil {
		i++
	}
	s.plans[i&mask].Store(p)
	s.used++
}
