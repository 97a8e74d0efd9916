package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/octet-go/octet/record"
)

// openExample opens the file that exampleFile makes. The file is removed by remove.
func openExample() (f *record.File, remove func()) {
	path := exampleFile()
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	return f, func() {
		f.Close()
		os.RemoveAll(filepath.Dir(path))
	}
}

// exampleStream returns the bytes of a file with the records 1 and "two".
func exampleStream() []byte {
	var buf bytes.Buffer
	w, err := record.NewWriter(&buf, &record.Options{Metadata: map[string]any{"source": "web"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(w.Write(1), w.Write("two"), w.Close()); err != nil {
		log.Fatal(err)
	}
	return buf.Bytes()
}

func ExampleAll() {
	f, remove := openExample()
	defer remove()
	for c, err := range record.All[Click](f) {
		fmt.Println(c, err)
	}
	// Output:
	// {ada /} <nil>
	// {bob /} <nil>
	// {ada /help} <nil>
}

func ExampleNewFile() {
	data := exampleStream() // or an object of a remote store
	f, err := record.NewFile(bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(record.At[string](f, 1))
	// Output: two <nil>
}

func ExampleFile_Close() {
	f, remove := openExample()
	defer remove()
	fmt.Println(f.Close())
	for _, err := range record.All[Click](f) {
		fmt.Println(errors.Is(err, fs.ErrClosed))
	}
	// Output:
	// <nil>
	// true
}

func ExampleFile_Len() {
	f, remove := openExample()
	defer remove()
	fmt.Println(f.Len())
	// Output: 3
}

func ExampleFile_Metadata() {
	f, remove := openExample()
	defer remove()
	fmt.Println(f.Metadata())
	// Output: map[source:web]
}

func ExampleFile_Range() {
	f, remove := openExample()
	defer remove()
	records := 0
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			log.Fatal(err)
		}
		records += b.Records
	}
	fmt.Println(records)
	// Output: 3
}

func ExampleFile_Split() {
	f, remove := openExample()
	defer remove()
	for _, r := range f.Split(2) { // one range, because the file has one block
		for c, err := range record.In[Click](f, r) {
			fmt.Println(c, err)
		}
	}
	// Output:
	// {ada /} <nil>
	// {bob /} <nil>
	// {ada /help} <nil>
}

func ExampleBlock_Range() {
	f, remove := openExample()
	defer remove()
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			log.Fatal(err)
		}
		for c, err := range record.In[Click](f, b.Range()) { // the records of this block
			fmt.Println(c, err)
		}
	}
	// Output:
	// {ada /} <nil>
	// {bob /} <nil>
	// {ada /help} <nil>
}

func ExampleReport_String() {
	report := record.Report{Records: 12, Blocks: 2, Torn: 40}
	fmt.Println(report.String())
	// Output: 12 records in 2 blocks, 40 bytes torn
}

func ExampleNewScanner() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil) // or os.Stdin
	records := 0
	for s.Scan() {
		records++
	}
	fmt.Println(records, s.Err())
	// Output: 2 <nil>
}

func ExampleScanner_Scan() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil)
	fmt.Println(s.Scan(), s.Scan(), s.Scan())
	// Output: true true false
}

func ExampleScanner_Decode() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil)
	for s.Scan() {
		var n int
		err := s.Decode(&n)
		fmt.Println(n, err == nil) // the second record is a string
	}
	// Output:
	// 1 true
	// 0 false
}

func ExampleScanner_Err() {
	data := exampleStream()
	data[len(data)/2] ^= 1 // damage
	s := record.NewScanner(bytes.NewReader(data), nil)
	for s.Scan() {
	}
	fmt.Println(errors.Is(s.Err(), record.ErrCorrupt))
	// Output: true
}

func ExampleScanner_Metadata() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil)
	s.Scan()
	fmt.Println(s.Metadata())
	// Output: map[source:web]
}

func ExampleScanner_Ordinal() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil)
	for s.Scan() {
		fmt.Println(s.Ordinal())
	}
	// Output:
	// 0
	// 1
}

func ExampleScanner_Raw() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil)
	for s.Scan() {
		fmt.Printf("% x\n", s.Raw())
	}
	// Output:
	// 01
	// a3 74 77 6f
}

func ExampleScanner_Report() {
	s := record.NewScanner(bytes.NewReader(exampleStream()), nil)
	for s.Scan() {
	}
	fmt.Println(s.Report())
	// Output: 2 records in 1 block
}

func ExampleWriter_Write() {
	w, err := record.NewWriter(new(bytes.Buffer), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Write(Click{"ada", "/"}))
	fmt.Println(w.Write(make(chan int)))
	fmt.Println(w.Len())
	// Output:
	// <nil>
	// msgpack: marshal: found chan int: unsupported type
	// 1
}

func ExampleWriter_Len() {
	w, err := record.NewWriter(new(bytes.Buffer), nil)
	if err != nil {
		log.Fatal(err)
	}
	w.Write("one")
	fmt.Println(w.Len()) // the record is counted before it reaches the destination
	// Output: 1
}

func ExampleWriter_Report() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "clicks.rec")
	torn := exampleStream()[:150] // as a crash leaves it
	if err := os.WriteFile(path, torn, 0o666); err != nil {
		log.Fatal(err)
	}
	w, err := record.Append(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	r := w.Report()
	fmt.Println(r.Records, "records,", r.Torn, "bytes in", filepath.Base(r.Aside))
	// Output: 0 records, 64 bytes in clicks.rec.torn-86
}

func ExampleWriter_Close() {
	w, err := record.NewWriter(new(bytes.Buffer), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Close())
	fmt.Println(w.Write("too late"))
	// Output:
	// <nil>
	// record: Writer: already closed
}

func ExampleError_Error() {
	_, err := record.NewFile(bytes.NewReader([]byte("{}")), 2, nil)
	fmt.Println(err)
	// Output: record: no file header at offset 0: unknown format
}

func ExampleError_Unwrap() {
	f, remove := openExample()
	defer remove()
	_, err := record.At[Click](f, 9)
	fmt.Println(errors.Unwrap(err) == record.ErrNotFound)
	// Output: true
}
