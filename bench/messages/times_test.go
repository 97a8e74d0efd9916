package messages

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// turns is how often each loop is measured. The shortest time counts, so that other work on the machine matters less.
const turns = 9

// measure returns the time of each loop for one message, in nanoseconds. They take turns.
func measure(t *testing.T, loops ...Loop) []float64 {
	t.Helper()
	times := make([]float64, len(loops))
	for i := range times {
		times[i] = math.Inf(1)
	}
	for range turns {
		for i, loop := range loops {
			start := time.Now()
			if err := loop(8 * Values); err != nil {
				t.Fatal(err)
			}
			times[i] = min(times[i], float64(time.Since(start))/(8*Values))
		}
	}
	return times
}

// cut returns a loop that decodes messages without their last bytes, which are errors.
func (m *message[T]) cut() (Loop, error) {
	l, err := layoutsOf[T]()
	if err != nil {
		return nil, err
	}
	var encoded [][]byte
	for _, v := range m.values(3, Values) {
		b, err := m.append(nil, v)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, b[:len(b)-1])
	}
	target := new(T)
	return func(n int) error {
		for i := range n {
			_ = l.copies.Unmarshal(encoded[i%Values], target)
		}
		return nil
	}, nil
}

// TestTimes verifies all messages. With -v it prints the nanoseconds that layout and the code by hand take to append and to
// decode a message, and those that layout takes to refuse one that is cut off.
func TestTimes(t *testing.T) {
	for _, m := range All() {
		w, err := m.Open(3)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if !testing.Verbose() {
			continue
		}
		cut, err := m.kind.(interface{ cut() (Loop, error) }).cut()
		if err != nil {
			t.Fatal(err)
		}
		times := measure(t, w.AppendTyped, w.AppendByHand, w.DecodeTyped, w.DecodeByHand, cut)
		fmt.Printf("times %s %.1f %.1f %.1f %.1f %.1f\n", m.Name, times[0], times[1], times[2], times[3], times[4])
	}
}
