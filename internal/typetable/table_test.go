package typetable_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typetable"
)

// length is an entry for an array type: the number of its elements.
type length struct {
	word mem.TypeWord
	n    int
}

func (l *length) Word() mem.TypeWord { return l.word }

// TestTable adds many types while other goroutines look them up. The table grows
// several times, and several types have the same hash.
func TestTable(t *testing.T) {
	const types = 3000
	words := make([]mem.TypeWord, types)
	for i := range words {
		words[i] = mem.WordOf(reflect.ArrayOf(i, reflect.TypeFor[int8]()))
	}
	var table typetable.Table[length, *length]
	if table.Home(words[0]) != nil || table.Get(words[0]) != nil {
		t.Fatal("a new table has entries")
	}
	var group sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for i, w := range words {
					if e := table.Get(w); e != nil && (e.word != w || e.n != i) {
						t.Errorf("type %d: the entry is of %d", i, e.n)
						return
					}
				}
			}
		})
	}
	for i, w := range words {
		table.Add(&length{w, i})
	}
	close(done)
	group.Wait()
	home := 0
	for i, w := range words {
		if e := table.Get(w); e == nil || e.n != i {
			t.Fatalf("type %d: %v", i, e)
		}
		e := table.Home(w)
		if e == nil {
			t.Fatalf("type %d has no home", i)
		}
		if e.word == w {
			home++
		}
	}
	// 3000 types have at most 2048 hashes.
	if home < 1024 || home > 2048 {
		t.Errorf("%d types are the first of their hash", home)
	}
}
