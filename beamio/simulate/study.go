package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/octet-go/octet/beamio/internal/split"
)

// Prices of S3 Standard in us-east-1, in dollars for a request.
const (
	priceGet = 0.0004 / 1000
	pricePut = 0.005 / 1000 // and for a list
)

// A study is what is read, and what is assumed.
type study struct {
	m       machinery
	objects []*layout
	bytes   int64
	split   int64
}

// newStudy makes the objects. They have four sizes, so that not all end at the same time.
func newStudy(m machinery, objects int, size float64, blockSize, splitSize int64) (*study, error) {
	s := &study{m: m, split: splitSize}
	var kinds []*layout
	for i, part := range []float64{0.4, 0.8, 1.2, 1.6} {
		l, err := newLayout(int64(size/float64(objects)*part), blockSize, splitSize, uint64(i))
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, &l)
	}
	for i := range objects {
		o := kinds[i%len(kinds)]
		s.objects = append(s.objects, o)
		s.bytes += o.size
	}
	return s, nil
}

// run simulates each number of workers twice: the runner divides ranges or does not.
func (s *study) run(workers []int) (list []result) {
	for _, n := range workers {
		for _, divides := range []bool{true, false} {
			list = append(list, simulate(s.m, s.objects, n, divides, 1))
		}
	}
	return list
}

// price returns what the requests of reading cost, in dollars.
func (r *result) price() float64 {
	return float64(r.requests+r.opening)*priceGet + float64(r.lists)*pricePut
}

// memory returns the bytes that a worker needs besides those of its program: a request, the
// last bytes of the one before, and a block as it is in the file and decoded. The worker
// that divides an object has its index and the table that is made of it instead.
func (s *study) memory() (reading, dividing int64) {
	const block = 256 << 10
	largest := 0
	for _, o := range s.objects {
		largest = max(largest, len(o.blocks))
		dividing = max(dividing, o.index)
	}
	return s.m.ReadAhead + 4<<10 + rangeHead + 3*block, dividing + int64(largest)*48
}

// markdown returns the tables of the page.
func (s *study) markdown(results []result) string {
	var b strings.Builder
	blocks := 0
	for _, o := range s.objects {
		blocks += len(o.blocks)
	}
	reading, dividing := s.memory()
	fmt.Fprintf(&b, "%d objects with %s in %s blocks, in ranges of %s at first. A block takes %.2f ms. A request takes %.0f ms until the\n",
		len(s.objects), bytesText(float64(s.bytes)), countText(float64(blocks)), sizeText(s.split), s.m.BlockTime*1e3, s.m.Latency*1e3)
	fmt.Fprintf(&b, "first byte, and then %s a second. All workers together make at most %.0f requests a second. %.0f %% of the workers take %.0f times as long.\n\n",
		bytesText(s.m.Throughput), s.m.GetRate, s.m.Slow*100, s.m.Slowdown)
	fmt.Fprintln(&b, "| workers | ideal | list and divide | read, the runner divides | times the ideal | read, it does not | times the ideal | largest rest | splits | requests | price |")
	fmt.Fprintln(&b, "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	for i := 0; i+1 < len(results); i += 2 {
		d, f := results[i], results[i+1]
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %.2f | %s | %.2f | %s | %d | %s | $%.2f |\n", d.workers, timeText(d.ideal), timeText(d.plan),
			timeText(d.time), d.time/d.ideal, timeText(f.time), f.time/f.ideal, bytesText(float64(d.largest)), d.splits,
			countText(float64(d.requests+d.opening+d.lists)), d.price())
	}
	fmt.Fprintf(&b, "\nA worker that reads needs %s besides its program, and one that divides the largest object %s.\n", bytesText(float64(reading)), bytesText(float64(dividing)))
	fmt.Fprintln(&b, "\nThe size of the ranges, with 1,000 workers:")
	fmt.Fprintln(&b, "\n| `SplitSize` | ranges | the runner divides | times the ideal | it does not | times the ideal | requests | price |")
	fmt.Fprintln(&b, "|---:|---:|---:|---:|---:|---:|---:|---:|")
	for _, size := range []int64{16 << 20, 64 << 20, 256 << 20, 1 << 30} {
		o := s.divided(size)
		d, f := simulate(s.m, o, 1000, true, 1), simulate(s.m, o, 1000, false, 1)
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %s | %.2f | %s | $%.2f |\n", sizeText(size), countText(float64(d.ranges)), timeText(d.time), d.time/d.ideal,
			timeText(f.time), f.time/f.ideal, countText(float64(d.requests+d.opening+d.lists)), d.price())
	}
	fmt.Fprintf(&b, "\nWriting a tenth of the bytes, %s, with a temporary object for each range that was read, and in the last row of 1 GiB:\n", bytesText(float64(s.bytes)/10))
	fmt.Fprintln(&b, "\n| workers | `Shards` | temporary objects | join | remove | requests | price |")
	fmt.Fprintln(&b, "|---:|---:|---:|---:|---:|---:|---:|")
	for _, o := range []output{{10, 1, 0}, {10, 20, 0}, {100, 200, 0}, {1000, 1, 0}, {1000, 200, 0}, {1000, 2000, 0}, {1000, 2000, 1 << 30}} {
		o.write(&b, s)
	}
	return b.String()
}

// divided returns the objects with ranges of another size.
func (s *study) divided(size int64) (list []*layout) {
	kinds := map[*layout]*layout{}
	for _, o := range s.objects {
		if kinds[o] == nil {
			other := *o
			other.ranges = restrictions(split.File(o.file, o.size, size))
			kinds[o] = &other
		}
		list = append(list, kinds[o])
	}
	return list
}

// An output is how a pipeline writes.
type output struct {
	workers, shards int
	bundle          int64 // bytes of a bundle, 0 for those of a range
}

// cleaners is how many objects beamio removes at the same time.
const cleaners = 32

// write adds a row. Each shard is joined by one worker, which opens each temporary object,
// reads it and writes its blocks again. One worker removes the temporary objects.
func (o output) write(b *strings.Builder, s *study) {
	total := float64(s.bytes) / 10
	bundle := float64(s.split) / 10
	if o.bundle > 0 {
		bundle = float64(o.bundle)
	}
	files := math.Max(math.Ceil(total/bundle), float64(o.shards))
	perShard := math.Ceil(files / float64(o.shards))
	const part = 8 << 20
	// What is read and written of a shard, one after the other.
	join := perShard*2*s.m.Latency + total/float64(o.shards)*(2/s.m.Throughput+1/part*s.m.Latency+1/float64(s.m.ReadAhead)*s.m.Latency)
	if perShard == 1 {
		join = s.m.Latency + total/float64(o.shards)/s.m.Throughput // copied by the store
	}
	join *= math.Ceil(float64(o.shards) / float64(o.workers))
	remove := files/1000*s.m.Latency + files/cleaners*s.m.Latency
	gets := files*2 + total/float64(s.m.ReadAhead)
	puts := files + total/part + total/part // temporary objects and shards, in parts
	fmt.Fprintf(b, "| %d | %d | %s | %s | %s | %s | $%.2f |\n", o.workers, o.shards, countText(files), timeText(join), timeText(remove),
		countText(gets+puts+files), gets*priceGet+puts*pricePut)
}

func timeText(seconds float64) string {
	switch {
	case seconds >= 7200:
		return fmt.Sprintf("%.1f h", seconds/3600)
	case seconds >= 120:
		return fmt.Sprintf("%.1f min", seconds/60)
	}
	return fmt.Sprintf("%.1f s", seconds)
}

// sizeText is for sizes that are chosen, in powers of two.
func sizeText(n int64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
}

func bytesText(n float64) string {
	switch {
	case n >= 1e12:
		return fmt.Sprintf("%.3g TB", n/1e12)
	case n >= 1e9:
		return fmt.Sprintf("%.3g GB", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.3g MB", n/1e6)
	}
	return fmt.Sprintf("%.3g kB", n/1e3)
}

func countText(n float64) string {
	switch {
	case n >= 1e6:
		return fmt.Sprintf("%.3g million", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.3g thousand", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
