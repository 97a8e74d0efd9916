package zstd_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

func Example() {
	c, err := zstd.New(zstd.Default)
	if err != nil {
		log.Fatal(err)
	}
	o := record.Options{Compressor: c, Decompressor: c}
	var buf bytes.Buffer
	w, err := record.NewWriter(&buf, &o)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10_000 {
		if err := w.Write(map[string]int{"number": i}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := record.NewFile(bytes.NewReader(buf.Bytes()), int64(buf.Len()), &o)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(record.At[map[string]int](f, 4711))
	report, err := f.Report()
	fmt.Println(report.Size < report.Raw/4, err)
	// Output:
	// map[number:4711] <nil>
	// true <nil>
}

func ExampleNew() {
	fast, err := zstd.New(zstd.Fastest)
	if err != nil {
		log.Fatal(err)
	}
	best, err := zstd.New(zstd.Best)
	if err != nil {
		log.Fatal(err)
	}
	content := bytes.Repeat([]byte("content "), 100)
	frame, err := fast.Compress(nil, content)
	if err != nil {
		log.Fatal(err)
	}
	got, err := best.Decompress(make([]byte, 0, len(content)), frame)
	fmt.Println(bytes.Equal(got, content), err)
	// Output: true <nil>
}

func ExampleCodec_Compress() {
	c, err := zstd.New(zstd.Default)
	if err != nil {
		log.Fatal(err)
	}
	frame, err := c.Compress(nil, []byte("content"))
	fmt.Printf("% x %v\n", frame[:4], err)
	// Output: 28 b5 2f fd <nil>
}

func ExampleCodec_Decompress() {
	c, err := zstd.New(zstd.Default)
	if err != nil {
		log.Fatal(err)
	}
	frame, err := c.Compress(nil, []byte("content"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Decompress(make([]byte, 0, 3), frame)
	fmt.Println(err != nil) // there is no room for 7 bytes
	// Output: true
}
