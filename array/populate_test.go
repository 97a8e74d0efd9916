//go:build linux

package array

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// largeFile makes a .npy file of three times populateAhead, with the numbers from
// 0, and lets two goroutines run.
func largeFile(t *testing.T) (path string, n int) {
	t.Helper()
	old := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
	numbers := make([]uint64, 3*populateAhead/8)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	path = filepath.Join(t.TempDir(), "a.npy")
	f, err := Create[uint64](path, 0, NPY)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Append(numbers...); err != nil {
		t.Fatal(err)
	}
	unknown := populatePages(f.s.current[:page])
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if unknown != nil {
		t.Skipf("the system cannot populate: %v", unknown)
	}
	return path, len(numbers)
}

// resident returns the number of bytes of b that are in memory and mapped, according to
// the system.
func resident(t *testing.T, b []byte) (size int) {
	t.Helper()
	text, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	start := strings.TrimPrefix(fmt.Sprintf("%p-", b), "0x")
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	for inside := false; lines.Scan(); {
		line := lines.Text()
		inside = inside && line != "" && line[0] >= 'A' && line[0] <= 'Z' || strings.HasPrefix(line, start)
		if inside && strings.HasPrefix(line, "Rss:") {
			if _, err := fmt.Sscanf(line, "Rss: %d kB", &size); err != nil {
				t.Fatal(err)
			}
		}
	}
	return size << 10
}

// needsAdvice skips the test if the system ignores advice about memory, as
// qemu-user does, which accepts any.
func needsAdvice(t *testing.T, f *File[uint64]) {
	t.Helper()
	const none = 12345
	if unix.Madvise(f.s.current[:page], none) == nil {
		t.Skip("the system ignores advice about memory")
	}
}

// asleep waits until the goroutine of p waits for the reader. It skips the test if
// that took longer than the goroutine waits, as on a machine that is very busy.
func asleep(t *testing.T, p *populator) {
	t.Helper()
	for p.to.wanted.Load() == unwanted && p.from.wanted.Load() == unwanted {
		select {
		case <-p.done:
			t.Skip("the test was suspended for longer than the goroutine waits")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestPopulate opens a file with Options.Populate, which maps all of it. The system may take pages
// away again at any time, so it opens the file up to three times.
func TestPopulate(t *testing.T) {
	path, n := largeFile(t)
	got := 0
	for range 3 {
		f, err := Open[uint64](path, &Options{Populate: true, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.s.populator == nil {
			t.Fatal("no goroutine maps the file")
		}
		<-f.s.populator.done
		needsAdvice(t, f)
		got = resident(t, f.s.current)
		if last := sliceOf(t, f)[n-1]; last != uint64(n-1) {
			t.Errorf("the last element is %d, want %d", last, n-1)
		}
		if got >= 8*n {
			return
		}
		t.Logf("%d bytes of %d are mapped; mapping them again: %v", got, 8*n, populatePages(f.s.current))
	}
	t.Errorf("%d bytes of %d are mapped", got, 8*n)
}

// TestOpenMapsNothing opens a file without options, which must stay cheap.
func TestOpenMapsNothing(t *testing.T) {
	path, _ := largeFile(t)
	f, err := Open[uint64](path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := resident(t, f.s.current); got > 1<<20 {
		t.Errorf("Open has mapped %d bytes", got)
	}
}

// TestPopulator checks how far the goroutine is ahead of the reader, and what it
// drops.
func TestPopulator(t *testing.T) {
	path, n := largeFile(t)
	for _, drops := range []bool{false, true} {
		f, err := Open[uint64](path, &Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		needsAdvice(t, f)
		wants := func(when string, want int) {
			t.Helper()
			if got := resident(t, f.s.current); got < want-populatePiece/2 || got > want+2<<20 {
				t.Errorf("%s, drops %v: %d bytes are mapped, want %d", when, drops, got, want)
			}
		}
		p := populate(f.s.current, false, drops)
		asleep(t, p)
		wants("at first", populateAhead)
		if next := p.receives(0, populateAhead/2-1); next != populatePiece || p.to.wanted.Load() != populateAhead/2 {
			t.Errorf("less than half: the next call is at %d, the goroutine waits for %d", next, p.to.wanted.Load())
		}
		p.receives(populateAhead/2, populateAhead)
		asleep(t, p)
		if !drops {
			wants("then", 2*populateAhead)
			p.receives(2*populateAhead, 8*n)
			<-p.done
			wants("in the end", 8*n)
			p.stop()
			continue
		}
		wants("then", 2*populateAhead-populateAhead/2)
		p.receives(2*populateAhead-1, 8*n)
		asleep(t, p)
		wants("when it has received everything", 8*n-2*populateAhead+dropPiece)
		p.receives(8*n-populateAhead/4, 8*n)
		<-p.done
		wants("in the end", populateAhead/4)
	}
	f := opened[uint64](t, path)
	stopped := populate(f.s.current, false, true)
	asleep(t, stopped)
	stopped.stop()
	stopped.stop()
	for _, none := range []*populator{populate(f.s.current[:populateAhead-1], true, false), nil} {
		if none != nil || none.receives(0, 1) != math.MaxInt {
			t.Error("a goroutine maps a short array")
		}
		none.stop()
	}
	runtime.GOMAXPROCS(1)
	if populate(f.s.current, true, false) != nil {
		t.Error("a goroutine maps pages although there is one processor")
	}
}

// TestPopulateStores changes the elements of a file in a loop whose goroutine drops
// pages.
func TestPopulateStores(t *testing.T) {
	path, n := largeFile(t)
	f := opened[uint64](t, path)
	for chunk := range f.Chunks(1 << 16) {
		for i := range chunk {
			chunk[i]++
		}
	}
	for i, v := range sliceOf(t, f) {
		if v != uint64(i+1) {
			t.Fatalf("element %d is %d, want %d", i, v, i+1)
		}
	}
	got := make([]uint64, n)
	if _, err := f.ReadAt(got, 0); err != nil || got[n-1] != uint64(n) || got[0] != 1 {
		t.Errorf("ReadAt: %v, the last element is %d, want %d", err, got[n-1], n)
	}
}

// TestPopulatorsEnd ends loops in every way. Close stops all goroutines, because
// they use the mapping.
func TestPopulatorsEnd(t *testing.T) {
	path, _ := largeFile(t)
	f := opened[uint64](t, path)
	first := f.s.ahead()
	first.stop()
	second := f.s.ahead()
	if !first.drops || second.drops {
		t.Errorf("the first loop drops pages: %v, the second one: %v, want only the first", first.drops, second.drops)
	}
	panics := func(want any, loop func()) {
		t.Helper()
		defer func() {
			if r := recover(); r != want {
				t.Errorf("panic %v, want %v", r, want)
			}
		}()
		loop()
	}
	panics("stop", func() {
		for range f.Chunks(10) {
			panic("stop")
		}
	})
	list := slices.Clone(f.s.running.list)
	if len(list) != 2 || list[0] != second {
		t.Errorf("%d goroutines are known, want 2", len(list))
	}
	panics("array: File is closed", func() {
		for range f.Chunks(10) {
			list = append(list, f.s.running.list[len(f.s.running.list)-1])
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	for i, p := range list {
		if !p.ended() {
			t.Errorf("goroutine %d runs after Close", i)
		}
	}
}

// TestPopulateChunks reads a large file by Chunks and All, completely and in part.
func TestPopulateChunks(t *testing.T) {
	path, n := largeFile(t)
	f, err := Open[uint64](path, &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1000, populateAhead / 8, n, 2 * n} {
		next := uint64(0)
		for chunk := range f.Chunks(size) {
			for _, v := range chunk {
				if v != next {
					t.Fatalf("chunks of %d: element %d, want %d", size, v, next)
				}
				next++
			}
		}
		if next != uint64(n) {
			t.Errorf("chunks of %d: %d elements, want %d", size, next, n)
		}
	}
	for i, v := range f.All() {
		if uint64(i) != v {
			t.Fatalf("element %d is %d", i, v)
		}
		if i == n/2 {
			break
		}
	}
	func() {
		defer func() { _ = recover() }()
		for range f.Chunks(10) {
			panic("stop")
		}
	}()
}

// TestPopulateCutShort truncates a file after it was opened.
func TestPopulateCutShort(t *testing.T) {
	needsAddresses(t)
	path, _ := largeFile(t)
	f, err := Open[uint64](path, &Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, populateAhead); err != nil {
		t.Fatal(err)
	}
	p := populate(f.s.current, true, false)
	<-p.done
	if got := resident(t, f.s.current); got > populateAhead {
		t.Errorf("%d bytes are mapped of a file that has %d", got, populateAhead)
	}
	err = f.Guard(func() {
		var sum uint64
		for chunk := range f.Chunks(1 << 16) {
			for _, v := range chunk {
				sum += v
			}
		}
		t.Errorf("the loop ended with %d", sum)
	})
	if !errors.Is(err, ErrTruncated) {
		t.Errorf("error %v, want ErrTruncated", err)
	}
}
