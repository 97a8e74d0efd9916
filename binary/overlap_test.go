package binary

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

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

// TestOverlapOtherFiles writes large slices to a file that is opened for
// appending and to a pipe.
func TestOverlapOtherFiles(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("js has no pipes")
	}
	withProcessors(t, 2)
	numbers := make([]uint32, overlapSize/4+7)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	want := AppendSlice([]byte("before"), swappedOrder, numbers)
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, want[:6], 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(WriteSlice(f, swappedOrder, numbers), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("appending: read %d bytes, %v, want %d different ones", len(got), err, len(want))
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- errors.Join(WriteSlice(w, swappedOrder, numbers), w.Close()) }()
	got := make([]byte, len(want)-6)
	n, err := io.ReadFull(r, got)
	if err := errors.Join(err, <-done, r.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want[6:]) {
		t.Errorf("a pipe: read %d bytes, want %d different ones", n, len(got))
	}
}

// A fullFile is a file with room for some bytes.
type fullFile struct {
	bytes    []byte
	before   func() // called by every write
	writing  atomic.Bool
	together atomic.Bool  // two goroutines have written at the same time
	beyond   atomic.Bool  // a write after the first that failed began behind it
	failed   atomic.Int64 // the offset of a write that failed, or -1
}

var errFull = errors.New("full")

func newFullFile(room int) *fullFile {
	f := &fullFile{bytes: make([]byte, room), before: runtime.Gosched}
	f.failed.Store(-1)
	return f
}

func (f *fullFile) WriteAt(b []byte, offset int64) (int, error) {
	if f.writing.Swap(true) {
		f.together.Store(true)
	}
	defer f.writing.Store(false)
	f.before()
	if failed := f.failed.Load(); failed >= 0 && offset > failed {
		f.beyond.Store(true)
	}
	if n := copy(f.bytes[min(int(offset), len(f.bytes)):], b); n < len(b) {
		f.failed.Store(offset)
		return n, errFull
	}
	return len(b), nil
}

// check writes to f. want has the bytes of all numbers.
func (f *fullFile) check(t *testing.T, o *overlap, want []byte) {
	t.Helper()
	fileChunk.Lock()
	o.run()
	fileChunk.Unlock()
	room := len(f.bytes)
	if o.end != room || (o.err == errFull) != (room < len(want)) || !bytes.Equal(f.bytes, want[:room]) {
		t.Errorf("room for %d bytes: wrote %d, %v, or other bytes", room, o.end, o.err)
	}
	if f.together.Load() {
		t.Error("both goroutines wrote at the same time")
	}
	if f.beyond.Load() {
		t.Errorf("room for %d bytes: a piece was written after one that had failed", room)
	}
}

// TestOverlapError writes to files that have no room after some bytes, and to one
// that cannot be written.
func TestOverlapError(t *testing.T) {
	withProcessors(t, 2)
	numbers := make([]uint64, 40*overlapPiece/8+1)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	want := AppendSlice(nil, swappedOrder, numbers)
	for _, room := range []int{0, 1, overlapPiece, 3*overlapPiece + 100, len(want) - 1, len(want)} {
		for _, patience := range []int64{-1, 0, 1000} {
			f := newFullFile(room)
			o := newOverlap(f, 0, swappedOrder, &numberLayouts[8], mem.SliceStart(numbers), len(numbers))
			o.skew = room % o.per
			o.patience.Store(patience)
			f.check(t, o, want)
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
	if err := WriteSlice(f, swappedOrder, make([]uint64, overlapSize/8)); err == nil {
		t.Error("writing to a file that is open for reading succeeded")
	}
	if at, err := f.Seek(0, io.SeekCurrent); at != 0 || err != nil {
		t.Errorf("the offset is %d, %v", at, err)
	}
	testOverlap[uint64](t, overlapSize/8) // the buffers can be used again
}

// TestOverlapSlowFile writes to a file whose first write takes so long that the
// second goroutine gives up.
func TestOverlapSlowFile(t *testing.T) {
	withProcessors(t, 2)
	numbers := make([]uint64, 64*overlapPiece/8+5)
	for i := range numbers {
		numbers[i] = uint64(i) << 8
	}
	want := AppendSlice(nil, swappedOrder, numbers)
	f := newFullFile(len(want))
	o := newOverlap(f, 0, swappedOrder, &numberLayouts[8], mem.SliceStart(numbers), len(numbers))
	f.before = func() {
		for o.patience.Load() >= 0 {
			time.Sleep(time.Millisecond)
		}
	}
	f.check(t, o, want)
}

func TestOverlapClosedFile(t *testing.T) {
	withProcessors(t, 2)
	numbers := make([]uint64, oneCall/2)
	closed, err := os.Create(filepath.Join(t.TempDir(), "a"))
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	if n, err := writeOverlapped(closed, swappedOrder, &numberLayouts[8], mem.SliceStart(numbers), len(numbers)); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed file: wrote %d bytes, %v", n, err)
	}
}
