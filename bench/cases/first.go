package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/octet-go/octet/msgpack"
	"github.com/tinylib/msgp/msgp"
)

// The first call in a process uses new memory, unknown types and unknown lengths. Each call of the group first
// therefore runs in its own process: this program starts itself with the name of the call in an environment
// variable, and reads the results from its output. The process creates the value, makes the calls that come before,
// and runs the garbage collector. Then it times one call.

// firstVariable is the environment variable with the name of a call: shape/n/library.
const firstVariable = "OCTET_BENCH_FIRST"

// afterwards is the library name for Octet's later calls.
const afterwards = "octet later"

// firsts is a series of contests of the group first.
type firsts struct {
	shape, verb string
	ns          []int
	// calls returns the calls of each library for a value of n elements. The last call is timed.
	calls func(n int) map[string][]call
	// verify compares the libraries on n elements.
	verify func(n int) error
}

// A call returns the encoded size.
type call func() (int, error)

const verbRoundTrip = "RoundTrip"

// firstSeries returns all series. The limit copies the message.
func firstSeries() []firsts {
	return []firsts{
		{"structs", verbMarshal, []int{1000, 100_000, 1_000_000, 5_000_000}, func(n int) map[string][]call {
			list := readings(n)
			return firstOf(&list, (*shape.Readings)(&list).MarshalMsg)
		}, verifyReadings},
		{"alternating", verbMarshal, []int{1_000_000}, alternating, verifyReadings},
		{"counts", verbMarshal, []int{1000, 100_000, 1_000_000}, func(n int) map[string][]call {
			m := counts(n)
			return firstOf(&m, (*shape.Counts)(&m).MarshalMsg)
		}, func(n int) error {
			_, err := enter([]map[string]int{counts(n)}, append(named[map[string]int](engine.Ours), msgpCounts()))
			return err
		}},
		{"untyped", verbMarshal, []int{1000, 100_000}, func(n int) map[string][]call {
			v := untypedReadings(n)
			return firstOf(&v, func(b []byte) ([]byte, error) { return msgp.AppendIntf(b, v) })
		}, func(n int) error {
			_, err := enter([]any{untypedReadings(n)}, append(named[any](engine.Ours), msgpAny()))
			return err
		}},
		{"profile", verbRoundTrip, []int{0}, roundTrips, func(int) error {
			_, err := enter(profiles(1), append(named[shape.Profile](engine.Ours, "json"), msgpProfile.competitor()))
			return err
		}},
	}
}

func verifyReadings(n int) error {
	_, err := enter([][]shape.Reading{readings(n)}, append(named[[]shape.Reading](engine.Ours), msgpLarge(
		func(v *[]shape.Reading, b []byte) ([]byte, error) { return (*shape.Readings)(v).MarshalMsg(b) },
		func(v *[]shape.Reading, b []byte) ([]byte, error) { return (*shape.Readings)(v).UnmarshalMsg(b) },
	)))
	return err
}

// firstOf returns the calls of Marshal for one value.
func firstOf(v any, generated func([]byte) ([]byte, error)) map[string][]call {
	octet := func() (int, error) {
		data, err := msgpack.Marshal(v)
		return len(data), err
	}
	return map[string][]call{
		engine.Ours: {octet},
		afterwards:  {octet, octet, octet},
		"msgp": {func() (int, error) {
			data, err := generated(nil)
			return len(data), err
		}},
		engine.Limit: copying(generated),
	}
}

// copying encodes in a call that is not timed, and copies the message in one that is.
func copying(generated func([]byte) ([]byte, error)) []call {
	var made struct{ data, fresh []byte }
	return []call{
		func() (n int, err error) {
			made.data, err = generated(nil)
			return len(made.data), err
		},
		func() (int, error) {
			made.fresh = append([]byte(nil), made.data...)
			return len(made.fresh), nil
		},
	}
}

// alternating returns calls with one element between those with n elements. Octet's later calls follow only calls
// with n elements.
func alternating(n int) map[string][]call {
	short, long := readings(1), readings(n)
	small := firstOf(&short, (*shape.Readings)(&short).MarshalMsg)
	calls := firstOf(&long, (*shape.Readings)(&long).MarshalMsg)
	for _, name := range []string{engine.Ours, "msgp"} {
		s, l := small[name][0], calls[name][0]
		calls[name] = []call{s, l, s, l, s, l}
	}
	return calls
}

// roundTrips returns the calls of Marshal and Unmarshal for a struct of twelve fields.
func roundTrips(int) map[string][]call {
	v := profiles(1)[0]
	var target shape.Profile
	both := func(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) call {
		return func() (int, error) {
			data, err := marshal(&v)
			if err != nil {
				return 0, err
			}
			return len(data), unmarshal(data, &target)
		}
	}
	octet := both(msgpack.Marshal, msgpack.Unmarshal)
	return map[string][]call{
		engine.Ours: {octet},
		afterwards:  {octet, octet, octet},
		"json":      {both(json.Marshal, json.Unmarshal)},
		"msgp": {func() (int, error) {
			data, err := v.MarshalMsg(nil)
			if err != nil {
				return 0, err
			}
			_, err = target.UnmarshalMsg(data)
			return len(data), err
		}},
		engine.Limit: copying(v.MarshalMsg),
	}
}

// untypedReadings returns a document as an untyped value.
func untypedReadings(n int) any {
	list := make([]any, n)
	r := rand.New(rand.NewPCG(25, 26))
	for i, v := range readings(n) {
		list[i] = map[string]any{
			"id": v.ID, "sensor": v.Sensor, "value": v.Value, "count": integer(r, 31), "valid": v.Valid, "tags": []any{v.Sensor, lowercase(r, 6)},
		}
	}
	return list
}

func firstContests() []engine.Contest {
	var list []engine.Contest
	for _, f := range firstSeries() {
		for _, n := range f.ns {
			if n > 1_000_000 && strconv.IntSize == 32 {
				continue // larger values do not fit in memory
			}
			list = append(list, engine.Contest{Group: "first", Shape: f.shape, N: n, Verbs: []string{f.verb}, Open: func() ([]engine.Peer, error) {
				return f.open(n)
			}})
		}
	}
	return list
}

// open verifies the libraries on few elements, which takes no noticeable time.
func (f firsts) open(n int) ([]engine.Peer, error) {
	if err := f.verify(min(n, 1000)); err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	var entries []engine.Peer
	// The calls for a small value are only used for the names of the libraries.
	for _, name := range slices.SortedFunc(maps.Keys(f.calls(min(n, 1))), firstOrder) {
		e := engine.Peer{Library: name, Alone: new(engine.CallFigures)}
		e.Loops = map[string]engine.Loop{f.verb: engine.Attempt(func() error {
			command := exec.Command(program)
			command.Env = append(os.Environ(), fmt.Sprintf("%s=%s/%d/%s", firstVariable, f.shape, n, name))
			command.Stderr = os.Stderr
			text, err := command.Output()
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := json.Unmarshal(text, e.Alone); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})}
		entries = append(entries, e)
	}
	return entries, nil
}

// firstOrder sorts Octet first and the limit last.
func firstOrder(a, b string) int {
	order := []string{engine.Ours, afterwards, "msgp", "json", engine.Limit}
	return slices.Index(order, a) - slices.Index(order, b)
}

// ServeFirst makes the call that the environment variable names, and reports whether the variable is set.
func ServeFirst() bool {
	name := os.Getenv(firstVariable)
	if name == "" {
		return false
	}
	f, err := makeCall(name)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

func makeCall(name string) (f engine.CallFigures, err error) {
	parts := strings.SplitN(name, "/", 3)
	i := slices.IndexFunc(firstSeries(), func(f firsts) bool { return f.shape == parts[0] })
	if len(parts) != 3 || i < 0 {
		return f, fmt.Errorf("bench: no call %q", name)
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil {
		return f, fmt.Errorf("bench: %q: %w", name, err)
	}
	calls := firstSeries()[i].calls(n)[parts[2]]
	if len(calls) == 0 {
		return f, fmt.Errorf("bench: no call %q", name)
	}
	last := len(calls) - 1
	for _, before := range calls[:last] {
		if _, err := before(); err != nil {
			return f, err
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	f.Size, err = calls[last]()
	f.NS = float64(time.Since(start))
	runtime.ReadMemStats(&after)
	f.Bytes, f.Allocs = float64(after.TotalAlloc-before.TotalAlloc), float64(after.Mallocs-before.Mallocs)
	return f, err
}
