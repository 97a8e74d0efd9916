//go:build gc && go1.26 && !go1.28 && !goexperiment.mapsplitgroup && !race && !purego

package mem_test

import (
	"fmt"
	"maps"
	"math/bits"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// TestMapGroups reads maps in place: new maps, maps with deleted entries, and maps that
// were larger before.
func TestMapGroups(t *testing.T) {
	testMapGroups(t, func(i int) string { return strings.Repeat("k", i) }, func(i int) any { return i })
	testMapGroups(t, func(i int) string { return fmt.Sprint(i) }, func(i int) string { return fmt.Sprint(-i) })
	testMapGroups(t, func(i int) int8 { return int8(i) }, func(i int) bool { return i%2 == 0 })
	testMapGroups(t, func(i int) int64 { return int64(i) }, func(i int) struct{} { return struct{}{} })
	testMapGroups(t, func(i int) [16]uint64 { return [16]uint64{uint64(i)} }, func(i int) [128]byte { return [128]byte{byte(i)} })
	testMapGroups(t, func(i int) any { return i }, func(i int) *int { return &i })
	for _, size := range []int{100, 1000, 5000, 20000} {
		m := map[int32]string{}
		for i := range size + 10 {
			m[int32(i)] = strconv.Itoa(i)
		}
		for i := size; i < size+10; i++ {
			delete(m, int32(i))
		}
		checkMapGroups(t, m)
	}
	if mem.MapLen(mem.Ptr{}) != 0 {
		t.Error("a nil map has entries")
	}
}

func testMapGroups[K, V comparable](t *testing.T, key func(int) K, elem func(int) V) {
	t.Helper()
	for n := 1; n <= 20; n++ {
		m := map[K]V{}
		for i := range n {
			m[key(i)] = elem(i)
		}
		checkMapGroups(t, m)
		checkMapGroups(t, maps.Clone(m))
		for i := range n {
			delete(m, key(i))
			if i%3 == 0 {
				m[key(n+i)] = elem(i)
			}
			checkMapGroups(t, m)
		}
		sized := make(map[K]V, n)
		sized[key(1)] = elem(1)
		checkMapGroups(t, sized)
	}
}

// checkMapGroups compares m with what its groups hold, if it has entries.
func checkMapGroups[K, V comparable](t *testing.T, m map[K]V) {
	t.Helper()
	if len(m) == 0 {
		return
	}
	at, got, found := mem.PtrOf(reflect.ValueOf(m)), map[K]V{}, 0
	if n := mem.MapLen(at); n != len(m) {
		t.Errorf("%T: MapLen is %d, want %d", m, n, len(m))
	}
	for i := range mem.MapTables(at) {
		group, groups := mem.MapGroups(at, i)
		size := mem.SizeOf[mem.MapSlot[K, V]]()
		for g := range groups {
			group := group.Add(uintptr(g * (8 + 8*size)))
			for used := ^mem.LoadNative64(group, 0) & 0x8080808080808080; used != 0; used &= used - 1 {
				e := mem.At[mem.MapSlot[K, V]](group.Add(8 + uintptr(bits.TrailingZeros64(used)/8*size)))
				got[e.Key] = e.Elem
				found++
			}
		}
	}
	if found != len(m) || !maps.Equal(got, m) {
		t.Errorf("%T: got %d entries, %v, want %v", m, found, got, m)
	}
}

func TestMapsAreAsKnown(t *testing.T) {
	if m := map[int]int{1: 2}; mem.MapTables(mem.PtrOf(reflect.ValueOf(m))) != 1 {
		t.Error("the layout of maps was not recognized")
	}
}
