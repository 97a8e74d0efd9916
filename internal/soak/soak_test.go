package soak

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// There are so many goroutines, and each keeps so many values.
const (
	workers    = 64
	keptValues = 32
)

// long is how long the test must run before it checks that every job ran and that memory does not grow.
const long = 30 * time.Second

// duration is how long TestSoak runs.
func duration(t *testing.T) time.Duration {
	text := os.Getenv("OCTET_SOAK")
	if text == "" {
		return time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal("OCTET_SOAK: ", err)
	}
	return d
}

// A worker is one goroutine. Its values contain its number. It keeps some of the
// values that it decoded, and checks later that they have not changed.
type worker struct {
	*rand.Rand
	id    int
	count uint64
	kept  []kept          // up to its capacity
	full  *sync.WaitGroup // Done is called when kept is full
	t     *testing.T
}

// A kept value must stay equal to the one it was decoded from.
type kept struct {
	job  string
	same func() bool
}

// keep remembers a decoded value for a while, and checks the one it replaces.
func (w *worker) keep(job string, same func() bool) {
	if !same() {
		w.t.Errorf("%s: worker %d got a value of another worker", job, w.id)
	}
	if len(w.kept) < cap(w.kept) {
		if w.kept = append(w.kept, kept{job, same}); len(w.kept) == cap(w.kept) {
			w.full.Done()
		}
		return
	}
	i := w.IntN(len(w.kept))
	if old := w.kept[i]; !old.same() {
		w.t.Errorf("%s: a value of worker %d changed after it was decoded", old.job, w.id)
	}
	w.kept[i] = kept{job, same}
}

// name returns a different text in each call.
func (w *worker) name() string {
	w.count++
	return fmt.Sprintf("%d/%d/%s", w.id, w.count, strings.Repeat(string(rune('a'+w.id%26)), w.IntN(200)))
}

// check fails the test with the name of the job.
func (w *worker) check(job string, err error) bool {
	if err != nil {
		w.t.Errorf("%s: worker %d: %v", job, w.id, err)
	}
	return err == nil
}

// TestSoak runs all jobs in all workers.
func TestSoak(t *testing.T) {
	total := duration(t)
	jobs, finish := newJobs(t)
	counts := make([]atomic.Int64, len(jobs))
	goroutines := runtime.NumGoroutine()
	stop := make(chan struct{})
	var group, full sync.WaitGroup
	full.Add(workers)
	for id := range workers {
		group.Go(func() {
			w := &worker{Rand: rand.New(rand.NewPCG(uint64(id), 1)), id: id, kept: make([]kept, 0, keptValues), full: &full, t: t}
			defer func() {
				if len(w.kept) < keptValues {
					full.Done()
				}
			}()
			for !t.Failed() {
				select {
				case <-stop:
					return
				default:
				}
				i := w.IntN(len(jobs))
				jobs[i].do(w)
				counts[i].Add(1)
			}
		})
	}

	if total >= long {
		full.Wait() // from now on memory does not grow, however slow the machine is
	}
	var alive []uint64 // memory in use after each tenth of the time
	for range 10 {
		time.Sleep(total / 10)
		alive = append(alive, heap())
	}
	close(stop)
	group.Wait()
	finish()

	all := int64(0)
	for i, job := range jobs {
		n := counts[i].Load()
		all += n
		t.Logf("%-28s %d", job.name, n)
		if n == 0 && total >= long {
			t.Errorf("%s did not run", job.name)
		}
	}
	t.Logf("%d calls from %d goroutines in %v; alive: %d KiB after a tenth of the time, %d KiB at the end",
		all, workers, total, alive[0]>>10, alive[len(alive)-1]>>10)
	// The maximum and minimum are compared, and memory may double, because the sizes of pools and of files that are being
	// written vary. A leak of a message in each hundredth call is more than that.
	if early, late := slices.Max(alive[:4]), slices.Min(alive[6:]); total >= long && late > 2*early+16<<20 {
		t.Errorf("memory grows: %v bytes", alive)
	}
	// Goroutines end soon after Close.
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
	}
}

// heap returns the number of bytes in use after a garbage collection: the smallest of
// several numbers, because the workers allocate before it is read.
func heap() uint64 {
	used := uint64(math.MaxUint64)
	for range 3 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		used = min(used, m.HeapAlloc)
	}
	return used
}
