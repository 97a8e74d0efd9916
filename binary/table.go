package binary

import (
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// arguments contains the argument for each type that was passed as data.
var arguments table

// A table maps type words to arguments. Readers take no lock and write nothing.
// A change either creates a new table and swaps it in, or fills an empty slot.
// The table uses open addressing and is at most half full, so a lookup is one
// multiplication and, almost always, one comparison.
type table struct {
	slots atomic.Pointer[[]atomic.Pointer[argument]] // the length is a power of two
	lock  sync.Mutex                                 // serializes changes
	used  int
}

// find returns the argument for types with the word w, or nil.
func (t *table) find(w mem.TypeWord) *argument {
	slots := t.slots.Load()
	if slots == nil {
		return nil
	}
	mask := uint64(len(*slots) - 1)
	for i := w.Hash() >> 32; ; i++ {
		a := (*slots)[i&mask].Load()
		if a == nil || a.word == w {
			return a
		}
	}
}

// add returns the argument for typ and inserts it if it is missing.
func (t *table) add(typ reflect.Type) *argument {
	fresh := newArgument(typ)
	t.lock.Lock()
	defer t.lock.Unlock()
	if a := t.find(fresh.word); a != nil {
		return a
	}
	slots := t.slots.Load()
	if slots == nil || 2*t.used >= len(*slots) {
		slots = t.grown(slots)
		defer t.slots.Store(slots)
	}
	put(*slots, fresh)
	t.used++
	return fresh
}

// grown returns a copy of old with twice as many slots.
func (t *table) grown(old *[]atomic.Pointer[argument]) *[]atomic.Pointer[argument] {
	slots := make([]atomic.Pointer[argument], max(64, 4*t.used))
	if old != nil {
		for i := range *old {
			if a := (*old)[i].Load(); a != nil {
				put(slots, a)
			}
		}
	}
	return &slots
}

func put(slots []atomic.Pointer[argument], a *argument) {
	mask := uint64(len(slots) - 1)
	i := a.word.Hash() >> 32
	for slots[i&mask].Load() != nil {
		i++
	}
	slots[i&mask].Store(a)
}
