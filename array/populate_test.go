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
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// largeFile makes a .npy file of three times populateFirst, with the numbers from
// 0, and lets two goroutines run.
func largeFile(t *testing.T) (path string, n int) {
	t.Helper()
	old := runtime.GOMAXPROCS(2)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
	numbers := make([]uint64, 3*populateFirst/8)
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

// resident returns how many bytes of the mapping b the process has mapped, as the
// system says.
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
	for p.wake.Load() == math.MaxInt64 {
		select {
		case <-p.done:
			t.Skip("the test was suspended for longer than the goroutine waits")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestPopulate opens a file with OpenOptions.Populate, which maps all of it.
func TestPopulate(t *testing.T) {
	path, n := largeFile(t)
	f, err := Open[uint64](path, OpenOptions{Populate: true, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.s.populator == nil {
		t.Fatal("no goroutine maps the file")
	}
	<-f.s.populator.done
	needsAdvice(t, f)
	if got := resident(t, f.s.current); got < 8*n {
		t.Errorf("%d bytes of %d are mapped", got, 8*n)
	}
	if got := f.Slice()[n-1]; got != uint64(n-1) {
		t.Errorf("the last element is %d, want %d", got, n-1)
	}
}

// TestOpenMapsNothing opens a file without options, which must stay cheap.
func TestOpenMapsNothing(t *testing.T) {
	path, _ := largeFile(t)
	f, err := Open[uint64](path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := resident(t, f.s.current); got > 1<<20 {
		t.Errorf("Open has mapped %d bytes", got)
	}
}

// TestPopulator checks how far the goroutine is ahead of the reader.
func TestPopulator(t *testing.T) {
	path, n := largeFile(t)
	f, err := Open[uint64](path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	needsAdvice(t, f)
	p := populate(f.s.current, false)
	asleep(t, p)
	if got := resident(t, f.s.current); got < populateFirst || got > populateFirst+2<<20 {
		t.Errorf("at first, %d bytes are mapped, want %d", got, populateFirst)
	}
	if next := p.receives(0, populateFirst/2-1); next != populatePiece || p.wake.Load() != populateFirst/2 {
		t.Errorf("less than half: the next call is at %d, the goroutine waits for %d", next, p.wake.Load())
	}
	p.receives(populatePiece, populateFirst/2)
	asleep(t, p)
	if got := resident(t, f.s.current); got < 2*populateFirst || got > 2*populateFirst+2<<20 {
		t.Errorf("then, %d bytes are mapped, want %d", got, 2*populateFirst)
	}
	p.receives(2*populatePiece, 8*n)
	<-p.done
	if got := resident(t, f.s.current); got < 8*n {
		t.Errorf("in the end, %d bytes are mapped, want %d", got, 8*n)
	}
	p.stop()

	stopped := populate(f.s.current, false)
	asleep(t, stopped)
	stopped.stop()
	for _, none := range []*populator{populate(f.s.current[:populateFirst-1], true), nil} {
		if none != nil || none.receives(0, 1) != math.MaxInt {
			t.Error("a goroutine maps a short array")
		}
		none.stop()
	}
	runtime.GOMAXPROCS(1)
	if populate(f.s.current, true) != nil {
		t.Error("a goroutine maps pages although there is one processor")
	}
}

// TestPopulateChunks reads a large file by Chunks and All, completely and in part.
func TestPopulateChunks(t *testing.T) {
	path, n := largeFile(t)
	f, err := Open[uint64](path, OpenOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1000, populateFirst / 8, n, 2 * n} {
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

// TestPopulateCutShort opens a file that is cut short then.
func TestPopulateCutShort(t *testing.T) {
	needsAddresses(t)
	path, _ := largeFile(t)
	f, err := Open[uint64](path, OpenOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, populateFirst); err != nil {
		t.Fatal(err)
	}
	p := populate(f.s.current, true)
	<-p.done
	if got := resident(t, f.s.current); got > populateFirst {
		t.Errorf("%d bytes are mapped of a file that has %d", got, populateFirst)
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
