// The command simulate shows what package beamio does with 10 TB in an object store, on
// ten to thousands of workers, without any of them.
//
//	cd beamio/simulate && go run .
//
// It writes the figures and the chart of docs/beam.md. The ranges of the files, what a
// worker reads of a range, and what happens when the runner divides it is the code of
// beamio, see package beamio/internal/split. The store, the workers and the time are
// simulated: flags say what is assumed. The results of equal flags are equal.
//
// Of the blocks of a file, only the headers exist. What a block costs is what the table
// block of beamio/measure says.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The figures of docs/beam.md are between these marks.
const (
	pageBegin = "<!-- simulation:begin -->\n"
	pageEnd   = "<!-- simulation:end -->\n"
)

var (
	objects    = flag.Int("objects", 2000, "`number` of objects")
	size       = flag.Float64("size", 10e12, "`bytes` of all objects")
	blockSize  = flag.Int64("block", 262_000, "`bytes` of a block in a file")
	blockTime  = flag.Duration("block-time", 810*time.Microsecond, "processor `time` to read a block")
	latency    = flag.Duration("latency", 150*time.Millisecond, "`time` until the first byte of an answer")
	throughput = flag.Float64("throughput", 85e6, "`bytes` per second of a request")
	getRate    = flag.Float64("rate", 5500, "`requests` per second that read, of all workers")
	readAhead  = flag.Int64("read-ahead", 8<<20, "`bytes` of a request")
	splitSize  = flag.Int64("split-size", 64<<20, "`bytes` of a range")
	slow       = flag.Float64("stragglers", 0.01, "`part` of the workers that are slow")
	slowdown   = flag.Float64("slowdown", 5, "`factor` by which everything takes them longer")
	reaction   = flag.Duration("reaction", 2*time.Second, "`time` until the runner divides a range for a worker without work")
	page       = flag.String("page", filepath.Join("..", "..", "docs", "beam.md"), "`file` to write the figures into, or - to print them")
)

func main() {
	flag.Parse()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	s, err := newStudy(machinery{
		Latency: latency.Seconds(), Throughput: *throughput, GetRate: *getRate, ReadAhead: *readAhead,
		BlockTime: blockTime.Seconds(), Slow: *slow, Slowdown: *slowdown, Reaction: reaction.Seconds(),
	}, *objects, *size, *blockSize, *splitSize)
	if err != nil {
		return err
	}
	results := s.run([]int{10, 100, 1000, 3000, 10_000})
	text := s.markdown(results)
	if *page == "-" {
		fmt.Print(text)
		return nil
	}
	old, err := os.ReadFile(*page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), pageBegin)
	_, after, ok2 := strings.Cut(rest, pageEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no marks for the figures", *page)
	}
	var chart bytes.Buffer
	if err := s.chart(&chart, results); err != nil {
		return err
	}
	folder := strings.TrimSuffix(*page, ".md")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, chartFile), chart.Bytes(), 0o666); err != nil {
		return err
	}
	return os.WriteFile(*page, []byte(before+pageBegin+text+pageEnd+after), 0o666)
}
