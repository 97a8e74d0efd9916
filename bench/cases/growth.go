package cases

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/pb"
	"github.com/octet-go/octet/bench/shape"
)

// growthContests returns the contests that show how the cost depends on the size of the value and on the number of
// processors. They have only one peer of each kind, because a case of a million elements takes a slow peer seconds:
// generated code, reflection, another format, and JSON.
func growthContests() []engine.Contest {
	var list []engine.Contest
	for n := 1; n <= 1_000_000; n *= 10 {
		list = append(list, growth("structs", n, accounts, func() []competitor[[]shape.Account] {
			type T = []shape.Account
			return few(msgpLarge(
				func(v *T, b []byte) ([]byte, error) { return (*shape.Accounts)(v).MarshalMsg(b) },
				func(v *T, b []byte) ([]byte, error) { return (*shape.Accounts)(v).UnmarshalMsg(b) },
			), protobuf[T, pb.Accounts]("list"), buildLimit(nil, cloneSlice[shape.Account]))
		}))
	}
	for n := 1; n <= 1_000_000; n *= 10 {
		list = append(list, growth("counts", n, counts, func() []competitor[map[string]int] {
			type T = map[string]int
			return few(msgpLarge(
				func(v *T, b []byte) ([]byte, error) { return (*shape.Counts)(v).MarshalMsg(b) },
				func(v *T, b []byte) ([]byte, error) { return (*shape.Counts)(v).UnmarshalMsg(b) },
			), protobuf[T, pb.Counts]("map"), buildLimit(walkOneMap[string, int], buildOneMap[string, int]))
		}))
	}
	for n := 1; n <= 1_000_000; n *= 10 {
		list = append(list, growth("int64s", n, int64s, func() []competitor[[]int64] {
			return few(msgpInt64s(), protobuf[[]int64, pb.Ints]("list"), buildLimit(nil, cloneSlice[int64]))
		}))
	}
	for n := 1; n <= 1_000_000; n *= 10 {
		list = append(list, growth("string", n, text, func() []competitor[string] {
			return few(msgpString(), protobuf[string, pb.Text]("text"), buildLimit(nil, func(s *string) string { return strings.Clone(*s) }))
		}))
	}
	for n := 1000; n <= 100_000; n *= 10 {
		list = append(list, growth("float32s", n, float32s, func() []competitor[[]float32] {
			type T = []float32
			return few(msgpLarge(
				func(v *T, b []byte) ([]byte, error) { return (*shape.Float32s)(v).MarshalMsg(b) },
				func(v *T, b []byte) ([]byte, error) { return (*shape.Float32s)(v).UnmarshalMsg(b) },
			), protobuf[T, pb.Float32List]("list"), copyLimit[T]())
		}, valueVerbs...))
	}
	for n := 1000; n <= 100_000; n *= 10 {
		list = append(list, growth("float64s", n, floats, func() []competitor[[]float64] {
			return few(msgpFloats(), protobuf[[]float64, pb.Floats]("list"), copyLimit[[]float64]())
		}, valueVerbs...))
	}
	for n := 10; n <= 100_000; n *= 100 {
		list = append(list, growth("labels", n, labels, func() []competitor[map[string]string] {
			return append(few(msgpStrings(), buildLimit(walkOneMap[string, string], buildOneMap[string, string])), named[map[string]string]("vmihailenco")...)
		}))
	}
	for n := 10; n <= 100_000; n *= 100 {
		list = append(list, growth("names", n, names, func() []competitor[map[int]string] {
			return append(few(absent[map[int]string]("msgp", stringKeys), buildLimit(walkOneMap[int, string], buildOneMap[int, string])), named[map[int]string]("vmihailenco")...)
		}))
	}
	for _, n := range []int{1, 2} {
		list = append(list, engine.Contest{Group: "growth", Shape: "goroutines", N: n, Verbs: growthVerbs, Wall: growthVerbs, Open: func() ([]engine.Peer, error) { return openGoroutines(n) }})
	}
	return list
}

var growthVerbs = []string{verbMarshal, verbUnmarshal}

// growth returns a contest of the group growth. verbs replaces the usual verbs, if given.
func growth[T any](shape string, n int, value func(n int) T, competitors func() []competitor[T], verbs ...string) engine.Contest {
	c := valueContest(shape, func() T { return value(n) }, competitors)
	c.Group, c.N, c.Verbs = "growth", n, growthVerbs
	if len(verbs) > 0 {
		c.Verbs = verbs
	}
	return c
}

// few returns one library of each kind.
func few[T any](others ...competitor[T]) []competitor[T] {
	return append(named[T](engine.Ours, "shamaton", "json"), others...)
}

// named returns the libraries with these names that encode a T by reflection.
func named[T any](names ...string) []competitor[T] {
	return slices.DeleteFunc(reflective[T](), func(c competitor[T]) bool { return !slices.Contains(names, c.name) })
}

// text returns n bytes of words.
func text(n int) string { return strings.Repeat("the quick brown fox ", n/20+1)[:n] }

// openGoroutines divides the operations among workers goroutines, each with its own values. The result is the total
// time divided by the number of operations.
func openGoroutines(workers int) ([]engine.Peer, error) {
	crews := make([][]engine.Peer, workers)
	for i := range crews {
		entries, err := enter([][]shape.Account{accounts(1000)}, few(msgpLarge(
			func(v *[]shape.Account, b []byte) ([]byte, error) { return (*shape.Accounts)(v).MarshalMsg(b) },
			func(v *[]shape.Account, b []byte) ([]byte, error) { return (*shape.Accounts)(v).UnmarshalMsg(b) },
		), accountsByHand(), buildLimit(nil, cloneSlice[shape.Account])))
		if err != nil {
			return nil, err
		}
		crews[i] = entries
	}
	entries := slices.Clone(crews[0])
	for i := range entries {
		loops := make(map[string]engine.Loop)
		for verb := range entries[i].Loops {
			loops[verb] = func(n int) error {
				errs := make([]error, workers)
				var all sync.WaitGroup
				for w := range workers {
					share := n / workers
					if w < n%workers {
						share++
					}
					all.Go(func() { errs[w] = crews[w][i].Loops[verb](share) })
				}
				all.Wait()
				for _, err := range errs {
					if err != nil {
						return fmt.Errorf("%s: %w", entries[i].Library, err)
					}
				}
				return nil
			}
		}
		entries[i].Loops = loops
	}
	return entries, nil
}
