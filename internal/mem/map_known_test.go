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

// TestMapSlots reads maps of every small size: new maps, maps with deleted
// entries, and maps that were larger before.
func TestMapSlots(t *testing.T) {
	testMapSlots(t, func(i int) string { return strings.Repeat("k", i) }, func(i int) any { return i })
	testMapSlots(t, func(i int) string { return fmt.Sprint(i) }, func(i int) string { return fmt.Sprint(-i) })
	testMapSlots(t, func(i int) int8 { return int8(i) }, func(i int) bool { return i%2 == 0 })
	testMapSlots(t, func(i int) int64 { return int64(i) }, func(i int) struct{} { return struct{}{} })
	testMapSlots(t, func(i int) [16]uint64 { return [16]uint64{uint64(i)} }, func(i int) [128]byte { return [128]byte{byte(i)} })
	testMapSlots(t, func(i int) any { return i }, func(i int) *int { return &i })
}

func testMapSlots[K, V comparable](t *testing.T, key func(int) K, elem func(int) V) {
	t.Helper()
	check := func(m map[K]V, what string, want bool) {
		t.Helper()
		slots, used := mem.MapSlots(m)
		if (slots != nil) != want {
			t.Fatalf("%T, %s of %d: slots %v", m, what, len(m), slots != nil)
		}
		if slots == nil {
			return
		}
		got := map[K]V{}
		for ; used != 0; used &= used - 1 {
			e := &slots[bits.TrailingZeros64(used)/8]
			got[e.Key] = e.Elem
		}
		if !maps.Equal(got, m) {
			t.Errorf("%T, %s of %d: got %v, want %v", m, what, len(m), got, m)
		}
	}
	check(nil, "nil map", false)
	check(map[K]V{}, "empty map", false)
	for n := 1; n <= 20; n++ {
		m := map[K]V{}
		for i := range n {
			m[key(i)] = elem(i)
		}
		check(m, "map", n <= 8)
		check(maps.Clone(m), "clone", n <= 8)
		for i := range n {
			delete(m, key(i))
			if i%3 == 0 {
				m[key(n+i)] = elem(i)
			}
			check(m, "changed map", n <= 8)
		}
		clear(m)
		check(m, "cleared map", n <= 8)
		sized := make(map[K]V, n)
		sized[key(1)] = elem(1)
		check(sized, "sized map", n <= 8)
	}
}

func TestMapsAreAsKnown(t *testing.T) {
	if slots, _ := mem.MapSlots(map[int]int{1: 2}); slots == nil {
		t.Error("the layout of maps was not recognized")
	}
}

// TestMapGroups reads maps of all sizes in place, also after entries were deleted.
func TestMapGroups(t *testing.T) {
	if m := map[int]int{1: 1}; mem.MapTables(mem.PtrOf(reflect.ValueOf(m))) != 1 {
		t.Skip("skipped: the layout of maps is unknown")
	}
	type slot = mem.MapSlot[int32, string]
	for _, size := range []int{1, 7, 8, 9, 14, 15, 100, 1000, 5000, 20000} {
		m := map[int32]string{}
		for i := range size + 10 {
			m[int32(i)] = strconv.Itoa(i)
		}
		for i := size; i < size+10; i++ {
			delete(m, int32(i))
		}
		at, found := mem.PtrOf(reflect.ValueOf(m)), 0
		if n := mem.MapLen(at); n != size {
			t.Errorf("MapLen is %d, want %d", n, size)
		}
		for i := range mem.MapTables(at) {
			group, groups := mem.MapGroups(at, i)
			for g := range groups {
				group := group.Add(uintptr(g * (8 + 8*mem.SizeOf[slot]())))
				for used := ^mem.LoadNative64(group, 0) & 0x8080808080808080; used != 0; used &= used - 1 {
					e := mem.At[slot](group.Add(8 + uintptr(bits.TrailingZeros64(used)/8*mem.SizeOf[slot]())))
					if m[e.Key] != e.Elem || e.Elem == "" {
						t.Fatalf("entry %d is %q", e.Key, e.Elem)
					}
					found++
				}
			}
		}
		if found != size {
			t.Errorf("found %d entries of %d", found, size)
		}
	}
	if mem.MapLen(mem.Ptr{}) != 0 {
		t.Error("a nil map has entries")
	}
}
