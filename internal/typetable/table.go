// Package typetable maps Go types to what is known about them. Every call with an
// argument of type any begins with such a look-up, so readers take no lock and write
// nothing.
package typetable

import (
	"math/bits"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// An Entry is a pointer to what is known about one type.
type Entry[E any] interface {
	*E
	// Word identifies the type. It must not change.
	Word() mem.TypeWord
}

// A Table holds one entry for each type. It uses open addressing and is at most half
// full, so a look-up takes a multiplication and usually one comparison. Slots are never
// moved: if the table becomes too full, it is replaced by a larger one, and readers of
// the old one miss only new entries.
//
// The first entry of each hash is also in an array of fixed size. A look-up there is so
// short that the compiler inlines it.
type Table[E any, P Entry[E]] struct {
	first [1 << firstBits]atomic.Pointer[E]
	slots atomic.Pointer[slots[E]]
}

// firstBits makes the array large enough that few of several hundred types share a hash. It
// takes 16 KiB of each Table.
const firstBits = 11

type slots[E any] struct {
	list  []slot[E] // the length is a power of two
	shift uint      // 64 - log2(len(list))
	used  int
}

// A slot holds an entry and the word of its type. The word is a copy, because calling a
// method of a type parameter takes longer than the rest of a look-up. It is stored before
// the entry and never changes, so that a reader who sees the entry sees the word.
type slot[E any] struct {
	word  mem.TypeWord
	entry atomic.Pointer[E]
}

// Home returns the first entry with the hash of w, or nil. It is nearly always the
// entry of w; the caller must compare the word.
func (t *Table[E, P]) Home(w mem.TypeWord) *E { return t.first[w.Hash()>>(64-firstBits)].Load() }

// Get returns the entry of the type, or nil if there is none.
func (t *Table[E, P]) Get(w mem.TypeWord) *E {
	s := t.slots.Load()
	if s == nil {
		return nil
	}
	mask := uint64(len(s.list) - 1)
	for i := w.Hash() >> s.shift; ; i++ {
		at := &s.list[i&mask]
		if e := at.entry.Load(); e == nil || at.word == w {
			return e
		}
	}
}

// Add puts a complete entry into the table, which must not have one for its type. The
// caller holds the lock that serializes changes. Other goroutines may read meanwhile.
func (t *Table[E, P]) Add(e *E) {
	s := t.slots.Load()
	if s == nil {
		s = makeSlots[E](64)
	}
	if 2*(s.used+1) > len(s.list) {
		old := s
		s = makeSlots[E](2 * len(old.list))
		for i := range old.list {
			if e := old.list[i].entry.Load(); e != nil {
				s.put(old.list[i].word, e)
			}
		}
	}
	w := P(e).Word()
	s.put(w, e)
	t.first[w.Hash()>>(64-firstBits)].CompareAndSwap(nil, e)
	t.slots.Store(s)
}

func makeSlots[E any](size int) *slots[E] {
	return &slots[E]{list: make([]slot[E], size), shift: uint(64 - bits.TrailingZeros(uint(size)))}
}

// put fills the next free slot. A reader sees the entry or nil.
func (s *slots[E]) put(w mem.TypeWord, e *E) {
	mask := uint64(len(s.list) - 1)
	i := w.Hash() >> s.shift
	for s.list[i&mask].entry.Load() != nil {
		i++
	}
	at := &s.list[i&mask]
	at.word = w
	at.entry.Store(e)
	s.used++
}
