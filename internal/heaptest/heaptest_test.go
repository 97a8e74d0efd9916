package heaptest

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) { Main(m) }

var sink []byte

func TestAllocated(t *testing.T) {
	if used := Allocated(func() { sink = make([]byte, 1<<20) }); used < 1<<20 || used > 2<<20 {
		t.Errorf("Allocated returned %d for 1 MiB", used)
	}
}

// failures counts the calls of Errorf.
type failures struct {
	testing.TB
	list []string
}

func (f *failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) {
	f.list = append(f.list, fmt.Sprintf(format, args...))
}

func TestAtMost(t *testing.T) {
	f := &failures{TB: t}
	AtMost(f, 2<<20, func() { sink = make([]byte, 1<<20) })
	if len(f.list) > 0 {
		t.Error(f.list)
	}
	AtMost(f, 1<<20-1, func() { sink = make([]byte, 1<<20) })
	if len(f.list) != 1 {
		t.Error(f.list)
	}
}

// TestAtMostOfFuzzer checks that a process that fuzzes measures again before it fails,
// and that it fails if f allocates too much each time.
func TestAtMostOfFuzzer(t *testing.T) {
	if err := flag.Set("test.fuzzworker", "true"); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("test.fuzzworker", "false")
	for _, c := range []struct {
		sizes    []int // that f allocates, one after the other
		runs     int
		failures int
	}{
		{[]int{1 << 19}, 1, 0},
		{[]int{8 << 20, 1 << 19}, 2, 0},
		{[]int{1<<20 + 1, 1<<20 + 1}, 2, 1},
	} {
		f, runs := &failures{TB: t}, 0
		AtMost(f, 1<<20, func() {
			sink = make([]byte, c.sizes[runs])
			runs++
		})
		if runs != c.runs || len(f.list) != c.failures {
			t.Errorf("%d: %d runs, %q", c.sizes, runs, f.list)
		}
	}
}

// TestCollectionWhileFuzzing lets f do nothing but collect garbage. What was allocated
// before, in spans that are not full, does not count.
func TestCollectionWhileFuzzing(t *testing.T) {
	if err := flag.Set("test.fuzzworker", "true"); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("test.fuzzworker", "false")
	small := func() {
		for size := 16; size <= 32<<10; size += max(16, size/8) {
			for range 8 {
				sink = make([]byte, size)
			}
		}
	}
	small()
	t.Logf("%d bytes when measured once", Allocated(runtime.GC))
	small()
	AtMost(t, 64<<10, runtime.GC)
}

// TestMainCollectsLess checks what Main has set for this package.
func TestMainCollectsLess(t *testing.T) {
	if os.Getenv("GOGC") != "" || flag.Lookup("test.bench").Value.String() != "" {
		t.Skip("Main leaves the default")
	}
	percent := debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	if percent != 400 {
		t.Errorf("the garbage collector runs at %d percent", percent)
	}
}
