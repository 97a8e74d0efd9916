package main

import (
	"container/heap"
	"iter"
	"math/rand/v2"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"github.com/octet-go/octet/beamio/internal/split"
	"github.com/octet-go/octet/record"
)

// A machinery is what a simulation assumes. Times are in seconds, sizes in bytes.
type machinery struct {
	Latency    float64 // until the first byte of an answer
	Throughput float64 // of one request, per second
	GetRate    float64 // requests that read, per second, of all workers together
	ReadAhead  int64   // of beamio/objects
	BlockTime  float64 // processor time to decompress and decode a block
	Slow       float64 // part of the workers that are stragglers
	Slowdown   float64 // how many times as long everything takes them
	Reaction   float64 // until the runner divides a range for a worker without work
}

// A result is what came of a simulation.
type result struct {
	workers  int
	divides  bool // the runner divides ranges while they are read
	plan     float64
	time     float64 // of reading, without the plan
	ideal    float64 // if all workers were busy until the end
	largest  int64   // most bytes of a range that was left when no range was waiting
	tail     float64 // seconds from then until the end
	ranges   int     // at the start
	splits   int     // by the runner
	requests int64   // of the workers that read
	opening  int64   // requests to divide the objects
	lists    int64
}

// rangeHead is what beamio/objects reads first of an object of which it reads a range.
const rangeHead = 16 << 10

// chunk is how many blocks a worker reads between two events.
const chunk = 16

// A worker reads one range after another.
type worker struct {
	slow  float64
	todo  []piece // the ranges that it was given at the start, if the runner does not divide
	rt    *sdf.LockRTracker
	next  func() (record.Block, error, bool)
	stop  func()
	read  int64        // offset up to which it has requested
	block record.Block // that it has claimed, if has is true
	has   bool
	busy  bool
}

// A piece is a range of an object.
type piece struct {
	object *layout
	r      offsetrange.Restriction
}

// A cluster is the state of a simulation.
type cluster struct {
	m       machinery
	workers []*worker
	waiting []piece
	events  events
	divides bool
	result  result
	gate    float64 // when the store takes the next request
	perByte float64 // seconds that a worker takes for a byte
	objects map[*worker]*layout
	drained float64 // when no range was waiting any more
}

// simulate reads objects with a number of workers.
func simulate(m machinery, objects []*layout, workers int, divides bool, seed uint64) result {
	c := &cluster{m: m, divides: divides, objects: map[*worker]*layout{}, drained: -1}
	c.result = result{workers: workers, divides: divides}
	var bytes, blocks float64
	for _, o := range objects {
		bytes += float64(o.size)
		blocks += float64(len(o.blocks))
		for _, r := range o.ranges {
			c.waiting = append(c.waiting, piece{o, r})
		}
	}
	c.result.ranges = len(c.waiting)
	random := rand.New(rand.NewPCG(seed, 1))
	// The Reshuffle after the division has no order.
	random.Shuffle(len(c.waiting), func(i, j int) { c.waiting[i], c.waiting[j] = c.waiting[j], c.waiting[i] })
	slow := max(int(m.Slow*float64(workers)+0.5), 1)
	speed := 0.0
	for i := range workers {
		w := &worker{slow: 1}
		if i < slow && m.Slow > 0 {
			w.slow = m.Slowdown
		}
		speed += 1 / w.slow
		c.workers = append(c.workers, w)
	}
	if !divides { // each worker has a fixed part of the ranges
		for i, p := range c.waiting {
			w := c.workers[i%workers]
			w.todo = append(w.todo, p)
		}
		c.waiting = nil
	}
	c.plan(objects, workers)
	work := bytes/m.Throughput + blocks*m.BlockTime + bytes/float64(m.ReadAhead)*m.Latency
	c.perByte = work / bytes
	c.result.ideal = work / speed
	for i := range c.workers {
		heap.Push(&c.events, event{0, i})
	}
	for len(c.events) > 0 {
		e := heap.Pop(&c.events).(event)
		if took, ok := c.step(c.workers[e.worker], e.time); ok {
			heap.Push(&c.events, event{e.time + took, e.worker})
			c.result.time = max(c.result.time, e.time+took)
		}
	}
	if c.drained >= 0 {
		c.result.tail = c.result.time - c.drained
	}
	return c.result
}

// plan computes what it takes to list the objects and to divide them. One worker lists.
// An object is opened with a request for its start and one for its index.
func (c *cluster) plan(objects []*layout, workers int) {
	c.result.lists = int64(len(objects)+999) / 1000
	c.result.plan = float64(c.result.lists) * c.m.Latency
	each := make([]float64, workers)
	for i, o := range objects {
		each[i%workers] += (2*c.m.Latency + float64(o.index)/c.m.Throughput) * c.workers[i%workers].slow
		c.result.opening += 2
	}
	longest := 0.0
	for _, t := range each {
		longest = max(longest, t)
	}
	c.result.plan += longest
}

// step lets a worker do what comes next, and returns how long that takes. ok is false if
// there is nothing to do for it any more.
func (c *cluster) step(w *worker, now float64) (took float64, ok bool) {
	if w.next == nil {
		p, found := c.take(w, now)
		if !found {
			return 0, false
		}
		if p.object == nil { // it asks again when the runner has reacted
			return c.m.Reaction, true
		}
		c.begin(w, p)
		return c.request(rangeHead, now) * w.slow, true
	}
	for range chunk {
		if !w.has {
			var more bool
			if w.block, _, more = w.next(); !more {
				w.stop()
				w.next, w.busy = nil, false
				return took, true
			}
			w.has = true
		}
		if w.read < end(w.block) {
			if took > 0 {
				return took, true // the store gets requests in the order of time
			}
			to := min(w.read+c.m.ReadAhead, split.End(w.rt))
			if to <= w.read {
				to = end(w.block) // the rest of the last block
			}
			took = c.request(to-w.read, now) * w.slow
			w.read = to
			return took, true
		}
		w.has = false
		took += c.m.BlockTime * w.slow
	}
	return took, true
}

// request returns how long a request takes.
func (c *cluster) request(bytes int64, now float64) float64 {
	c.result.requests++
	c.gate = max(c.gate, now) + 1/c.m.GetRate
	return c.gate - now + c.m.Latency + float64(bytes)/c.m.Throughput
}

// begin gives a range to a worker, as beamio begins to read it.
func (c *cluster) begin(w *worker, p piece) {
	w.rt = split.Tracker(p.r)
	w.next, w.stop = iter.Pull2(split.Claimed(w.rt, p.object.from(p.r.Start)))
	w.read, w.has = p.r.Start, false
	w.busy = true
	c.objects[w] = p.object
}

// take returns the next range for a worker. If none is waiting, the first call says that
// the worker waits for the runner, and the next one divides the range that will take
// longest, at the half of what is left.
func (c *cluster) take(w *worker, now float64) (p piece, found bool) {
	if len(w.todo) > 0 {
		p, w.todo = w.todo[0], w.todo[1:]
		return p, true
	}
	if n := len(c.waiting); n > 0 {
		p, c.waiting = c.waiting[n-1], c.waiting[:n-1]
		return p, true
	}
	if c.drained < 0 {
		c.drained = now
		for _, other := range c.workers {
			left, _ := c.left(other)
			for _, p := range other.todo {
				left += int64(p.r.Size())
			}
			c.result.largest = max(c.result.largest, left)
		}
	}
	if !c.divides {
		return p, false
	}
	if !w.busy {
		w.busy = true // only for the next call
		return piece{}, true
	}
	w.busy = false
	var victim *worker
	longest := 0.0
	for _, other := range c.workers {
		if _, t := c.left(other); t > longest {
			victim, longest = other, t
		}
	}
	// What is left is not worth the requests that it takes to begin with it.
	if longest < c.m.Reaction+2*c.m.Latency {
		return p, false
	}
	rest, err := split.Divide(victim.rt, 0.5)
	if err != nil || rest == nil {
		return p, false
	}
	c.result.splits++
	return piece{c.objects[victim], *rest}, true
}

// left returns the bytes of a range that its worker has not claimed, and how long they
// will take it.
func (c *cluster) left(w *worker) (bytes int64, seconds float64) {
	if w.next == nil {
		return 0, 0
	}
	_, remaining := w.rt.GetProgress()
	return int64(remaining), remaining * c.perByte * w.slow
}

// An event is when a worker has done something.
type event struct {
	time   float64
	worker int
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].time < e[j].time }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(v any)        { *e = append(*e, v.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}
