package beamio_test

// These examples run pipelines by package loopback, which needs Linux.

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // opens paths without a scheme
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"

	"github.com/octet-go/octet/beamio"
	"github.com/octet-go/octet/beamio/loopback"
	"github.com/octet-go/octet/record"
)

func ExampleRegisterFiles() {
	if !beam.Initialized() { // TestMain has done this in the tests
		beamio.RegisterFiles[string]()
		beam.Init()
	}
	dir, err := os.MkdirTemp("", "beamio")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "names.rec")
	p, s := beam.NewPipelineWithRoot()
	beamio.Write(s, path, beam.Create(s, "ada"), nil)
	if _, err := loopback.Execute(context.Background(), p); err != nil {
		log.Fatal(err)
	}
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(record.At[string](f, 0))
	// Output: ada <nil>
}

func ExampleRead() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	p, s := beam.NewPipelineWithRoot()
	pages := beamio.Read[Page](s, path, nil)
	number := stats.CountElms(s, pages)
	beamio.Write(s, path+".count", beam.ParDo(s, describe, number), nil)
	if _, err := loopback.Execute(context.Background(), p); err != nil {
		log.Fatal(err)
	}
	f, err := record.Open(path+".count", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for line, err := range record.All[string](f) {
		fmt.Println(line, err)
	}
	// Output: 2 pages <nil>
}

func ExampleReadAll() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	p, s := beam.NewPipelineWithRoot()
	patterns := beam.Create(s, path, filepath.Dir(path)+"/*.rec") // the same file twice
	pages := beamio.ReadAll[Page](s, patterns, nil)
	beamio.Write(s, path+".count", beam.ParDo(s, describe, stats.CountElms(s, pages)), nil)
	if _, err := loopback.Execute(context.Background(), p); err != nil {
		log.Fatal(err)
	}
	f, err := record.Open(path+".count", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(record.At[string](f, 0))
	// Output: 4 pages <nil>
}

func ExampleWrite() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	p, s := beam.NewPipelineWithRoot()
	pages := beamio.Read[Page](s, path, nil)
	beamio.Write(s, filepath.Join(filepath.Dir(path), "out.rec"), pages, &beamio.Options{Shards: 2, Compress: true})
	if _, err := loopback.Execute(context.Background(), p); err != nil {
		log.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "out*"))
	for _, name := range files {
		fmt.Println(filepath.Base(name), err)
	}
	// Output:
	// out-00000-of-00002.rec <nil>
	// out-00001-of-00002.rec <nil>
}
