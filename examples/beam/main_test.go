package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/octet-go/octet/beamio/flinktest"
	"github.com/octet-go/octet/record"
)

func TestMain(m *testing.M) {
	registerTypes()
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// expected finds the sessions with loops and maps only.
func expected(t *testing.T, input string) (sessions, clicks int) {
	f, err := record.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	last := map[uint32]int64{}
	for c, err := range record.All[Click](f) { // the clicks of each user are in order
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := last[c.User]; !ok || c.Time-before >= gap {
			sessions++
		}
		last[c.User] = c.Time
		clicks++
	}
	return sessions, clicks
}

// check reads the result and compares it.
func check(t *testing.T, output string, sessions, clicks int) {
	files, err := filepath.Glob(output)
	if err != nil || len(files) != 3 {
		t.Fatalf("files %q, %v", files, err)
	}
	gotSessions, gotClicks := 0, 0
	for _, name := range files {
		f, err := record.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for s, err := range record.All[Session](f) {
			if err != nil {
				t.Fatal(err)
			}
			gotSessions++
			n := 0
			for _, count := range s.Pages {
				n += int(count)
			}
			if gotClicks += n; n == 0 || s.Seconds < 0 || s.Seconds > int64(n)*gap || s.Start < start {
				t.Errorf("session %+v", s)
			}
		}
		f.Close()
	}
	if gotSessions != sessions || gotClicks != clicks {
		t.Errorf("%d sessions of %d clicks, want %d of %d", gotSessions, gotClicks, sessions, clicks)
	}
}

// TestSessions runs the pipeline in this process and on Flink.
func TestSessions(t *testing.T) {
	input := filepath.Join(t.TempDir(), "clicks.rec")
	if err := generate(input, 20_000, 1); err != nil {
		t.Fatal(err)
	}
	sessions, clicks := expected(t, input)
	if sessions < 1000 || clicks != 20_000 {
		t.Fatalf("%d sessions of %d clicks", sessions, clicks)
	}
	for name, execute := range map[string]func(*testing.T, *beam.Pipeline) (beam.PipelineResult, error){"prism": onPrism, "Flink": onFlink} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			p, s := beam.NewPipelineWithRoot()
			pipeline(s, input, filepath.Join(dir, "sessions.rec"), 3)
			result, err := execute(t, p)
			if err != nil {
				t.Fatal(err)
			}
			check(t, filepath.Join(dir, "sessions-*.rec"), sessions, clicks)
			if n, m := total(result, "sessions"), total(result, "clicks"); n != int64(sessions) || m != int64(clicks) {
				t.Errorf("counters say %d sessions of %d clicks, want %d of %d", n, m, sessions, clicks)
			}
		})
	}
}

func onPrism(_ *testing.T, p *beam.Pipeline) (beam.PipelineResult, error) {
	*jobopts.Endpoint, *jobopts.EnvironmentType = "", ""
	return prism.Execute(context.Background(), p)
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
	return universal.Execute(context.Background(), p)
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
		f, err := record.Open(path)
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
	*clicks = 10
	for range 2 {
		if err := makeInput(path); err != nil {
			t.Fatal(err)
		}
	}
	if f, err := record.Open(path); err != nil || f.Len() != 10 {
		t.Error(f, err)
	}
}

// TestHelp requires that the help names the runners and the flags of both.
func TestHelp(t *testing.T) {
	var b strings.Builder
	flag.CommandLine.SetOutput(&b)
	defer flag.CommandLine.SetOutput(os.Stderr)
	usage()
	for _, want := range []string{"prism", "Flink", "Spark", "Dataflow", "-shards number", "environment_type", "endpoint"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the help does not have %q:\n%s", want, b.String())
		}
	}
}
