package msgpack_test

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

const goroutines = 64

// together runs f on many goroutines at once and waits for all of them.
func together(f func(i int)) {
	var ready, done sync.WaitGroup
	start := make(chan bool)
	for i := range goroutines {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			f(i)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// TestConcurrentFirstUse runs 64 goroutines that use types for the first time, each
// in its own order. The types are recursive or contain one another.
func TestConcurrentFirstUse(t *testing.T) {
	type (
		leaf struct{ S string }
		tree struct {
			Left, Right *tree
			Leaves      []leaf
			Names       map[string]*tree
			Any         any
		}
		second struct {
			First any
			Tree  tree
		}
		even struct{ Next *map[string]*even }
		odd  struct {
			Even []even
			Odd  map[int]odd
		}
		list  []list
		dict  map[string]dict
		chain struct {
			A *[]chain
			B map[chainKey]*chain
		}
	)
	n := tree{Left: &tree{Leaves: []leaf{{"a"}}}, Names: map[string]*tree{"n": {}}, Any: "x"}
	m := map[string]*even{"e": {}}
	values := []any{
		n, &n, second{Tree: n}, []tree{n}, map[string]tree{"t": n}, even{&m}, odd{Even: []even{{&m}}, Odd: map[int]odd{1: {}}},
		list{{}, {{}}}, dict{"a": {"b": nil}}, chain{A: &[]chain{{}}, B: map[chainKey]*chain{{1}: {}}},
		[]*chain{{}}, &[2]list{}, map[chainKey]dict{{1}: {}},
	}
	want := make([]string, len(values))
	for i, v := range values {
		b, err := ref.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = string(b)
	}
	together(func(g int) {
		for i := range values {
			i = (i + g) % len(values)
			back := reflect.New(reflect.TypeOf(values[i]))
			if g%2 == 0 {
				if err := msgpack.Unmarshal([]byte(want[i]), back.Interface()); err != nil {
					t.Errorf("%T: %v", values[i], err)
				}
			}
			if got, err := msgpack.Marshal(values[i]); err != nil || string(got) != want[i] {
				t.Errorf("%T: got % x, %v, want % x", values[i], got, err, want[i])
			}
		}
	})
}

type chainKey struct{ N int }

// TestFirstUseAfterPointer runs goroutines that use a type for the first time while
// others decode into pointers to it.
func TestFirstUseAfterPointer(t *testing.T) {
	for range 20 {
		c, err := msgpack.New(msgpack.Options{})
		if err != nil {
			t.Fatal(err)
		}
		together(func(g int) {
			for i := range 20 {
				var text string
				var number uint32
				if err := c.Unmarshal([]byte("\xa1a"), &text); err != nil || text != "a" {
					t.Errorf("%q, %v", text, err)
				}
				if err := c.Unmarshal([]byte{7}, &number); err != nil || number != 7 {
					t.Errorf("%d, %v", number, err)
				}
				if g != i { // a different moment in each goroutine
					continue
				}
				if got, err := c.Marshal([]any{text, number}); err != nil || string(got) != "\x92\xa1a\x07" {
					t.Errorf("% x, %v", got, err)
				}
			}
		})
	}
}

// TestFirstUseOfRandomTypes is TestConcurrentFirstUse for types that are created
// while the test runs.
func TestFirstUseOfRandomTypes(t *testing.T) {
	rounds := 20
	if reduced() {
		rounds = 3
	}
	seed := uint64(0)
	for range rounds {
		var values []any
		var want [][]byte
		for len(values) < 8 {
			seed++
			r := randtype.FromSeed(seed, leaves...)
			// A unique field name makes the type different from all earlier ones.
			typ := reflect.StructOf([]reflect.StructField{{Name: fmt.Sprint("F", seed), Type: r.Type()}})
			v := r.Value(typ).Interface()
			b, err := ref.Marshal(v)
			if err != nil {
				continue
			}
			values, want = append(values, v), append(want, b)
		}
		together(func(g int) {
			for i := range values {
				i = (i + g) % len(values)
				got, err := msgpack.Marshal(values[i])
				if err != nil {
					t.Errorf("%T: %v", values[i], err)
				} else if !bytes.Equal(got, want[i]) && sorted(t, got) != sorted(t, want[i]) {
					t.Errorf("%T: got % x, want % x", values[i], got, want[i])
				}
			}
		})
	}
}

// TestConcurrentUse encodes and decodes shared values and messages on many
// goroutines. All of them use the same caches and pools.
func TestConcurrentUse(t *testing.T) {
	v := makeBush(3)
	data, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var a any
	if err := msgpack.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	anyData, err := msgpack.Marshal([]any{"k", int64(1) << 40, 1.5, map[string]any{"key": "value"}})
	if err != nil {
		t.Fatal(err)
	}
	together(func(g int) {
		for i := range 20 {
			var got bush
			if err := msgpack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(&got, v) {
				t.Errorf("decoded %v, %v", got, err)
			}
			if again, err := msgpack.Marshal(v); err != nil || string(again) != string(data) {
				t.Errorf("encoded % x, %v", again, err)
			}
			var b any
			if err := msgpack.Unmarshal(anyData, &b); err != nil || fmt.Sprint(b) != "[k 1099511627776 1.5 map[key:value]]" {
				t.Errorf("decoded %v, %v", b, err)
			}
			// No other goroutine uses these keys and strings.
			own := map[string]any{fmt.Sprint("key", g, i%3): fmt.Sprint("text", g, i), "n": int64(g*1000 + i)}
			message, err := msgpack.Marshal(own)
			if err != nil {
				t.Error(err)
			}
			var back any
			if err := msgpack.Unmarshal(message, &back); err != nil || !reflect.DeepEqual(back, any(own)) {
				t.Errorf("got %v, %v, want %v", back, err, own)
			}
			checkFailing(t, message)
		}
	})
}

// checkFailing makes calls that fail. Later calls must still work.
func checkFailing(t *testing.T, message []byte) {
	var back any
	if err := msgpack.Unmarshal(message[:len(message)-1], &back); err == nil {
		t.Error("a truncated message was accepted")
	}
	if _, err := msgpack.Marshal(map[int8]any{1: make(chan int)}); err == nil {
		t.Error("a channel was encoded")
	}
}

// TestGarbageCollection decodes into variables on deep and moving stacks, and into
// memory that many values share, while the garbage collector runs all the time.
func TestGarbageCollection(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	stop := make(chan bool)
	var collector sync.WaitGroup
	collector.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	v := makeBush(3)
	data, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	const rounds = 60
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for round := range rounds {
				decodeDeep(t, data, v, 1+round%50)
			}
		})
	}
	workers.Wait()
	close(stop)
	collector.Wait()
}

// decodeDeep calls itself and decodes into a variable of each frame. On return it
// checks all of them.
func decodeDeep(t *testing.T, data []byte, want *bush, depth int) {
	var got bush
	var a any
	var nums struct {
		A, B []int
		S    []string
	}
	if err := msgpack.Unmarshal(data, &got); err != nil {
		t.Error(err)
	}
	if err := msgpack.Unmarshal(data, &a); err != nil {
		t.Error(err)
	}
	if err := msgpack.Unmarshal([]byte("\x83\xa1A\x93\x01\x02\xcd\x12\x34\xa1B\x90\xa1S\x92\xa3abc\xa1d"), &nums); err != nil {
		t.Error(err)
	}
	if depth > 0 {
		decodeDeep(t, data, want, depth-1)
	}
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("with %d frames below: got %v", depth, got)
	}
	if again, err := msgpack.Marshal(&got); err != nil || string(again) != string(data) {
		t.Errorf("with %d frames below: got % x, %v", depth, again, err)
	}
	if m := a.(map[string]any); len(m) != 8 || m["Text"] != want.Text {
		t.Errorf("with %d frames below: got %v", depth, a)
	}
	if fmt.Sprint(nums) != "{[1 2 4660] [] [abc d]}" {
		t.Errorf("with %d frames below: got %v", depth, nums)
	}
}
