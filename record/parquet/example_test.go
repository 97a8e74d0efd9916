package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/parquet"
)

type click struct {
	User string    `msgpack:"user"`
	At   time.Time `msgpack:"at"`
	Tags []string  `msgpack:"tags"`
}

func ExampleExport() {
	clicks, err := schema.Of[click](nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // usually a file
	w, err := record.NewWriter(&file, &record.Options{Schema: clicks})
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		if err := w.Write(&click{User: "ada", At: time.Unix(1700000000, 0)}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	var columns bytes.Buffer
	report, err := parquet.Export(&columns, &file, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Rows, "rows of", report.Columns, "columns, lost:", report.LostValues())
	// Output: 3 rows of 3 columns, lost: 0
}

// The schema that a program knows says which columns there are. What fits none of them is
// in the report.
func ExampleExport_lost() {
	clicks, err := schema.Of[click](nil)
	if err != nil {
		log.Fatal(err)
	}
	lines := strings.NewReader(`{"user":"ada","tags":["a"]}
{"user":17,"tags":[]}
{"user":"bob","color":"red"}`)
	report, err := parquet.Export(new(bytes.Buffer), lines, &parquet.Options{Format: parquet.JSON, Schema: clicks})
	if err != nil {
		log.Fatal(err)
	}
	for _, loss := range report.Lost {
		fmt.Println(loss)
	}
	// Output:
	// color: there is no column for this key: 1 value, first in record 2
	// user: int does not fit str: 1 value, first in record 1
}

func ExampleInferSchema() {
	lines := strings.NewReader(`{"user":"ada","clicks":3}
{"user":"bob","clicks":2.5}`)
	s, err := parquet.InferSchema(lines, &parquet.Options{Format: parquet.JSON})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range s.Root.Type.Fields {
		fmt.Println(f.Name, f.Type.Kind, f.Type.Bits)
	}
	// Output:
	// user str 0
	// clicks float 64
}

func ExampleReport_LostValues() {
	r := parquet.Report{Lost: []parquet.Loss{{Path: "a", Count: 2}, {Path: "b", Count: 1}}}
	fmt.Println(r.LostValues())
	// Output: 3
}

func ExampleLoss_String() {
	fmt.Println(parquet.Loss{Path: "user.age", Reason: "str does not fit int of 32 bits", Count: 3, First: 17})
	// Output: user.age: str does not fit int of 32 bits: 3 values, first in record 17
}

func ExampleFormat_String() {
	fmt.Println(parquet.Record, parquet.MessagePack, parquet.JSON)
	// Output: record msgpack json
}

func ExampleCompression_String() {
	fmt.Println(parquet.Snappy, parquet.Zstd, parquet.Gzip, parquet.Uncompressed)
	// Output: snappy zstd gzip none
}

func ExampleError() {
	in := strings.NewReader("\x81\xa1a\x01" + "\x81\xa1a") // the second record is cut
	_, err := parquet.Export(io.Discard, in, &parquet.Options{Format: parquet.MessagePack})
	if e, ok := errors.AsType[*parquet.Error](err); ok {
		fmt.Println(e.Offset, e)
	}
	// Output: 4 parquet: record at offset 4: msgpack: truncated input
}

func ExampleError_Unwrap() {
	err := &parquet.Error{Record: 17, Offset: 4096, Err: parquet.ErrLimit}
	fmt.Println(errors.Is(err, parquet.ErrLimit))
	// Output: true
}

func ExampleError_Error() {
	fmt.Println(&parquet.Error{Record: 17, Offset: 4096, Err: parquet.ErrLimit})
	// Output: parquet: record 17 at offset 4096: record exceeds a limit
}
