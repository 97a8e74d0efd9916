package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/disk/sim"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestSimulated writes files on a disk that crashes at any call, loses what was not synced, and fails. What Sync, Close
// and Append have promised must be in every image of the disk, and nothing that was not written. Append must continue
// every file from which sectors were lost. If they have old bytes instead, it may take them for damage.
func TestSimulated(t *testing.T) {
	fill := fillMarker
	defer func() { fillMarker = fill }()
	sim.Test(t, 6000, nil, func(p *sim.Play) {
		r := rand.New(rand.NewPCG(p.Rand.Uint64(), 0))
		fillMarker = func(b []byte) { // a seed must make the same files again
			for i := range b {
				b[i] = byte(r.Uint32())
			}
		}
		a := &author{Play: p}
		a.disk = p.Disk
		a.begin()
		for range 4 {
			if !a.live() || p.Failed() {
				return
			}
		}
	})
}

const simulatedPath = "/a.rec"

// An author writes one file, and knows what was promised.
type author struct {
	*sim.Play
	disk *sim.Disk

	mu      sync.Mutex
	exists  bool          // Create or Append has returned
	all     []msgpack.Raw // every record that the file can have
	synced  int           // of all: those that a power loss cannot take
	flushed int           // of all: those that a crash of the program cannot take
	steps   int           // of this life
	crash   int           // the step at which this life ends
	next    *sim.Disk     // the disk after the crash
	faults  float64       // how often a call fails
	doubt   bool          // a sync has failed since the last power loss: what it did not write can be lost later
	seed    uint64        // of the images of this life

	nested []byte // a file that is in records
}

// begin makes the file with which the first life begins.
func (a *author) begin() {
	a.nested = a.closed(a.records(1 + a.Rand.IntN(20)))
	first := a.records(a.Rand.IntN(30))
	kind := a.Rand.IntN(5)
	switch kind {
	case 0:
		return // none
	case 1:
		a.disk.WriteFile(simulatedPath, a.closed(first))
	case 2: // joined
		more := a.records(a.Rand.IntN(30))
		a.disk.WriteFile(simulatedPath, append(a.closed(first), a.closed(more)...))
		first = append(first, more...)
	case 3, 4: // with tables inside, or without any
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, a.closed(first))
		more := a.records(1 + a.Rand.IntN(30))
		w, err := appendTo(d, simulatedPath, &Options{BlockSize: minBlock})
		if err != nil {
			panic(err)
		}
		a.write(w, more)
		if kind == 3 {
			err = w.Close()
		} else {
			err = w.Flush()
			defer w.Close()
		}
		if err != nil {
			panic(err)
		}
		a.disk.WriteFile(simulatedPath, d.ReadFile(simulatedPath))
		first = append(first, more...)
	}
	a.exists, a.all, a.synced, a.flushed = true, first, len(first), len(first)
}

// closed returns a file of records that was closed.
func (a *author) closed(records []msgpack.Raw) []byte {
	var b bytes.Buffer
	w, err := NewWriter(&b, &Options{BlockSize: minBlock})
	if err != nil {
		panic(err)
	}
	a.write(w, records)
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func (a *author) write(w *Writer, records []msgpack.Raw) {
	for _, r := range records {
		if err := w.WriteRaw(r); err != nil {
			panic(err)
		}
		if a.Rand.IntN(5) == 0 {
			if err := w.Flush(); err != nil {
				panic(err)
			}
		}
	}
}

func (a *author) records(n int) []msgpack.Raw {
	list := make([]msgpack.Raw, n)
	for i := range list {
		list[i] = a.record(nil)
	}
	return list
}

// record returns a record of any kind.
func (a *author) record(w *Writer) msgpack.Raw {
	r := a.Rand
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	switch r.IntN(8) {
	case 0:
		return wire.AppendBin(nil, make([]byte, 600+r.IntN(3000))) // has sectors that are zero
	case 1:
		return wire.AppendBin(nil, random(r.IntN(5000)))
	case 2:
		return wire.AppendBin(nil, a.nested)
	case 3:
		b := random(60)
		if w != nil {
			copy(b[r.IntN(40):], w.out.header.marker[:])
		}
		return wire.AppendBin(nil, b)
	}
	return wire.AppendBin(nil, random(r.IntN(200)))
}

// live opens the file, writes to it, and ends by a crash or by Close. It returns false if the file can no longer be
// opened, which is a failure unless a call failed on purpose.
func (a *author) live() bool {
	a.steps, a.crash, a.next, a.seed = 0, 1+a.Rand.IntN(60), nil, a.Rand.Uint64()
	a.faults = 0
	if a.Rand.IntN(3) == 0 {
		a.faults = 0.05
	}
	a.disk.Step = a.step
	w, err := a.open()
	if err == nil {
		a.work(w)
		w.Close() // ends its goroutine, also after a crash
	}
	a.disk.Step = nil
	if a.next == nil && !a.Failed() && err != nil && a.faults == 0 {
		a.Failf("Append: %v", err)
	}
	if a.next == nil && a.Rand.IntN(2) == 0 {
		a.end(a.Rand.IntN(2) == 0)
	}
	if a.next != nil {
		a.disk = a.next
	}
	a.disk.Kill()
	return true
}

// open opens the file as Create or Append do, and sets what they promise.
func (a *author) open() (*Writer, error) {
	o := &Options{BlockSize: minBlock}
	a.Note("-- append to %d records, %d synced, %d flushed", len(a.all), a.synced, a.flushed)
	w, err := appendTo(a.disk, simulatedPath, o)
	if err != nil {
		a.Note("-- %v", err)
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n := int(w.Len())
	if n > len(a.all) || n < a.flushed {
		a.Failf("Append continues after %d records of %d, %d were flushed", n, len(a.all), a.flushed)
		return w, nil
	}
	a.all, a.flushed, a.exists = a.all[:n:n], n, true
	a.synced, a.doubt = n, false // Append writes again what an earlier Writer could not sync
	return w, nil
}

// work writes records until the life ends or a call fails.
func (a *author) work(w *Writer) {
	for range 2 + a.Rand.IntN(40) {
		if a.over() {
			return
		}
		r := a.record(w)
		a.mu.Lock()
		a.all = append(a.all, r)
		n := len(a.all)
		a.mu.Unlock()
		err := w.WriteRaw(r)
		settle(w)
		if err != nil || a.over() {
			return
		}
		switch a.Rand.IntN(6) {
		case 0:
			if w.Flush() != nil {
				return
			}
			a.promise(n, false)
		case 1:
			if w.Sync() != nil {
				return
			}
			a.promise(n, true)
		}
	}
	if a.over() {
		return
	}
	n := len(a.all)
	if w.Close() == nil {
		a.promise(n, true)
	}
}

// settle waits until the goroutine of the Writer has nothing to do. Otherwise it could look at an image, and change the
// author, at any time, and a seed would not make the same calls again.
func settle(w *Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.jobs != nil {
		written := make(chan int64, 1)
		w.send(job{written: written})
		<-written
	}
}

// over reports whether the life has ended. The goroutine of the Writer may end it.
func (a *author) over() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.Failed() || a.next != nil
}

// promise records that a call has returned that promises n records. A crash during the call came before.
func (a *author) promise(n int, synced bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.next != nil {
		return
	}
	a.Note("-- promised: %d, %t", n, synced)
	if a.flushed = n; synced && !a.doubt {
		a.synced = n
	}
}

// step is called before each call of the code under test. It looks at images of the disk, and may crash.
func (a *author) step(c sim.Call) *sim.Fault {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.next != nil || a.Failed() {
		return &sim.Fault{Err: errCrash}
	}
	a.steps++
	r := rand.New(rand.NewPCG(a.seed, uint64(a.steps)))
	if c.Kind.Changes() && a.exists {
		a.Note("%v", c)
		for range 3 {
			a.image(r)
		}
	}
	if a.steps == a.crash {
		a.Note("-- crash")
		a.endNow(r, r.IntN(3) > 0)
		return &sim.Fault{Err: errCrash}
	}
	if r.Float64() < a.faults {
		f := c.Random(r)
		a.Note("-- fails after %d bytes: %v", f.Done, f.Err)
		a.Count("faults: " + string(c.Kind))
		a.doubt = a.doubt || c.Kind == sim.Sync
		return f
	}
	return nil
}

var errCrash = errors.New("the program has crashed")

// end is for a crash between two lives.
func (a *author) end(power bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.endNow(a.Rand, power)
}

// endNow ends the life by a power loss or a crash of the program.
func (a *author) endNow(r *rand.Rand, power bool) {
	if !power {
		a.next = a.disk
		a.disk.Kill()
		return
	}
	a.next = a.disk.Cut(r, sim.Mood(r.IntN(int(sim.Stale))), nil)
	if len(a.next.Paths()) == 0 {
		a.exists = false
	}
	a.flushed, a.doubt = a.synced, false
}

// image looks at one image of the disk.
func (a *author) image(r *rand.Rand) {
	if r.IntN(8) == 0 {
		a.Image("crash of the program")
		a.check(r, a.disk.Copy(), a.flushed, "a crash of the program", false)
		return
	}
	mood := sim.Mood(r.IntN(sim.Moods))
	stale := a.nested // the old bytes of the disk
	if r.IntN(2) == 0 {
		stale = a.disk.ReadFile(simulatedPath)
	}
	a.Image("power loss, " + mood.String())
	a.check(r, a.disk.Cut(r, mood, stale), a.synced, "a power loss, "+mood.String(), mood == sim.Stale)
}

// check opens the file of an image. It must have at least the promised records. After them it may be damaged if stale is set.
func (a *author) check(r *rand.Rand, d disk.Disk, promised int, kind string, stale bool) {
	f, err := openFile(d, simulatedPath, nil)
	if err != nil {
		a.Failf("%s: Open: %v, %d records were promised", kind, err, promised)
		return
	}
	n, err := a.compare(f)
	f.Close()
	if stale && n >= promised && errors.Is(err, ErrCorrupt) {
		a.Count("stale sectors that are damage")
		return
	}
	if n < promised || err != nil {
		a.Failf("%s: %d records, %v, %d were promised", kind, n, err, promised)
		return
	}
	w, err := appendTo(d, simulatedPath, nil)
	if stale && errors.Is(err, ErrCorrupt) {
		a.Count("stale sectors that are damage")
		return
	}
	if err != nil {
		a.Failf("%s: %d records, %d were promised, but Append: %v", kind, n, promised, err)
		return
	}
	more := a.all[:n:n]
	if int(w.Len()) != n {
		a.Failf("%s: Append continues after %d records, of %d", kind, w.Len(), n)
	}
	for range r.IntN(3) {
		w.WriteRaw(msgpack.Raw{1})
		more = append(more, msgpack.Raw{1})
	}
	if err := w.Close(); err != nil {
		a.Failf("%s: Close after Append: %v", kind, err)
		return
	}
	f, err = openFile(d, simulatedPath, nil)
	if err != nil {
		a.Failf("%s: Open after Append: %v", kind, err)
		return
	}
	defer f.Close()
	all := a.all
	a.all = more
	if n, err := a.compare(f); n != len(more) || err != nil {
		a.Failf("%s: %d records after Append, %v, want %d", kind, n, err, len(more))
	}
	a.all = all
	if report, err := f.Report(); err != nil || report.Records != int64(len(more)) || report.Torn != 0 || report.Damaged != 0 {
		a.Failf("%s: after Append: %v, %v, want %d records", kind, report, err, len(more))
	}
}

// compare counts the records, and requires that they are those that were written.
func (a *author) compare(f *File) (n int, err error) {
	for got, err := range All[msgpack.Raw](f) {
		if err != nil {
			return n, err
		}
		if n >= len(a.all) || !bytes.Equal(got, a.all[n]) {
			a.Failf("record %d of %d is wrong", n, len(a.all))
			return n, nil
		}
		n++
	}
	return n, nil
}
