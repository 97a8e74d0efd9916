// The command measure prints tables about package beamio: how much faster a pipeline is
// with more workers, and what its coder costs beside those of Beam.
//
//	cd beamio && go run ./measure
//
// It takes minutes. Compare the figures of one run only with each other.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/octet-go/octet/beamio"
	"github.com/octet-go/octet/beamio/flinktest"
	"github.com/octet-go/octet/beamio/loopback"
	"github.com/octet-go/octet/record"
)

var (
	records = flag.Int("records", 2_000_000, "`number` of records")
	rounds  = flag.Int("rounds", 3, "`number` of times that everything is measured")
	tables  = flag.String("tables", "coders,prism", "`list` of what to measure: coders, block, and the workers on prism and flink")
)

func main() {
	registerTypes()
	beamio.RegisterFiles[int]()
	flag.Parse()
	for table := range strings.SplitSeq(*tables, ",") {
		if measure[table] == nil {
			log.Fatalf("-tables: %q is none of coders, block, prism, flink", table)
		}
	}
	beam.Init()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "measure")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	input := filepath.Join(dir, "events.rec")
	if err := writeInput(input); err != nil {
		return err
	}
	fmt.Printf("%d records, %d rounds, GOMAXPROCS=%d, %s\n\n", *records, *rounds, runtime.GOMAXPROCS(0), runtime.Version())
	for table := range strings.SplitSeq(*tables, ",") {
		if err := measure[table](input); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}

// measure has the functions that print the tables.
var measure = map[string]func(input string) error{
	"coders": measureCoders,
	"block":  measureBlock,
	"prism":  func(input string) error { return measureWorkers(input, "prism", execute) },
	"flink":  measureFlink,
}

func measureFlink(input string) error {
	server, err := flinktest.Start(1)
	if err != nil {
		return err
	}
	defer server.Stop()
	return measureWorkers(input, "Flink", func(p *beam.Pipeline, workers int) error {
		*jobopts.Endpoint, *jobopts.EnvironmentType, *jobopts.Parallelism = server.Endpoint, "LOOPBACK", workers
		_, err := universal.Execute(context.Background(), p)
		return err
	})
}

func writeInput(path string) error {
	w, err := record.Create(path, nil)
	if err != nil {
		return err
	}
	for i := range *records {
		if err := w.Write(event(i)); err != nil {
			return err
		}
	}
	return w.Close()
}

// execute runs a pipeline on prism in this process, with a number of processors.
func execute(p *beam.Pipeline, workers int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
	_, err := loopback.Execute(context.Background(), p)
	return err
}

// pipeline groups the records by user and counts them. The result is in a file.
func pipeline(v variant, input, output string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	groups := beam.GroupByKey(s, beam.ParDo(s, v.key, v.read(s, input)))
	beamio.Write(s, output, stats.Sum(s, beam.ParDo(s, v.count, groups)), nil)
	return p
}

// timed runs the pipeline and returns how long it takes, and the processor time of this
// process.
func timed(v variant, input string, workers int, run func(*beam.Pipeline, int) error) (elapsed, busy time.Duration, err error) {
	output := input + ".count"
	runtime.GC()
	begin, before := time.Now(), processorTime()
	err = run(pipeline(v, input, output), workers)
	elapsed, busy = time.Since(begin), processorTime()-before
	if err != nil {
		return 0, 0, err
	}
	f, err := record.Open(output, nil)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	if n, err := record.At[int](f, 0); err != nil || n != *records {
		return 0, 0, fmt.Errorf("the pipeline has counted %d records, want %d (%v)", n, *records, err)
	}
	return elapsed, busy, nil
}

// coderRounds is the number of times that coders are measured alone, which is quick.
const coderRounds = 12

// A series has the results of the rounds.
type series []float64

func (s series) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[len(sorted)/2]
}

// measureCoders prints what each coder costs, alone and in a pipeline.
func measureCoders(input string) error {
	list := variants()
	size := make([]float64, len(list))
	encode, decode, busy := make([]series, len(list)), make([]series, len(list)), make([]series, len(list))
	for round := range coderRounds + 1 {
		for k := range list {
			i := (round + k) % len(list) // what is measured before has an effect
			v := list[i]
			e, d, n, err := measureCoder(v)
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			if round > 0 { // the first one warms up
				encode[i], decode[i], size[i] = append(encode[i], e), append(decode[i], d), n
			}
		}
	}
	for round := range *rounds + 1 {
		for i, v := range list {
			if round == 0 && i > 0 {
				continue // one pipeline warms up
			}
			_, b, err := timed(v, input, runtime.GOMAXPROCS(0), execute)
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			if round > 0 {
				busy[i] = append(busy[i], b.Seconds())
			}
		}
	}
	fmt.Println("| coder | bytes shuffled | ratio | encode | ratio | decode | ratio | pipeline, processor time | ratio |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
	for i, v := range list {
		fmt.Printf("| %s | %.1f MB | %.2f | %.0f ns | %.2f | %.0f ns | %.2f | %.1f s | %.2f |\n", v.name,
			size[i]*float64(*records)/1e6, size[i]/size[0],
			encode[i].median(), encode[i].median()/encode[0].median(),
			decode[i].median(), decode[i].median()/decode[0].median(),
			busy[i].median(), busy[i].median()/busy[0].median())
	}
	return nil
}

// measureCoder returns the nanoseconds of processor time to encode and decode one value,
// and its bytes.
func measureCoder(v variant) (encode, decode, size float64, err error) {
	const n = 50_000
	values := make([]any, n)
	for i := range values {
		values[i] = v.sample(i)
	}
	enc, dec := beam.NewElementEncoder(v.typ), beam.NewElementDecoder(v.typ)
	var b bytes.Buffer
	b.Grow(n << 9) // so that its growth does not count
	clear(b.AvailableBuffer()[:n<<9])
	runtime.GC()
	begin := processorTime()
	for _, value := range values {
		if err := enc.Encode(value, &b); err != nil {
			return 0, 0, 0, err
		}
	}
	encode = float64(processorTime()-begin) / n
	size = float64(b.Len()) / n
	begin = processorTime()
	for range n {
		if _, err := dec.Decode(&b); err != nil {
			return 0, 0, 0, err
		}
	}
	return encode, float64(processorTime()-begin) / n, size, nil
}

// measureWorkers prints the time of a pipeline with one worker and with more.
func measureWorkers(input, runner string, run func(*beam.Pipeline, int) error) error {
	v := variants()[0]
	counts := []int{1}
	for n := 2; n <= runtime.NumCPU(); n *= 2 {
		counts = append(counts, n)
	}
	results := make([]series, len(counts))
	for range *rounds {
		for i, workers := range counts {
			elapsed, _, err := timed(v, input, workers, run)
			if err != nil {
				return fmt.Errorf("%s, %d workers: %w", runner, workers, err)
			}
			results[i] = append(results[i], elapsed.Seconds())
		}
	}
	fmt.Printf("| %s | time | speed-up | of the rounds |\n|---|---:|---:|---|\n", runner)
	for i, workers := range counts {
		low, high := math.Inf(1), 0.0
		for k := range results[i] {
			ratio := results[0][k] / results[i][k]
			low, high = min(low, ratio), max(high, ratio)
		}
		fmt.Printf("| workers: %d | %.1f s | %.2f | %.2f to %.2f |\n", workers, results[i].median(), results[0].median()/results[i].median(), low, high)
	}
	return nil
}
