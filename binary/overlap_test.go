package binary

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// swappedOrder is the standard order that is not that of the machine.
var swappedOrder = []ByteOrder{native: BigEndian, swapped: LittleEndian}[little]

// withProcessors sets GOMAXPROCS for the test. Two goroutines overlap even if the
// machine has only one processor.
func withProcessors(t *testing.T, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

// TestOverlap writes large slices to a file with one processor and with two, and
// changes them right afterwards.
func TestOverlap(t *testing.T) {
	for _, processors := range []int{1, 2} {
		withProcessors(t, processors)
		testOverlap[uint16](t, overlapSize/2+5)
		testOverlap[float32](t, overlapSize/4+overlapPiece)
		testOverlap[int64](t, overlapSize/8)
	}
}

func testOverlap[T Number](t *testing.T, n int) {
	t.Helper()
	s := make([]T, n)
	for i := range s {
		s[i] = T(i % 30_011)
	}
	want := AppendSlice(nil, swappedOrder, s)
	f, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("before"); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = WriteSlice(f, swappedOrder, s)
	runtime.ReadMemStats(&after)
	clear(s) // the race detector reports a goroutine that still reads
	if err != nil {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 128<<10 {
		t.Errorf("%T: allocated %d bytes", s, got)
	}
	if got, err := os.ReadFile(f.Name()); err != nil || string(got[:6]) != "before" || !bytes.Equal(got[6:], want) {
		t.Errorf("%T: read %d bytes, %v, want %d different ones", s, len(got), err, len(want)+6)
	}
}

// TestOverlapChoice checks when the work is divided.
func TestOverlapChoice(t *testing.T) {
	withProcessors(t, 2)
	l := &numberLayouts[8]
	for name, c := range map[string]struct {
		order ByteOrder
		n     int
		want  bool
	}{
		"large":        {swappedOrder, overlapSize / 8, true},
		"small":        {swappedOrder, overlapSize/8 - 1, false},
		"custom order": {middleEndian{}, overlapSize / 8, false},
	} {
		if l.overlaps(c.order, c.n) != c.want {
			t.Errorf("%s: %v, want %v", name, !c.want, c.want)
		}
	}
	runtime.GOMAXPROCS(1)
	if l.overlaps(swappedOrder, overlapSize) {
		t.Error("one processor: true, want false")
	}
}

// TestOverlapError writes to a pipe whose reader stops after some bytes.
func TestOverlapError(t *testing.T) {
	withProcessors(t, 2)
	numbers := make([]uint64, overlapSize/8)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	want := binary.BigEndian.AppendUint64(nil, 1)
	if swappedOrder != ByteOrder(BigEndian) {
		want = binary.LittleEndian.AppendUint64(nil, 1)
	}
	for _, size := range []int{0, 16, 100_000, 5 << 20} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan []byte)
		go func() {
			b := make([]byte, size)
			for n := 0; n < size; {
				k, err := r.Read(b[n:])
				if err != nil {
					break
				}
				n += k
			}
			r.Close()
			done <- b
		}()
		err = WriteSlice(w, swappedOrder, numbers)
		if !errors.Is(err, syscall.EPIPE) && runtime.GOOS != "windows" || err == nil {
			t.Errorf("%d bytes read: %v", size, err)
		}
		if b := <-done; size >= 16 && !bytes.Equal(b[8:16], want) {
			t.Errorf("%d bytes read: they begin with % x", size, b[:16])
		}
		w.Close()
		clear(numbers[2:])
	}
	// The buffers can be used again.
	testOverlap[uint64](t, overlapSize/8)
}
