package array

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/disk/sim"
)

// TestSimulated changes arrays on a disk that crashes at any call, loses what was not synced, and fails. The elements
// that Sync has promised must be in every image of the disk, and those that Append and Grow have added in every image
// of a crash of the program. No element may have a value that it never had, and every image can be opened.
func TestSimulated(t *testing.T) {
	sim.Test(t, 4000, recordedSeeds, func(p *sim.Play) {
		k := &keeper{Play: p, disk: p.Disk, synced: -1, raw: p.Rand.IntN(2) == 0}
		order := binary.ByteOrder(binary.LittleEndian)
		if p.Rand.IntN(4) == 0 {
			order = binary.BigEndian
		}
		k.format = NPY.WithOrder(order)
		if k.raw {
			k.format = Raw(order)
		}
		k.disk.NoReserve = p.Rand.IntN(3) == 0
		for range 6 {
			k.live()
			if p.Failed() {
				return
			}
		}
	})
}

// recordedSeeds are those with which the test has failed.
var recordedSeeds = []uint64{
	6841504531652663894, // a crash after the last write of Create
}

// simulatedPath is absolute, as paths are that an array syncs, also on Windows.
var simulatedPath, _ = filepath.Abs("/a")

// A keeper changes one array, and knows what was promised.
type keeper struct {
	*sim.Play
	disk   *sim.Disk
	format Format
	raw    bool

	made   bool       // Create has returned
	now    []uint64   // the elements, as after the last call that returned
	then   int        // the length after the call that runs, or that of now
	synced int        // the length that a power loss cannot take; -1 before the first Sync
	values [][]uint64 // what each element can be after a power loss, of the largest length since Sync
	steps  int        // of this life
	crash  int        // the step at which this life ends
	next   *sim.Disk  // the disk after the crash
	faults float64    // how often a call fails
	doubt  bool       // a sync has failed since the last power loss
	seed   uint64     // of the images of this life
}

// live opens the array, changes it, and ends by a crash or by Close.
func (k *keeper) live() {
	k.steps, k.crash, k.next, k.seed, k.faults = 0, 1+k.Rand.IntN(80), nil, k.Rand.Uint64(), 0
	if k.Rand.IntN(3) == 0 {
		k.faults = 0.05
	}
	if !k.made {
		k.disk = &sim.Disk{NoReserve: k.disk.NoReserve} // a crash within Create can leave a file
	}
	k.disk.Step = k.step
	f, err := k.open()
	if err == nil {
		k.work(f)
		f.Close()
	} else if k.next == nil && k.faults == 0 {
		k.Failf("open: %v", err)
	}
	k.disk.Step = nil
	if k.Failed() {
		return
	}
	if k.next == nil && (k.doubt || k.Rand.IntN(2) == 0) {
		k.end(k.Rand, k.Rand.IntN(2) == 0)
	}
	if k.next != nil {
		k.disk = k.next
	}
	k.disk.Kill()
}

// open opens the array, or creates it.
func (k *keeper) open() (*File[uint64], error) {
	if !k.made {
		n := k.Rand.IntN(2000)
		k.Note("-- create %d", n)
		f, err := create[uint64](k.disk, simulatedPath, n, k.format)
		if err == nil && k.next == nil { // a crash while the file is mapped is no error of Create
			k.made, k.synced = true, -1
			k.now, k.values = nil, nil
			k.add(make([]uint64, n))
			k.now, k.then = make([]uint64, n), n
		}
		return f, err
	}
	k.Note("-- open %d elements, %d synced", len(k.now), k.synced)
	f, err := open[uint64](k.disk, simulatedPath, Options{Format: k.format, NoMmap: k.Rand.IntN(2) == 0})
	if err == nil && k.next == nil {
		k.disk.Step = nil
		k.now = k.elements(f, "after it was opened", true)
		k.then = len(k.now)
		k.disk.Step = k.step
	}
	return f, err
}

// work changes the array until the life ends or a call fails.
func (k *keeper) work(f *File[uint64]) {
	for range 2 + k.Rand.IntN(30) {
		if k.Failed() || k.next != nil {
			return
		}
		if err := k.change(f); err != nil && k.next == nil {
			k.Note("-- %v", err)
			k.then = len(k.now)
			if f.Len() != len(k.now) {
				k.Failf("length %d after an error, want %d: %v", f.Len(), len(k.now), err)
			}
			if errors.Is(err, ErrSync) {
				return
			}
		}
	}
}

// change calls a method that changes the array.
func (k *keeper) change(f *File[uint64]) error {
	r := k.Rand
	n := 1 + r.IntN([]int{3, 100, 3000}[r.IntN(3)])
	if len(k.now)+n > 20_000 {
		n = 1
	}
	values := make([]uint64, n)
	for i := range values {
		values[i] = r.Uint64() | 1
	}
	switch r.IntN(8) {
	case 0:
		k.Note("-- sync %d", len(k.now))
		err := f.Sync()
		if err == nil && k.next == nil {
			k.promise()
		}
		return err
	case 1:
		k.Note("-- grow %d", n)
		clear(values)
		k.add(values)
		err := f.Grow(n)
		return k.added(values, err)
	case 2, 3:
		if len(k.now) == 0 {
			return nil
		}
		i := r.IntN(len(k.now))
		values = values[:min(n, len(k.now)-i)]
		for j, v := range values {
			k.values[i+j] = append(k.values[i+j], v)
		}
		k.Note("-- replace %d at %d", len(values), i)
		if s, err := f.Slice(); err == nil && r.IntN(2) == 0 {
			copy(s[i:], values)
		} else if n, err := f.WriteAt(values, i); k.next != nil {
			return nil
		} else if err != nil {
			if n != 0 {
				k.Failf("WriteAt: %d, %v", n, err)
			}
			k.disk.Step = nil
			_, _ = f.ReadAt(k.now[i:][:len(values)], i) // it may have written some
			k.disk.Step = k.step
			return err
		}
		copy(k.now[i:], values)
		return nil
	}
	k.Note("-- append %d", n)
	k.add(values)
	return k.added(values, f.Append(values...))
}

// add records elements that a call is about to add. After a power loss, they can also be zero.
func (k *keeper) add(values []uint64) {
	k.then = len(k.now) + len(values)
	for i, v := range values {
		at := len(k.now) + i
		if at == len(k.values) {
			k.values = append(k.values, []uint64{0})
		}
		k.values[at] = append(k.values[at], v)
	}
}

// added records that the call has returned.
func (k *keeper) added(values []uint64, err error) error {
	if err == nil && k.next == nil {
		k.now = append(k.now, values...)
	}
	return err
}

// promise records that Sync has returned.
func (k *keeper) promise() {
	if k.doubt {
		return
	}
	k.synced = len(k.now)
	k.values = nil
	for _, v := range k.now {
		k.values = append(k.values, []uint64{v})
	}
}

// step is called before each call of package array. It looks at images of the disk, and may crash.
func (k *keeper) step(c sim.Call) *sim.Fault {
	if k.next != nil || k.Failed() {
		return &sim.Fault{Err: errCrash}
	}
	k.steps++
	r := rand.New(rand.NewPCG(k.seed, uint64(k.steps)))
	if c.Kind.Changes() {
		k.Note("%v", c)
		if k.made {
			k.image(r)
			k.image(r)
		}
	}
	if k.steps == k.crash {
		k.Note("-- crash")
		k.end(r, r.IntN(2) == 0)
		return &sim.Fault{Err: errCrash}
	}
	if r.Float64() < k.faults {
		f := c.Random(r)
		f.Done = 0 // a write within a page is not interrupted
		k.Note("-- %s fails: %v", c.Kind, f.Err)
		k.Count("faults: " + string(c.Kind))
		k.doubt = k.doubt || c.Kind == sim.Sync
		return f
	}
	return nil
}

var errCrash = errors.New("the program has crashed")

// end ends the life by a power loss or a crash of the program.
func (k *keeper) end(r *rand.Rand, power bool) {
	if !power && !k.doubt {
		k.next = k.disk
		k.disk.Kill()
		return
	}
	k.next = k.disk.Cut(r, sim.Mood(r.IntN(int(sim.Stale))), nil)
	if k.synced < 0 { // nothing was promised
		k.made = false
	} else {
		f, err := open[uint64](k.next, simulatedPath, Options{Format: k.format, NoMmap: true, ReadOnly: true})
		if err != nil {
			k.Failf("after the power loss: %v", err)
			return
		}
		k.now, k.then = nil, 0
		for _, v := range f.All() {
			k.now = append(k.now, v)
		}
		f.Close()
		k.then = len(k.now)
		k.synced = len(k.now)
		k.values = nil
		for _, v := range k.now {
			k.values = append(k.values, []uint64{v})
		}
	}
	k.doubt = false
}

// image looks at one image of the disk.
func (k *keeper) image(r *rand.Rand) {
	if r.IntN(3) == 0 {
		k.Image("crash of the program")
		k.look(r, k.disk.Copy(), "a crash of the program", true)
		return
	}
	if k.synced < 0 {
		return
	}
	mood := sim.Mood(r.IntN(int(sim.Stale)))
	k.Image("power loss, " + mood.String())
	k.look(r, k.disk.Cut(r, mood, nil), "a power loss, "+mood.String(), false)
}

// look opens the array of an image, and adds to it.
func (k *keeper) look(r *rand.Rand, d disk.Disk, kind string, whole bool) {
	o := Options{Format: k.format, NoMmap: r.IntN(8) > 0, ReadOnly: r.IntN(2) == 0}
	f, err := open[uint64](d, simulatedPath, o)
	if err != nil {
		k.Failf("%s: open: %v", kind, err)
		return
	}
	got := k.elements(f, kind, whole)
	if !o.ReadOnly && r.IntN(2) == 0 {
		more := make([]uint64, 1+r.IntN(1000))
		err = errors.Join(f.Append(more...), f.Sync())
		got = append(got, more...)
	}
	if err := errors.Join(err, f.Close()); err != nil {
		k.Failf("%s: %v", kind, err)
		return
	}
	if f, err = open[uint64](d, simulatedPath, o); err != nil {
		k.Failf("%s: open again: %v", kind, err)
		return
	}
	again := make([]uint64, f.Len())
	_, err = f.ReadAt(again, 0)
	if err := errors.Join(err, f.Close()); err != nil || !slices.Equal(again, got) {
		k.Failf("%s: %d elements after Close, %v, want %d, or others", kind, len(again), err, len(got))
	}
}

// elements returns the elements, and requires that they are those that can be there: all of the calls that have
// returned, and all or none of the call that runs; or after a power loss, what Sync says.
func (k *keeper) elements(f *File[uint64], kind string, whole bool) []uint64 {
	got := make([]uint64, f.Len())
	if _, err := f.ReadAt(got, 0); err != nil {
		k.Failf("%s: ReadAt: %v", kind, err)
		return nil
	}
	most := len(k.values)
	if k.raw && !whole {
		most += (page + noteSize) / 8 // the place of a note that was lost
	}
	switch n := len(got); {
	case whole && n != len(k.now) && n != k.then:
		k.Failf("%s: %d elements, want %d or %d", kind, n, len(k.now), k.then)
	case n < k.synced || n > most:
		k.Failf("%s: %d elements, %d were synced, and there were at most %d", kind, n, k.synced, most)
	default:
		for i, v := range got {
			want := []uint64{0}
			if i < len(k.values) {
				want = k.values[i]
			}
			if !slices.Contains(want, v) {
				k.Failf("%s: element %d of %d is %#x, want one of %#x", kind, i, n, v, want)
				break
			}
		}
	}
	return got
}
