// The command beam finds the sessions of users in files of clicks, with Apache Beam. See
// its help: go run . --help
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/octet-go/octet/beamio/loopback"
)

const help = `Usage: beam [flags]

Reads files of clicks, finds the sessions of each user, and writes them to record files.
Without --input it first creates a file of clicks in the folder for temporary files.

Where it runs:

  In this process, on all cores (the runner prism):
    go run . --output /tmp/sessions.rec

  Other runners run the same program with other flags. Input and output must be in a
  place that all workers can access, such as gs://bucket/clicks-*.rec.

  Flink or Spark, through their Beam job server, such as the container
  apache/beam_flink1.19_job_server or apache/beam_spark3_job_server:
    go build -o sessions . && ./sessions --runner universal --endpoint localhost:8099 \
      --environment_type DOCKER --parallelism 8 --input … --output …
    With --environment_type LOOPBACK, the workers are in this process, which is useful
    for a first try. The command beamio/flinktest/serve runs a Flink for that, without
    containers.

  Dataflow:
    ./sessions --runner dataflow --project ID --region europe-west1 \
      --staging_location gs://bucket/staging --input gs://… --output gs://…

Flags of this program:
`

var (
	input  = flag.String("input", "", "`pattern` of the files of clicks")
	output = flag.String("output", "sessions.rec", "`path` of the result")
	shards = flag.Int("shards", 4, "`number` of files of the result")
	clicks = flag.Int("clicks", 5_000_000, "`number` of clicks to create if there is no --input")
	seed   = flag.Uint64("seed", 1, "`number` that determines these clicks")
)

func main() {
	registerTypes()
	flag.Usage = usage
	flag.Parse()
	beam.Init() // on the workers of other machines, this is where main ends
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

// usage prints the flags of this program, and the names of those of Beam.
func usage() {
	fmt.Fprint(flag.CommandLine.Output(), help)
	own := flag.NewFlagSet("", flag.ContinueOnError)
	own.SetOutput(flag.CommandLine.Output())
	var others []string
	flag.VisitAll(func(f *flag.Flag) {
		switch f.Name {
		case "input", "output", "shards", "clicks", "seed":
			own.Var(f.Value, f.Name, f.Usage)
		default:
			others = append(others, f.Name)
		}
	})
	own.PrintDefaults()
	fmt.Fprintf(flag.CommandLine.Output(), "\nFlags of Beam: %s\n", strings.Join(others, ", "))
}

func run(ctx context.Context) error {
	if *input == "" {
		*input = filepath.Join(os.TempDir(), fmt.Sprintf("clicks-%d-%d.rec", *clicks, *seed))
		err := makeInput(*input)
		if err != nil {
			return err
		}
	}
	p, s := beam.NewPipelineWithRoot()
	pipeline(s, *input, *output, *shards)
	begin := time.Now()
	result, err := execute(ctx, p)
	if err != nil {
		return err
	}
	fmt.Printf("%d sessions of %d clicks in %.1f s\n", total(result, "sessions"), total(result, "clicks"), time.Since(begin).Seconds())
	return nil
}

// execute runs the pipeline on the runner that the flags choose. Prism listens on loopback
// only, on systems that allow it.
func execute(ctx context.Context, p *beam.Pipeline) (beam.PipelineResult, error) {
	runner := flag.Lookup("runner").Value.String()
	if (runner == "" || runner == "prism") && *jobopts.Endpoint == "" {
		result, err := loopback.Execute(ctx, p)
		if !errors.Is(err, errors.ErrUnsupported) {
			return result, err
		}
	}
	return beamx.RunWithMetrics(ctx, p)
}

// total returns the value of a counter. Some runners report only the value of all
// attempts, and not that of the committed ones.
func total(result beam.PipelineResult, name string) (n int64) {
	if result == nil {
		return 0 // it was started with --async
	}
	named := result.Metrics().Query(func(r beam.MetricResult) bool { return r.Name() == name })
	for _, c := range named.Counters() {
		n += max(c.Committed, c.Attempted)
	}
	return n
}

// makeInput creates a file of clicks, unless an earlier run has created it.
func makeInput(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fmt.Printf("creating %s\n", path)
	part := path + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := generate(part, *clicks, *seed); err != nil {
		return err
	}
	return os.Rename(part, path)
}
