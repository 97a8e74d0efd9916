package main

import (
	"context"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/octet-go/octet/beamio/flinktest"
	"github.com/octet-go/octet/record"
)

func TestMain(m *testing.M) {
	registerTypes()
	*clicks = 20_000 // tests are short unless there is a flag
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// A visit tells the sessions apart.
type visit struct {
	user  uint32
	start int64
}

// expected finds the sessions with loops and maps only.
func expected(t *testing.T, input string) map[visit]Session {
	f, err := record.Open(input, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sessions, last := map[visit]Session{}, map[uint32]Session{}
	for c, err := range record.All[Click](f) { // the clicks of each user are in order
		if err != nil {
			t.Fatal(err)
		}
		s, ok := last[c.User]
		if !ok || c.Time-s.Start-s.Seconds >= gap {
			s = Session{User: c.User, Start: c.Time, Pages: map[string]int32{}}
		}
		s.Seconds = c.Time - s.Start
		s.Pages[c.Page]++
		sessions[visit{s.User, s.Start}], last[c.User] = s, s
	}
	return sessions
}

// check requires that the files of a result have the wanted sessions, each once.
func check(t *testing.T, output string, want map[visit]Session) {
	files, err := filepath.Glob(output)
	if err != nil || len(files) != 3 {
		t.Fatalf("files %q, %v", files, err)
	}
	rest := maps.Clone(want)
	for _, name := range files {
		f, err := record.Open(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		for s, err := range record.All[Session](f) {
			if err != nil {
				t.Fatal(err)
			}
			if w := rest[visit{s.User, s.Start}]; !reflect.DeepEqual(s, w) {
				t.Fatalf("session %+v, want %+v", s, w)
			}
			delete(rest, visit{s.User, s.Start})
		}
		f.Close()
	}
	if len(rest) > 0 {
		t.Errorf("%d of %d sessions are missing", len(rest), len(want))
	}
}

// TestSessions runs the pipeline in this process and on Flink. With the flag -clicks it
// can take long, and -v prints the times.
func TestSessions(t *testing.T) {
	input := filepath.Join(t.TempDir(), "clicks.rec")
	if err := generate(input, *clicks, 1); err != nil {
		t.Fatal(err)
	}
	want := expected(t, input)
	if len(want) < *clicks/20 {
		t.Fatalf("%d sessions of %d clicks", len(want), *clicks)
	}
	for _, r := range []struct {
		name    string
		execute func(*testing.T, *beam.Pipeline) (beam.PipelineResult, error)
	}{{"prism", onPrism}, {"Flink", onFlink}} {
		t.Run(r.name, func(t *testing.T) {
			dir := t.TempDir()
			p, s := beam.NewPipelineWithRoot()
			pipeline(s, input, filepath.Join(dir, "sessions.rec"), 3)
			result, err := r.execute(t, p)
			if err != nil {
				t.Fatal(err)
			}
			check(t, filepath.Join(dir, "sessions-*.rec"), want)
			if n, m := total(result, "sessions"), total(result, "clicks"); n != int64(len(want)) || m != int64(*clicks) {
				t.Errorf("counters say %d sessions of %d clicks, want %d of %d", n, m, len(want), *clicks)
			}
		})
	}
}

// timed runs a pipeline and logs the time, without that of starting a server.
func timed(t *testing.T, p *beam.Pipeline, run func(context.Context, *beam.Pipeline) (beam.PipelineResult, error)) (beam.PipelineResult, error) {
	begin := time.Now()
	result, err := run(context.Background(), p)
	t.Logf("%d clicks in %.1f s", *clicks, time.Since(begin).Seconds())
	return result, err
}

func onPrism(t *testing.T, p *beam.Pipeline) (beam.PipelineResult, error) {
	*jobopts.Endpoint, *jobopts.EnvironmentType = "", ""
	return timed(t, p, execute)
}

func onFlink(t *testing.T, p *beam.Pipeline) (beam.PipelineResult, error) {
	if testing.Short() {
		t.Skip("starts Flink")
	}
	if err := flinktest.Available(); err != nil {
		t.Skip(err)
	}
	server, err := flinktest.Start(2)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.Parallelism = server.Endpoint, "LOOPBACK", 2
	return timed(t, p, universal.Execute)
}

// TestGenerate requires that a seed determines the clicks.
func TestGenerate(t *testing.T) {
	dir := t.TempDir()
	var lists [3][]Click
	for i, seed := range []uint64{1, 1, 2} {
		path := filepath.Join(dir, string(rune('a'+i)))
		if err := generate(path, 1000, seed); err != nil {
			t.Fatal(err)
		}
		f, err := record.Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for c, err := range record.All[Click](f) {
			if err != nil {
				t.Fatal(err)
			}
			lists[i] = append(lists[i], c)
		}
		f.Close()
	}
	same := func(a, b []Click) bool {
		for i := range a {
			if len(a) != len(b) || a[i] != b[i] {
				return false
			}
		}
		return true
	}
	if len(lists[0]) != 1000 || !same(lists[0], lists[1]) || same(lists[0], lists[2]) {
		t.Error("the seed does not determine the clicks")
	}
	if err := generate(filepath.Join(dir, "a"), 1, 1); err == nil {
		t.Error("an existing file was replaced")
	}
}

// TestMakeInput checks that an existing input is used again.
func TestMakeInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in.rec")
	defer func(n int) { *clicks = n }(*clicks)
	*clicks = 10
	for range 2 {
		if err := makeInput(path); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := record.Open(path, nil); err != nil || f.Len() != 10 {
		t.Error(f, err)
	}
}

// TestHelp requires that the help names the runners and the flags of both.
func TestHelp(t *testing.T) {
	var b strings.Builder
	flag.CommandLine.SetOutput(&b)
	defer flag.CommandLine.SetOutput(os.Stderr)
	usage()
	for _, want := range []string{"prism", "Flink", "Spark", "Dataflow", "-shards number", "environment_type", "endpoint", "flinktest/serve"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the help does not have %q:\n%s", want, b.String())
		}
	}
}
