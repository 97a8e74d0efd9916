package engine

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestRatio(t *testing.T) {
	// In one round both are slow because the machine stalls. The ratio must not change.
	a := Entry{NS: []float64{10, 10, 1000, 10, 10}}
	b := Entry{NS: []float64{20, 20, 2000, 20, 20}}
	if got, want := Ratio(a, b), (Quartiles{0.5, 0.5, 0.5}); got != want {
		t.Errorf("ratio = %v, want %v", got, want)
	}
	q := Summarize([]float64{1, 2, 3, 4, 5})
	if q.Median != 3 || q.Low >= q.Median || q.High <= q.Median || math.Abs(q.Low+q.High-6) > 1e-9 {
		t.Errorf("summarise(1…5) = %v", q)
	}
}

// TestTimeInTurns runs one library that works, one without the call and one that does not take part.
func TestTimeInTurns(t *testing.T) {
	rounds := 0
	p := Effort{Rounds: 3, Turn: time.Microsecond, Step: func() { rounds++ }, Order: OrderOf(1, "Do")}
	var kept []byte
	entries := []Peer{
		{Library: "a", Size: minPeakSize, Note: "remark", Loops: map[string]Loop{"Do": Repeat(func() { kept = make([]byte, minPeakSize) })}},
		{Library: "b", Loops: map[string]Loop{"Undo": Repeat(func() {})}},
		{Library: "c", Note: "reason"},
	}
	list, err := TimeInTurns("Do", entries, p)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Library != "a" || list[1].Library != "c" || list[1].NS != nil || list[1].Note != "reason" {
		t.Fatalf("timeInTurns = %+v", list)
	}
	if a := list[0]; len(a.NS) != 3 || rounds != 3 || a.Bytes < minPeakSize || a.Allocs < 1 || a.Peak < minPeakSize || a.Size != len(kept) || a.Note != "remark" {
		t.Errorf("timeInTurns = %+v after %d rounds", a, rounds)
	}
	broken := errors.New("broken")
	for calls := range 4 {
		left := calls
		fails := Attempt(func() error {
			if left--; left < 0 {
				return broken
			}
			time.Sleep(time.Microsecond)
			return nil
		})
		if _, err := TimeInTurns("Do", []Peer{{Library: "a", Size: minPeakSize, Loops: map[string]Loop{"Do": fails}}}, p); err != broken {
			t.Errorf("after %d calls: %v", calls, err)
		}
	}
}

// TestSurveyPause checks that one slow operation, whenever it comes, does not make the turns of a fast one too short.
func TestSurveyPause(t *testing.T) {
	const turn = time.Millisecond
	for pause := range 10 {
		n := 0
		// Another program can slow down further operations, so there are several tries.
		for try := 0; n < 50 && try < 5; try++ {
			calls := 0
			run := func(n int) error {
				if calls++; calls == pause+1 {
					time.Sleep(5 * turn)
				}
				for start := time.Now(); time.Since(start) < time.Duration(n)*turn/1000; {
				}
				return nil
			}
			var e Entry
			var err error
			if n, err = e.survey(run, turn); err != nil {
				t.Fatal(err)
			}
		}
		if n < 50 {
			t.Errorf("turns have %d operations of a thousandth of a turn after a pause in call %d", n, pause+1)
		}
	}
}

// TestOrder checks that each library comes first, and follows each other one, in some round, and that the same seed
// gives the same order.
func TestOrder(t *testing.T) {
	orders := func(seed uint64) (string, int) {
		var b strings.Builder
		follows := make(map[string]bool)
		last := ""
		note := func(name string) Loop {
			return func(int) error {
				b.WriteString(name)
				follows[last+name] = true
				last = name
				return nil
			}
		}
		var entries []Peer
		for _, name := range []string{"a", "b", "c", "d"} {
			entries = append(entries, Peer{Library: name, Loops: map[string]Loop{"Do": note(name)}, Alone: &CallFigures{NS: 1}})
		}
		p := Effort{Rounds: 30, Turn: 1, Step: func() { last = "" }, Order: OrderOf(seed, "case")}
		if _, err := TimeInTurns("Do", entries, p); err != nil {
			t.Fatal(err)
		}
		return b.String(), len(follows)
	}
	one, n := orders(1)
	if n != 4+4*3 {
		t.Errorf("%d of 16 successions in %s", n, one)
	}
	if again, _ := orders(1); again != one {
		t.Errorf("%s, and then %s", one, again)
	}
	if other, _ := orders(2); other == one {
		t.Error("another seed gives the same order")
	}
}

// TestProcessorTime checks that a turn that waits takes time on the clock and hardly any processor time, and that a
// case measured by the clock has no processor time.
func TestProcessorTime(t *testing.T) {
	if ProcessorTime() == 0 {
		t.Skip("this system does not report processor times")
	}
	p := Effort{Rounds: MinRounds, Turn: time.Microsecond, Step: func() {}, Order: OrderOf(1, "Do")}
	sleeps := Peer{Library: "sleeps", Loops: map[string]Loop{"Do": Repeat(func() { time.Sleep(5 * time.Millisecond) })}}
	works := Peer{Library: "works", Loops: map[string]Loop{"Do": Repeat(func() {
		for used := ProcessorTime(); ProcessorTime()-used < time.Millisecond; {
		}
	})}}
	list, err := TimeInTurns("Do", []Peer{sleeps, works}, p)
	if err != nil {
		t.Fatal(err)
	}
	if slow := list[0]; len(slow.CPU) != MinRounds || slow.NS[0] < 5e6 || slow.Time().Median > slow.NS[0]/2 {
		t.Errorf("sleeping: %+v", slow)
	}
	if busy := list[1]; len(busy.CPU) != MinRounds || busy.Time().Median < 1e6 || busy.Time().Median > 5e6 {
		t.Errorf("working for a millisecond: %+v", busy)
	}
	p.Wall = true
	if list, err = TimeInTurns("Do", []Peer{works}, p); err != nil || list[0].CPU != nil || len(list[0].NS) != MinRounds {
		t.Errorf("measured by the clock: %+v, %v", list, err)
	}
}

// TestGarbageOfPeers checks that what one library leaves on the heap is collected before the turn of the next.
func TestGarbageOfPeers(t *testing.T) {
	const size = 64 << 20
	var left []byte
	var most uint64
	leaves := Repeat(func() { left = make([]byte, size); left[0] = 1; left = nil })
	measures := Repeat(func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	})
	// The turns before the rounds only count operations, so the first round ends with a fresh start.
	started := false
	p := Effort{Rounds: 10, Turn: 1, Order: OrderOf(1, "Do"), Step: func() {
		if !started {
			started, most = true, 0
		}
	}}
	_, err := TimeInTurns("Do", []Peer{{Library: "leaves", Loops: map[string]Loop{"Do": leaves}}, {Library: "measures", Loops: map[string]Loop{"Do": measures}}}, p)
	if err != nil || most == 0 || most > size {
		t.Errorf("the heap has %d bytes in the next turn: %v", most, err)
	}
}

func TestThird(t *testing.T) {
	var times []float64
	for i := range 20 {
		times = append(times, float64((i*7)%20))
	}
	for n, want := range map[int]float64{20: 2, 4: 0} {
		list := times[:n]
		if n == 4 {
			list = []float64{3, 0, 2, 1}
		}
		if got := third(list); got != want {
			t.Errorf("third of %v = %v, want %v", list, got, want)
		}
	}
	// Processor times decide if both libraries have them, with quartiles that include the figure.
	a := Entry{NS: []float64{100, 900, 100}, CPU: []float64{10, 12, 14}}
	b := Entry{NS: []float64{100, 100, 100}, CPU: []float64{20, 24, 28}}
	if got := Ratio(a, b); got != (Quartiles{0.5, 0.5, 0.5}) {
		t.Errorf("ratio of processor times = %v", got)
	}
	b.CPU = nil
	if got := Ratio(a, b); got.Median != 1 {
		t.Errorf("ratio of times on the clock = %v", got)
	}
	if got := a.Time(); got.Median != 10 || got.Low != 10 || got.High < 12 {
		t.Errorf("time = %v", got)
	}
}
