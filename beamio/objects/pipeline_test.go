package objects

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/octet-go/octet/beamio"
	"github.com/octet-go/octet/beamio/loopback"
)

// A click is the element of the pipelines.
type click struct {
	ID   int
	Page string
}

var _ beamio.Store = (*Store)(nil)

func TestMain(m *testing.M) {
	beamio.Register[click]()
	beam.Init()
	code := m.Run()
	stopAzurite()
	os.Exit(code)
}

// TestPipeline writes shards and reads them with Beam. It fails a request in the middle,
// which must leave no result that is not complete, and repeats the pipeline.
func TestPipeline(t *testing.T) {
	const n = 6000
	onServers(t, func(t *testing.T, s *server) {
		beamio.RegisterStore(s.name, s.store)
		run := func(o *beamio.Options) error {
			p, scope := beam.NewPipelineWithRoot()
			list := make([]click, n)
			for i := range list {
				list[i] = click{i, strings.Repeat("page ", i%20)}
			}
			names := beamio.Write(scope, s.path("dir/out.rec"), beam.CreateList(scope, list), o)
			_ = beamio.ReadAll[click](scope, names, nil)
			_, err := loopback.Execute(context.Background(), p)
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skip("skipped: this system cannot run prism on loopback only")
			}
			return err
		}
		for _, shardSize := range []int64{10_000, 1 << 20} { // joined, and copied
			o := &beamio.Options{Shards: 3, ShardSize: shardSize, BlockSize: 4 << 10}
			s.reset(nil)
			if err := run(o); err != nil {
				t.Fatal(err)
			}
			list, _ := s.counted()
			checkClicks(t, s, n)
			failed := 0
			for i := 1; i < len(list); i += 1 + len(list)/7 {
				for key := range strings.SplitSeq("out-00000-of-00003.rec out-00001-of-00003.rec out-00002-of-00003.rec", " ") {
					if err := s.store.Remove(t.Context(), s.path("dir/"+key)); err != nil {
						t.Fatal(err)
					}
				}
				s.reset(s.at(i, true, "reset"))
				err := run(o)
				s.reset(nil)
				if err == nil { // the requests that failed were those that remove
					checkClicks(t, s, n)
					continue
				}
				failed++
				for _, path := range must(s.store.List(t.Context(), s.path("dir/out*"))) {
					if _, _, err := clicksOf(t, s, path); err != nil {
						t.Errorf("%s: %v", path, err)
					}
				}
			}
			if failed < 3 {
				t.Errorf("%d pipelines failed", failed)
			}
			if err := run(o); err != nil {
				t.Fatal(err)
			}
			checkClicks(t, s, n)
		}
	})
}

func must(list []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return list
}

// clicksOf returns the IDs of a file with an index.
func clicksOf(t *testing.T, s *server, path string) (ids []int, indexed bool, err error) {
	f, closer, err := openFile(t.Context(), s.store, path)
	if err != nil {
		return nil, false, err
	}
	defer closer.Close()
	r, err := f.Report()
	if err != nil {
		return nil, false, err
	}
	ids, err = idsOf(f)
	return ids, r.Indexed, err
}

// checkClicks requires that the shards have all clicks, once each.
func checkClicks(t *testing.T, s *server, n int) {
	t.Helper()
	paths := must(s.store.List(t.Context(), s.path("dir/out-*.rec")))
	if len(paths) != 3 {
		t.Fatalf("files %q", paths)
	}
	var all []int
	for _, path := range paths {
		ids, indexed, err := clicksOf(t, s, path)
		if err != nil || !indexed {
			t.Fatalf("%s: index %v, %v", path, indexed, err)
		}
		all = append(all, ids...)
	}
	slices.Sort(all)
	if len(all) != n || len(slices.Compact(all)) != n {
		t.Fatalf("%d clicks, want %d", len(all), n)
	}
}
