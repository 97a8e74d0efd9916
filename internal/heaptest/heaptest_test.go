package heaptest

import (
	"flag"
	"fmt"
	"os"
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

// TestAtMostOfFuzzer checks that a process that fuzzes may allocate fuzzerBytes more,
// and not more than these.
func TestAtMostOfFuzzer(t *testing.T) {
	if err := flag.Set("test.fuzzworker", "true"); err != nil {
		t.Fatal(err)
	}
	defer flag.Set("test.fuzzworker", "false")
	f := &failures{TB: t}
	AtMost(f, 1<<20, func() { sink = make([]byte, 1<<20+fuzzerBytes/2) })
	if len(f.list) > 0 {
		t.Error(f.list)
	}
	AtMost(f, 1<<20, func() { sink = make([]byte, 1<<20+fuzzerBytes+1) })
	if len(f.list) != 1 {
		t.Error(f.list)
	}
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
