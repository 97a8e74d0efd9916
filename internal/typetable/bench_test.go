package typetable_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typetable"
)

// BenchmarkLook looks up types in turn, as a caller does: Home, and Get if that returns
// another type. It reports the share of the types that need Get. With get, it looks up all
// types by Get, so that the difference is the cost of a collision.
func BenchmarkLook(b *testing.B) {
	for _, types := range []int{10, 100, 1000, 10000} {
		for _, form := range []string{"look", "get"} {
			b.Run(fmt.Sprintf("%s/types=%d", form, types), func(b *testing.B) {
				var table typetable.Table[length, *length]
				words := make([]mem.TypeWord, types)
				for i := range words {
					words[i] = mem.WordOf(reflect.PointerTo(reflect.ArrayOf(i, reflect.TypeFor[int16]())))
					table.Add(&length{words[i], i})
				}
				missed, at := 0, 0
				for _, w := range words {
					if e := table.Home(w); e.word != w {
						missed++
					}
				}
				for b.Loop() {
					w := words[at]
					if at++; at == len(words) {
						at = 0
					}
					e := table.Home(w)
					if e.word != w || form == "get" {
						e = table.Get(w)
					}
					if e.word != w {
						b.Fatal("another type")
					}
				}
				b.ReportMetric(100*float64(missed)/float64(types), "%missed")
			})
		}
	}
}
