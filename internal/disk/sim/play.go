package sim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The variables of the environment that change what Test does.
const (
	// Images is how many images a test checks. Its seeds then begin at a random one, except in a short test.
	Images = "OCTET_SIMULATED"
	// Seed is the only seed that a test plays.
	Seed = "OCTET_SIMULATED_SEED"
)

// A Play is what a test does with one seed. Its methods are safe for concurrent use.
type Play struct {
	Disk *Disk
	Rand *rand.Rand // of the goroutine of the test

	mu      sync.Mutex
	calls   []string
	failure string
	counts  map[string]int
	images  int
}

// Test plays with the recorded seeds, which have found defects, and then with 1, 2, 3 and so on, until it has checked
// as many images as the test wants, or fewer without OCTET_LONG=1 and in a short test. It logs what it counted.
func Test(t *testing.T, images int, recorded []uint64, play func(p *Play)) {
	switch {
	case testing.Short():
		images /= 10
	case os.Getenv("OCTET_LONG") == "":
		images /= 4
	}
	seed := uint64(1)
	if n, err := strconv.Atoi(os.Getenv(Images)); err == nil {
		images = n
		if !testing.Short() {
			seed = rand.Uint64()
		}
	}
	only, err := strconv.ParseUint(os.Getenv(Seed), 10, 64)
	if err == nil {
		seed, recorded, images = only, nil, 1
	}
	counts := map[string]int{}
	seeds, checked := 0, 0
	for ; checked < images || len(recorded) > 0; seeds++ {
		now := seed
		if len(recorded) > 0 {
			now, recorded = recorded[0], recorded[1:]
		} else {
			seed++
		}
		p := &Play{Disk: &Disk{}, Rand: rand.New(rand.NewPCG(now, 25)), counts: counts}
		play(p)
		if p.failure != "" {
			t.Fatalf("seed %d, after %d images: %s\nthe last calls:\n%s\nplay it again with %s=%d", now, checked+p.images, p.failure, strings.Join(p.calls, "\n"), Seed, now)
		}
		checked += p.images
	}
	t.Logf("%d images of %d plays", checked, seeds)
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%9d %s", counts[what], what)
	}
}

// Failf ends the play with a failure. The goroutine goes on, because it need not be that of the test.
func (p *Play) Failf(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == "" {
		p.failure = fmt.Sprintf(format, args...)
	}
}

// Failed reports whether Failf was called.
func (p *Play) Failed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failure != ""
}

// Note remembers a call for the message of a failure.
func (p *Play) Note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != "" {
		return
	}
	if len(p.calls) == 60 {
		p.calls = append(p.calls[:0], p.calls[1:]...)
	}
	p.calls = append(p.calls, fmt.Sprintf(format, args...))
}

// Count counts something for the figures.
func (p *Play) Count(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[what]++
}

// Image counts an image that was checked.
func (p *Play) Image(kind string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.images++
	p.counts["images: "+kind]++
}
