package main

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/beamio/internal/split"
)

// usual is a store like S3, and a block of a millisecond.
var usual = machinery{
	Latency: 0.15, Throughput: 85e6, GetRate: 5500, ReadAhead: 8 << 20, BlockTime: 0.001, Slow: 0.01, Slowdown: 5, Reaction: 2,
}

func small(t *testing.T, m machinery) *study {
	t.Helper()
	s, err := newStudy(m, 40, 40e9, 2<<20, 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestEveryBlock requires that all blocks are claimed once, whatever the runner divides.
func TestEveryBlock(t *testing.T) {
	l, err := newLayout(50<<20, 100<<10, 8<<20, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.ranges) < 4 || len(l.blocks) < 400 || l.index <= 0 || l.index > 1<<20 {
		t.Fatalf("%d ranges, %d blocks, an index of %d bytes", len(l.ranges), len(l.blocks), l.index)
	}
	seen := map[int64]int{}
	rest := l.ranges
	for n := 0; len(rest) > 0; n++ {
		rt := split.Tracker(rest[0])
		rest = rest[1:]
		for b, err := range split.Claimed(rt, l.from(split.Start(rt))) {
			if err != nil {
				t.Fatal(err)
			}
			seen[b.Offset]++
			if n%2 == 0 && len(seen)%7 == 0 {
				if r, err := split.Divide(rt, 0.5); err != nil {
					t.Fatal(err)
				} else if r != nil {
					rest = append(rest, *r)
				}
			}
		}
		if !rt.IsDone() {
			t.Fatalf("range %d is not done: %v", n, rt.GetError())
		}
	}
	for _, b := range l.blocks {
		if seen[b.Offset] != 1 {
			t.Fatalf("the block at %d was read %d times", b.Offset, seen[b.Offset])
		}
	}
}

// TestSimulation requires what docs/beam.md says: a runner that divides ranges is near the
// ideal with stragglers, one that does not waits for them, and the limit of the store
// ends it.
func TestSimulation(t *testing.T) {
	s := small(t, usual)
	d, f := simulate(s.m, s.objects, 20, true, 1), simulate(s.m, s.objects, 20, false, 1)
	if d.time < d.ideal || d.time > 1.3*d.ideal {
		t.Errorf("divided: %.0f s, ideal %.0f s", d.time, d.ideal)
	}
	if f.time < 4*f.ideal {
		t.Errorf("not divided: %.0f s, ideal %.0f s: the straggler has no effect", f.time, f.ideal)
	}
	// Each range has a request for each 8 MiB, one for its head and one for the last block.
	if least, most := s.bytes/s.m.ReadAhead, s.bytes/s.m.ReadAhead+int64(3*(d.ranges+d.splits)); d.requests < least || d.requests > most {
		t.Errorf("%d requests, want %d to %d", d.requests, least, most)
	}
	splits := 0
	for seed := range uint64(4) {
		splits += simulate(s.m, s.objects, 20, true, seed).splits
	}
	if splits == 0 || f.splits != 0 || d.largest <= 0 || d.largest > 80<<20 {
		t.Errorf("%d and %d splits, largest rest %d", splits, f.splits, d.largest)
	}
	limited := usual
	limited.GetRate = 10
	if r := simulate(limited, s.objects, 20, true, 1); r.time < float64(r.requests)/10 {
		t.Errorf("%d requests in %.0f s, more than 10 a second", r.requests, r.time)
	}
	if again := simulate(s.m, s.objects, 20, true, 1); again != d {
		t.Errorf("the second simulation differs:\n%+v\n%+v", again, d)
	}
	limited = usual
	limited.Slow = 0
	if r := simulate(limited, s.objects, 20, false, 1); r.time > 1.4*r.ideal {
		t.Errorf("without stragglers: %.0f s, ideal %.0f s", r.time, r.ideal)
	}
}

// TestPage requires that the tables and the chart have all numbers of workers.
func TestPage(t *testing.T) {
	s := small(t, usual)
	results := s.run([]int{10, 20})
	text := s.markdown(results)
	for _, want := range []string{"\n| 10 | ", "\n| 20 | ", "\n| 64 MiB | ", "$"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q:\n%s", want, text)
		}
	}
	var b bytes.Buffer
	if err := s.chart(&b, results); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
