package beamio

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// A plain struct keeps Beam's coder.
type plain struct {
	ID int64 `msgpack:"id"`
}

// readAll returns the visits of record files.
func readAll(t *testing.T, paths ...string) (list []visit) {
	t.Helper()
	codec, err := zstd.New(zstd.Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		f, err := record.Open(path, &record.Options{Decompressor: codec})
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range record.All[visit](f) {
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, v)
		}
		if report, err := f.Report(); err != nil || !report.Indexed || report.Torn > 0 || report.Parts != 1 {
			t.Errorf("%s: %v, %v", path, report, err)
		}
		f.Close()
	}
	return list
}

// TestWrite writes to a number of shards and compares the files with the input.
func TestWrite(t *testing.T) {
	input := filepath.Join(t.TempDir(), "in.rec")
	const n = 8000
	writeVisits(t, input, n, 0, small)
	visits, err := schema.Of[visit](nil)
	if err != nil {
		t.Fatal(err)
	}
	onRunners(t, func(t *testing.T, r runner) {
		for name, c := range map[string]struct {
			o    Options
			want []string
		}{
			"one file":   {Options{Metadata: map[string]any{"source": "test", "n": int64(3)}}, []string{"out.rec"}},
			"shards":     {Options{Shards: 3, ShardSize: 20_000, BlockSize: 2 << 10}, []string{"out-00000-of-00003.rec", "out-00001-of-00003.rec", "out-00002-of-00003.rec"}},
			"compressed": {Options{Shards: 2, ShardSize: 10_000, BlockSize: 4 << 10, Compress: true, Schema: visits}, []string{"out-00000-of-00002.rec", "out-00001-of-00002.rec"}},
		} {
			t.Run(name, func(t *testing.T) {
				dir := t.TempDir()
				names, _ := collect[string](t, r, func(s beam.Scope) beam.PCollection {
					return Write(s, filepath.Join(dir, "out.rec"), Read[visit](s, input, &Options{SplitSize: 50_000}), &c.o)
				})
				slices.Sort(names)
				var want []string
				for _, name := range c.want {
					want = append(want, filepath.Join(dir, name))
				}
				if !slices.Equal(names, want) {
					t.Fatalf("names %q, want %q", names, want)
				}
				if got := files(t, dir); !slices.Equal(got, c.want) {
					t.Errorf("files %q, want %q", got, c.want)
				}
				checkIDs(t, readAll(t, names...), n)
				for _, name := range names {
					f, err := record.Open(name, nil)
					if err != nil {
						t.Fatal(err)
					}
					if f.Len() < n/20/int64(len(names)) {
						t.Errorf("%s has only %d records", name, f.Len())
					}
					if got := f.Metadata(); !reflect.DeepEqual(got, c.o.Metadata) {
						t.Errorf("metadata %v, want %v", got, c.o.Metadata)
					}
					if got, err := f.Schema(); err != nil || (got == nil) != (c.o.Schema == nil) || got != nil && got.String() != visits.String() {
						t.Errorf("schema %v, %v, want %v", got, err, c.o.Schema)
					}
					f.Close()
				}
			})
		}
	})
}

// TestEmptyShards writes fewer records than there are shards, and none.
func TestEmptyShards(t *testing.T) {
	dir := t.TempDir()
	writeVisits(t, filepath.Join(dir, "2.rec"), 2, 0, small)
	writeVisits(t, filepath.Join(dir, "0.rec"), 0, 0, small)
	onRunners(t, func(t *testing.T, r runner) {
		for _, n := range []int{0, 2} {
			out := t.TempDir()
			names, _ := collect[string](t, r, func(s beam.Scope) beam.PCollection {
				return Write(s, filepath.Join(out, "x"), Read[visit](s, fmt.Sprintf("%s/%d.rec", dir, n), nil), &Options{Shards: 5})
			})
			if len(names) != 5 || len(files(t, out)) != 5 {
				t.Errorf("%d names, files %q, want 5", len(names), files(t, out))
			}
			checkIDs(t, readAll(t, names...), n)
		}
	})
}

// TestReplace writes to existing names.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out[1]") // no pattern
	writeVisits(t, in, 10, 0, small)
	write(t, out, []byte("old"))
	write(t, filepath.Join(dir, "out1"), []byte("other"))
	for range 2 {
		collect[string](t, runner{"prism", onPrism}, func(s beam.Scope) beam.PCollection {
			return Write(s, out, Read[visit](s, in, nil), nil)
		})
		checkIDs(t, readAll(t, out), 10)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"in", "out1", "out[1]"}) {
		t.Errorf("files %q", got)
	}
}

// TestForeignElements writes elements without the coder of this package, in windows of
// other pipelines, to a filesystem in memory.
func TestForeignElements(t *testing.T) {
	got, _ := collect[plain](t, runner{"prism", onPrism}, func(s beam.Scope) beam.PCollection {
		names := Write(s, "memfs://foreign/out.rec", beam.Create(s, plain{1}, plain{2}, plain{3}), &Options{Shards: 2})
		return ReadAll[plain](s, names, nil)
	})
	slices.SortFunc(got, func(a, b plain) int { return int(a.ID - b.ID) })
	if !slices.Equal(got, []plain{{1}, {2}, {3}}) {
		t.Errorf("read %v", got)
	}
	left, err := memfs.New(context.Background()).List(context.Background(), "memfs://foreign/*")
	if err != nil || len(left) != 2 {
		t.Errorf("files %q, %v", left, err)
	}
}

// TestFirstShard begins many bundles. Small ones are spread over all shards, also if there are many.
func TestFirstShard(t *testing.T) {
	const shards = 1000
	fn := &writeFn{target: target{Path: filepath.Join(t.TempDir(), "out.rec"), Settings: settings{Shards: shards}}}
	first := map[int]bool{}
	for range 400 {
		if err := fn.StartBundle(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if fn.shard < 0 || fn.shard >= shards {
			t.Fatalf("shard %d of %d", fn.shard, shards)
		}
		first[fn.shard] = true
	}
	if len(first) < 200 { // 330 are likely
		t.Errorf("400 bundles begin with %d of %d shards", len(first), shards)
	}
}
