package binary

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/mem"
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
		testOverlap[float32](t, overlapSize/4+oneCall)
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
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != int64(6+len(want)) {
		t.Errorf("%T: the offset is %d, %v, want %d", s, at, err, 6+len(want))
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
	if runtime.GOOS == "js" {
		t.Skip("js has no pipes")
	}
	withProcessors(t, 2)
	open := func(flags int) *os.File {
		f, err := os.OpenFile(filepath.Join(t.TempDir(), "a"), flags|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	r, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer pipe.Close()
	file, appending := open(0), open(os.O_APPEND)
	l := &numberLayouts[8]
	for name, c := range map[string]struct {
		f     *os.File
		order ByteOrder
		n     int
		want  bool
	}{
		"large":        {file, swappedOrder, overlapSize / 8, !appends(file)},
		"small":        {file, swappedOrder, overlapSize/8 - 1, false},
		"custom order": {file, middleEndian{}, overlapSize / 8, false},
		"appending":    {appending, swappedOrder, overlapSize / 8, false},
		"pipe":         {pipe, swappedOrder, overlapSize / 8, false},
	} {
		if l.overlaps(c.f, c.order, c.n) != c.want {
			t.Errorf("%s: %v, want %v", name, !c.want, c.want)
		}
	}
	runtime.GOMAXPROCS(1)
	if l.overlaps(file, swappedOrder, overlapSize) {
		t.Error("one processor: true, want false")
	}
}

// A fullFile is a file with room for some bytes.
type fullFile struct {
	sync.Mutex
	bytes []byte
}

var errFull = errors.New("full")

func (f *fullFile) WriteAt(b []byte, offset int64) (int, error) {
	f.Lock()
	defer f.Unlock()
	if n := copy(f.bytes[min(int(offset), len(f.bytes)):], b); n < len(b) {
		return n, errFull
	}
	return len(b), nil
}

// A brokenFile fails two writes that happen at the same time.
type brokenFile struct{ sync.WaitGroup }

func (f *brokenFile) WriteAt([]byte, int64) (int, error) {
	f.Done()
	f.Wait()
	return 0, errFull
}

// TestOverlapErrors lets both goroutines fail.
func TestOverlapErrors(t *testing.T) {
	withProcessors(t, 2)
	numbers := make([]uint64, oneCall/2)
	var f brokenFile
	f.Add(2)
	o := overlap{to: &f, order: swappedOrder, layout: &numberLayouts[8], p: mem.SliceStart(numbers), n: len(numbers), per: oneCall / 8, end: 8 * len(numbers)}
	fileChunk.Lock()
	o.run()
	fileChunk.Unlock()
	if o.end != 0 || o.err != errFull {
		t.Errorf("wrote %d bytes, %v", o.end, o.err)
	}
	closed, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	if n, err := writeOverlapped(closed, swappedOrder, &numberLayouts[8], mem.SliceStart(numbers), len(numbers)); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed file: wrote %d bytes, %v", n, err)
	}
}

// TestOverlapError writes to files that have no room after some bytes, and to one
// that cannot be written.
func TestOverlapError(t *testing.T) {
	withProcessors(t, 2)
	numbers := make([]uint64, overlapSize/8)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	want := AppendSlice(nil, swappedOrder, numbers)
	for _, room := range []int{0, 1, oneCall, 3*oneCall + 100, overlapSize - 1, overlapSize} {
		f := &fullFile{bytes: make([]byte, room)}
		o := overlap{to: f, order: swappedOrder, layout: &numberLayouts[8], p: mem.SliceStart(numbers), n: len(numbers), per: oneCall / 8, end: len(want)}
		o.skew = room % (oneCall / 8)
		fileChunk.Lock()
		o.run()
		fileChunk.Unlock()
		if o.end != room || (o.err == errFull) != (room < len(want)) || !bytes.Equal(f.bytes, want[:room]) {
			t.Errorf("room for %d bytes: wrote %d, %v, or other bytes", room, o.end, o.err)
		}
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := WriteSlice(f, swappedOrder, numbers); err == nil {
		t.Error("writing to a file that is open for reading succeeded")
	}
	if at, err := f.Seek(0, io.SeekCurrent); at != 0 || err != nil {
		t.Errorf("the offset is %d, %v", at, err)
	}
	testOverlap[uint64](t, overlapSize/8) // the buffers can be used again
}
