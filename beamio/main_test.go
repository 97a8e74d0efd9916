package beamio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/octet-go/octet/beamio/loopback"
	"github.com/octet-go/octet/record"
)

// A visit is the usual element of the tests.
type visit struct {
	ID   int64             `msgpack:"id"`
	User string            `msgpack:"user"`
	Tags map[string]string `msgpack:"tags"`
}

// A group is a key with maps, which have no order.
type group struct {
	Name   string
	Labels map[string]string
	Bits   map[int8]bool
}

// An untyped has a field that has no type in Beam's schemas.
type untyped struct {
	Value any
}

// RegisterTests registers the types of the tests.
func RegisterTests() {
	Register[visit]()
	Register[group]()
	Register[untyped]()
	Register[chosen]()
	Register[total]()
	beam.RegisterFunction(byUser)
	beam.RegisterFunction(totalOf)
	Register[numbered]()
	RegisterMap[named]()
	RegisterFiles[string]()
	RegisterFiles[plain]()
	registerTestFns()
	registerFaults()
}

// registerTestFns registers the DoFns of the tests.
func registerTestFns() {
	for _, fn := range []any{&collectFn{}, &groupFn{}, &largeFn{}, &describeFn{}, &failFn{}, &failOnceFn{}, &listenFn{}, &waitFn{}} {
		registerDoFn(fn)
	}
	beam.RegisterFunction(length)
	register.Iter1[int64]()
	register.Emitter1[string]()
}

// results has what collectFn got, by ID. Workers run in the process of the tests.
var results sync.Map

// collectFn collects the elements of a PCollection.
type collectFn struct {
	ID string

	bundle []any
}

func (fn *collectFn) StartBundle() { fn.bundle = nil }

func (fn *collectFn) ProcessElement(_ context.Context, v beam.X) error {
	fn.bundle = append(fn.bundle, v)
	return nil
}

func (fn *collectFn) FinishBundle() {
	list, _ := results.LoadOrStore(fn.ID, &result{})
	list.(*result).add(fn.bundle)
}

type result struct {
	mu      sync.Mutex
	list    []any
	bundles int
}

func (r *result) add(bundle []any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, bundle...)
	r.bundles++
}

// A runner runs pipelines.
type runner struct {
	name string
	run  func(*testing.T, *beam.Pipeline) error
}

func onPrism(_ *testing.T, p *beam.Pipeline) error {
	*jobopts.Parallelism = -1
	_, err := loopback.Execute(context.Background(), p)
	if errors.Is(err, errors.ErrUnsupported) { // no pipeline has run
		_, err = prism.Execute(context.Background(), p)
	}
	return err
}

func onFlink(t *testing.T, p *beam.Pipeline) error {
	*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.Parallelism = flinkEndpoint(t), "LOOPBACK", 2
	_, err := universal.Execute(context.Background(), p)
	return err
}

// onRunners runs a test on each runner.
func onRunners(t *testing.T, test func(t *testing.T, r runner)) {
	for _, r := range []runner{{"prism", onPrism}, {"Flink", onFlink}} {
		t.Run(r.name, func(t *testing.T) { test(t, r) })
	}
}

// collect runs a pipeline and returns the elements of the result, and how many bundles
// had them.
func collect[T any](t *testing.T, r runner, build func(beam.Scope) beam.PCollection) ([]T, int) {
	t.Helper()
	p, s := beam.NewPipelineWithRoot()
	id := fmt.Sprintf("%s %p", t.Name(), p)
	beam.ParDo0(s, &collectFn{ID: id}, build(s))
	if err := r.run(t, p); err != nil {
		t.Fatal(err)
	}
	got, ok := results.LoadAndDelete(id)
	if !ok {
		return nil, 0
	}
	list := make([]T, len(got.(*result).list))
	for i, v := range got.(*result).list {
		list[i] = v.(T)
	}
	return list, got.(*result).bundles
}

// writeVisits makes a file of n records with IDs from first on.
func writeVisits(t testing.TB, path string, n, first int, o record.Options) {
	t.Helper()
	w, err := record.Create(path, &o)
	if err != nil {
		t.Fatal(err)
	}
	for i := first; i < first+n; i++ {
		v := visit{ID: int64(i), User: fmt.Sprint("user", i%10), Tags: map[string]string{"page": fmt.Sprint("/", i%7), "agent": "go"}}
		if err := w.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// checkIDs requires that the visits are those with the IDs 0 to n-1, once each.
func checkIDs(t *testing.T, visits []visit, n int) {
	t.Helper()
	seen := make([]bool, n)
	for _, v := range visits {
		if v.ID < 0 || v.ID >= int64(n) || seen[v.ID] {
			t.Fatalf("visit %d is doubled or not in the files", v.ID)
		}
		if v.User != fmt.Sprint("user", v.ID%10) || v.Tags["page"] != fmt.Sprint("/", v.ID%7) {
			t.Fatalf("changed visit %+v", v)
		}
		seen[v.ID] = true
	}
	if len(visits) != n {
		t.Fatalf("%d visits, want %d", len(visits), n)
	}
}

// files returns the names in a folder.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, filepath.Base(e.Name()))
	}
	return names
}
