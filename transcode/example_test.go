package transcode_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/octet-go/octet/transcode"
)

func ExampleAppendMsgpack() {
	b, err := transcode.AppendMsgpack(nil, []byte(`{"id": 42, "tags": ["a", "b"]}`), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("% x\n", b)
	// Output: 82 a2 69 64 2a a4 74 61 67 73 92 a1 61 a1 62
}

func ExampleAppendMsgpackValues() {
	b, err := transcode.AppendMsgpackValues(nil, []byte("1\n[2]\n{}\n"), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("% x\n", b)
	// Output: 01 91 02 80
}

func ExampleAppendJSON() {
	msgpack := []byte{0x82, 0xa2, 'i', 'd', 0x2a, 0x01, 0xc4, 0x02, 0x01, 0x02} // {"id": 42, 1: bin 01 02}
	plain, err := transcode.AppendJSON(nil, msgpack, nil)
	if err != nil {
		log.Fatal(err)
	}
	exact, err := transcode.AppendJSON(nil, msgpack, &transcode.Options{Reversible: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n%s\n", plain, exact)
	// Output:
	// {"id":42,"1":"AQI="}
	// {"$map":[["id",42],[1,{"$bin":"AQI="}]]}
}

func ExampleAppendJSONValues() {
	b, err := transcode.AppendJSONValues(nil, []byte{0x01, 0x91, 0x02, 0x80}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", b)
	// Output:
	// 1
	// [2]
	// {}
}

func ExampleToMsgpack() {
	in := strings.NewReader(`{"level":"info"}` + "\n" + `{"level":"warn"}` + "\n")
	var out strings.Builder
	stats, err := transcode.ToMsgpack(&out, in, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", out.String())
	fmt.Printf("%d values, %d bytes in, %d out\n", stats.Values, stats.BytesIn, stats.BytesOut)
	// Output:
	// "\x81\xa5level\xa4info\x81\xa5level\xa4warn"
	// 2 values, 34 bytes in, 24 out
}

// A counter counts the bytes that are read.
type counter struct {
	io.Reader
	n int
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

func ExampleToJSON() {
	in := &counter{Reader: strings.NewReader("\x81\xa1a\x92\x01\xc0")}
	_, err := transcode.ToJSON(os.Stdout, in, &transcode.Options{Indent: "  "})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(in.n, "bytes read")
	// Output:
	// {
	//   "a": [
	//     1,
	//     null
	//   ]
	// }
	// 6 bytes read
}

func ExampleError() {
	_, err := transcode.AppendMsgpackValues(nil, []byte(`{"users":[]} {"users":[{"name":"x","name":"y"}]}`), nil)
	if e, ok := errors.AsType[*transcode.Error](err); ok {
		fmt.Println("offset", e.Offset, "in value", e.Value, "at", e.Path)
	}
	// Output: offset 35 in value 1 at .users[0]
}

func ExampleError_Error() {
	_, err := transcode.AppendMsgpack(nil, []byte(`{"total": 1e999}`), nil)
	fmt.Println(err)
	// Output: transcode: value 0, offset 10 (line 1, column 11), at .total: number cannot be represented: found 1e999, want a number that float 64 can hold
}

func ExampleError_Unwrap() {
	_, err := transcode.AppendJSON(nil, []byte{0x92, 0x01}, nil)
	fmt.Println(errors.Is(err, transcode.ErrTruncated))
	// Output: true
}

func ExampleAppendStep() {
	path := transcode.AppendStep([]byte("[0]"), "users")
	fmt.Printf("%s\n", transcode.AppendStep(path, "first name"))
	// Output: [0].users["first name"]
}

func ExampleError_Is() {
	_, err := transcode.AppendMsgpack(nil, []byte(" \n"), nil)
	fmt.Println(errors.Is(err, io.EOF))
	_, err = transcode.AppendMsgpack(nil, []byte("[1,"), nil)
	fmt.Println(errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF))
	// Output:
	// true
	// false true
}

func ExampleChanged_Total() {
	msgpack := []byte{0x92, 0xc4, 0x01, 0xff, 0xd6, 0xff, 0, 0, 0, 1} // an array of a bin and a timestamp
	stats, err := transcode.ToJSON(os.Stdout, bytes.NewReader(msgpack), nil)
	fmt.Println(stats.Changed.Total(), stats.Changed.Bins, err)
	// Output:
	// ["/w==","1970-01-01T00:00:01Z"]
	// 2 1 <nil>
}

func ExampleChanged_Add() {
	sum := transcode.Changed{Bins: 1}
	sum.Add(transcode.Changed{Bins: 2, Exts: 1})
	fmt.Println(sum.Bins, sum.Exts, sum.Total())
	// Output: 3 1 4
}

func ExampleJSONSplitter_Next() {
	var s transcode.JSONSplitter
	var value []byte
	for _, read := range []string{`{"a":[1,`, `2]} 42 "}`, `"[]`} {
		for chunk := []byte(read); len(chunk) > 0; {
			n, whole, err := s.Next(chunk)
			if err != nil {
				log.Fatal(err)
			}
			value = append(value, chunk[:n]...)
			chunk = chunk[n:]
			if whole {
				fmt.Printf("%s\n", bytes.TrimSpace(value))
				value = value[:0]
			}
		}
	}
	// Output:
	// {"a":[1,2]}
	// 42
	// "}"
	// []
}

// A program that works on many values at a time needs only the end of the last one.
func ExampleJSONSplitter_Last() {
	var s transcode.JSONSplitter
	chunk := []byte(`{"a":1} [2] {"b":`)
	end, _, err := s.Last(chunk)
	fmt.Printf("%q, then %q, %v\n", chunk[:end], chunk[end:], err)
	// Output: "{\"a\":1} [2] ", then "{\"b\":", <nil>
}
