package array

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/mem"
)

// processors sets GOMAXPROCS for a test. Two goroutines read even if the machine has
// only one processor.
func processors(t *testing.T, n int) {
	t.Helper()
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
	if runtime.GOMAXPROCS(0) != n {
		t.Skip(runtime.GOOS, "runs goroutines on one processor only")
	}
}

// pattern returns n elements, of which neighboring ones differ.
func pattern[T Element](n int) []T {
	s := make([]T, n)
	b := mem.SliceBytes(s)
	e := elementOf[T]()
	for i := range n {
		part := b[i*e.size:][:e.size]
		switch {
		case e.kind == reflect.Bool:
			part[0] = byte(i*i>>3) & 1
		case e.size == 1:
			part[0] = byte(i) ^ byte(i>>8) ^ byte(i>>16)
		case e.size == 2:
			binary.NativeEndian.PutUint16(part, uint16(i)^uint16(i>>16))
		default:
			// Half of the numbers are small, so that no float is NaN.
			for k := 0; k < e.size; k += e.unit {
				binary.NativeEndian.PutUint32(part[k:], uint32(i+k))
			}
		}
	}
	return s
}

// largeTest is the size from which two goroutines read in tests. The race detector
// makes larger ones slow.
const largeTest = 2 << 20

// TestReadAhead reads large arrays of every kind in loops, by one goroutine and by
// two, in chunks of many sizes.
func TestReadAhead(t *testing.T) {
	t.Run("bool", testReadAhead[bool])
	t.Run("uint64", testReadAhead[uint64])
	if testing.Short() {
		return
	}
	t.Run("int8", testReadAhead[int8])
	t.Run("int16", testReadAhead[int16])
	t.Run("float32", testReadAhead[float32])
	t.Run("complex64", testReadAhead[complex64])
	t.Run("complex128", testReadAhead[complex128])
}

func testReadAhead[T Element](t *testing.T) {
	size := elementOf[T]().size
	want := pattern[T](largeTest/size + 12_345)
	for _, n := range []int{1, 2} {
		processors(t, n)
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			path := made(t, NPY.WithOrder(order), want...)
			for way, options := range access {
				f := opened[T](t, path, options)
				f.s.large = largeTest
				if f.s.readsAhead() != (n == 2) {
					t.Fatalf("%d processors: a second goroutine reads: %v", n, n != 2)
				}
				for _, chunk := range []int{1000, ringPiece / size, 30_011, len(want)/2 + 1, len(want) + 1} {
					at := 0
					for part := range f.Chunks(chunk) {
						if len(part) != min(chunk, len(want)-at) || cap(part) > chunk || !slices.Equal(part, want[at:at+len(part)]) {
							t.Fatalf("%v, %s, %d processors: chunk of %d at %d of %d differs", order, way, n, len(part), at, len(want))
						}
						at += len(part)
					}
					if at != len(want) {
						t.Errorf("%v, %s, %d processors, chunks of %d: %d elements, want %d", order, way, n, chunk, at, len(want))
					}
				}
				next := 0
				for i, v := range f.All() {
					if i != next || v != want[i] {
						t.Fatalf("%v, %s, %d processors: element %d is %v, want %v", order, way, n, i, v, want[next])
					}
					next++
				}
				if next != len(want) {
					t.Errorf("All has %d elements, want %d", next, len(want))
				}
				f.Close()
			}
			os.Remove(path)
		}
	}
}

// TestRingPlaces checks that the pieces of every block lie beside each other in the
// memory, and that those that are in it at the same time do not overlap.
func TestRingPlaces(t *testing.T) {
	processors(t, 2)
	for _, length := range []int{0, 1, 999, largeTest, largeTest + 777} {
		for _, n := range []int{1, 7, 1000, ringPiece - 1, ringPiece, ringPiece + 1, 300_000, length + 1} {
			s := &store{e: elementOfKind(reflect.Uint8), large: largeTest}
			s.Len = length
			r, room := s.newRing(n)
			if limit := max(ringSize, n); room > limit || length > 0 && r.block%min(n, length) != 0 {
				t.Fatalf("length %d, chunks of %d: room for %d, blocks of %d", length, n, room, r.block)
			}
			next := 0
			ends := make([]int, 0, len(r.slots)) // in the memory, of the pieces in it
			for i := range r.blocks * r.parts {
				from, to, at := r.place(i)
				slot := i % len(r.slots)
				if slot == 0 {
					ends = ends[:0]
				}
				if from != next || to < from || at+to-from > room || slot > 0 && at < ends[slot-1] || i%r.parts > 0 && at != ends[slot-1] {
					t.Fatalf("length %d, chunks of %d: piece %d has %d to %d at %d, after %d at %v", length, n, i, from, to, at, next, ends)
				}
				ends = append(ends, at+to-from)
				next = to
			}
			if next != length {
				t.Errorf("length %d, chunks of %d: the pieces end at %d", length, n, next)
			}
		}
	}
}

// TestReadAheadMemory bounds the memory of loops over a large file.
func TestReadAheadMemory(t *testing.T) {
	processors(t, 2)
	path := made(t, NPY.WithOrder(orderOf(!nativeBig)), make([]uint64, 2*largeTest/8)...)
	f := opened[uint64](t, path)
	f.s.large = largeTest
	for name, loop := range map[string]func(){
		"All":          func() { f.All()(func(int, uint64) bool { return true }) },
		"Chunks(1)":    func() { f.Chunks(1)(func([]uint64) bool { return true }) },
		"Chunks(32Ki)": func() { f.Chunks(32 << 10)(func([]uint64) bool { return true }) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		loop()
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%s: allocated %d bytes", name, got)
		}
	}
}

// largeRing returns a ring for an array for which two goroutines read, and the array,
// without starting the second one.
func largeRing(t *testing.T) (*ring, []uint64) {
	t.Helper()
	processors(t, 2)
	want := pattern[uint64](largeTest/8 + 99)
	f := opened[uint64](t, made(t, NPY, want...), Options{NoMmap: true})
	f.s.large = largeTest
	r, room := f.s.newRing(ringPiece / 8)
	r.memory = make([]byte, room*8)
	r.begin()
	return r, want
}

// wantBlock checks a block.
func wantBlock(t *testing.T, r *ring, i int, want []uint64) {
	t.Helper()
	b, err := r.receive(i)
	if at := i * r.block; err != nil || !slices.Equal(mem.SliceOf[uint64](b), want[at:min(len(want), at+r.block)]) {
		t.Fatalf("block %d of %d: %d bytes, %v, or other elements", i, r.blocks, len(b), err)
	}
}

// TestRingNeeds lets the other goroutine take so long for each piece that the loop
// sleeps until it is there.
func TestRingNeeds(t *testing.T) {
	r, want := largeRing(t)
	go func() {
		defer close(r.done)
		for i := 0; i < r.blocks; i += 3 {
			next, ok := r.take()
			for ; !ok; next, ok = r.take() {
				if next >= r.blocks*r.parts {
					return
				}
				time.Sleep(time.Millisecond)
			}
			for r.needed.Load() != int64(next) {
				time.Sleep(time.Millisecond)
			}
			if err := r.fill(next); err != nil {
				t.Error(err)
			}
		}
	}()
	for i := range r.blocks {
		wantBlock(t, r, i, want)
	}
	r.stop()
}

// TestRingSleeps lets the loop take so long for each block that the other goroutine
// sleeps until half of the slots are free.
func TestRingSleeps(t *testing.T) {
	r, want := largeRing(t)
	go r.readAhead()
	slept := 0
	for i := range r.blocks {
		wantBlock(t, r, i, want)
		for next := r.next.Load(); int(next) < r.blocks; next = r.next.Load() {
			wanted := r.freed.wanted.Load()
			if wanted != unwanted {
				if int(wanted) != int(next)-len(r.slots)/2 {
					t.Fatalf("the goroutine has taken %d pieces and waits for %d", next, wanted)
				}
				slept++
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	if slept == 0 {
		t.Error("the goroutine never slept")
	}
	r.stop()
}

// TestRingForgotten leaves a loop without stopping the other goroutine, as a panic
// does. It ends by itself, and the loop could go on without it.
func TestRingForgotten(t *testing.T) {
	r, want := largeRing(t)
	go r.readAhead()
	wantBlock(t, r, 0, want)
	<-r.done
	for i := range r.blocks {
		wantBlock(t, r, i, want)
	}
}

// TestReadAheadEnds ends loops in every way.
func TestReadAheadEnds(t *testing.T) {
	processors(t, 2)
	want := pattern[uint32](largeTest/4 + 5)
	path := made(t, NPY, want...)
	f := opened[uint32](t, path, Options{NoMmap: true})
	f.s.large = largeTest
	for _, at := range []int{0, 1, ringPiece, len(want) - 1} {
		for i := range f.All() {
			if i == at {
				break
			}
		}
		func() {
			defer func() {
				if r := recover(); r != "stop" {
					t.Errorf("panic %v", r)
				}
			}()
			for i := range f.All() {
				if i == at {
					panic("stop")
				}
			}
		}()
	}
	// The elements before an error are there.
	got := 0
	err := f.Guard(func() {
		for part := range f.Chunks(1000) {
			if got += len(part); got == 1000 {
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
			if !slices.Equal(part, want[got-len(part):got]) {
				t.Fatalf("the chunk before %d differs", got)
			}
		}
	})
	if !errors.Is(err, ErrClosed) || got > 2*ringSize/4 {
		t.Errorf("Close in the loop: %v after %d elements", err, got)
	}
	defer func() {
		if r := recover(); r != "array: File is closed" {
			t.Errorf("All after Close: panic %v", r)
		}
	}()
	for range f.All() {
		t.Fatal("All has elements after Close")
	}
}

// TestReadAheadCutShort cuts a file short before and during a loop. The elements
// before are there, and then ErrTruncated.
func TestReadAheadCutShort(t *testing.T) {
	processors(t, 2)
	want := pattern[uint64](largeTest/8 + 5000)
	for way, options := range access {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			if !options.NoMmap && order == orderOf(nativeBig) {
				continue // its chunks are mapped memory: see TestPopulateCutShort
			}
			t.Run(fmt.Sprint(way, " ", order), func(t *testing.T) {
				path := made(t, NPY.WithOrder(order), want...)
				f := opened[uint64](t, path, options)
				f.s.large = largeTest
				const left = largeTest / 2
				at := 0
				err := f.Guard(func() {
					for part := range f.Chunks(500) {
						if !slices.Equal(part, want[at:at+len(part)]) {
							t.Fatalf("the chunk at %d differs", at)
						}
						if at += len(part); at == 500 {
							if err := os.Truncate(path, left); err != nil {
								t.Skip(err)
							}
						}
					}
				})
				var e *Error
				if !errors.As(err, &e) || !errors.Is(err, ErrTruncated) || e.File != path || at < left/8-ringPiece/8-500 || at > left/8 {
					t.Errorf("%v, after %d elements of %d", err, at, left/8)
				}
			})
		}
	}
}
