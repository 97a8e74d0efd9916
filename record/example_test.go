package record_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
)

type Click struct {
	User string `msgpack:"user"`
	Page string `msgpack:"page"`
}

// exampleFile makes a file of three records and returns its path.
func exampleFile() string {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(dir, "clicks.rec")
	w, err := record.Create(path, &record.Options{Metadata: map[string]any{"source": "web"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range []Click{{"ada", "/"}, {"bob", "/"}, {"ada", "/help"}} {
		if err := w.Write(&c); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return path
}

func Example() {
	path := filepath.Join(os.TempDir(), "example.rec")
	defer os.Remove(path)
	w, err := record.Create(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, page := range []string{"/", "/help"} {
		if err := w.Write(&Click{"ada", page}); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for c, err := range record.All[Click](f) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(c.User, c.Page)
	}
	// Output:
	// ada /
	// ada /help
}

func ExampleCreate() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	_, err := record.Create(path, nil)
	fmt.Println(errors.Is(err, fs.ErrExist))
	// Output: true
}

func ExampleAppend() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	w, err := record.Append(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	w.Write(Click{"eve", "/"})
	fmt.Println(w.Len(), w.Close())
	// Output: 4 <nil>
}

func ExampleNewWriter() {
	var buf bytes.Buffer
	w, err := record.NewWriter(&buf, nil)
	if err != nil {
		log.Fatal(err)
	}
	w.Write("one")
	w.Write(2)
	fmt.Println(w.Close())

	s := record.NewScanner(&buf, nil)
	for s.Scan() {
		fmt.Printf("% x\n", s.Raw())
	}
	// Output:
	// <nil>
	// a3 6f 6e 65
	// 02
}

func ExampleWriter_WriteRaw() {
	w, err := record.NewWriter(new(bytes.Buffer), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.WriteRaw(msgpack.Raw{0x93, 1, 2, 3}))
	fmt.Println(w.WriteRaw(msgpack.Raw{1, 2}))
	// Output:
	// <nil>
	// record: argument of WriteRaw: not a single valid MessagePack value
}

func ExampleWriter_Flush() {
	var buf bytes.Buffer
	w, err := record.NewWriter(&buf, nil)
	if err != nil {
		log.Fatal(err)
	}
	w.Write("now")
	w.Flush() // without it, the record would wait for more

	f, err := record.NewFile(bytes.NewReader(buf.Bytes()), int64(buf.Len()), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Len())
	// Output: 1
}

func ExampleWriter_Sync() {
	w, err := record.NewWriter(new(bytes.Buffer), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Sync()) // a file would be synced
	// Output: record: Sync: the destination cannot sync
}

func ExampleWriter_Copy() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	var joined bytes.Buffer
	w, err := record.NewWriter(&joined, nil)
	if err != nil {
		log.Fatal(err)
	}
	for range 2 {
		f, err := record.Open(path, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(w.Copy(f, f.Range()))
		f.Close()
	}
	fmt.Println(w.Len())
	// Output:
	// 3 <nil>
	// 3 <nil>
	// 6
}

func ExampleWriteSlice() {
	w, err := record.NewWriter(new(bytes.Buffer), nil)
	if err != nil {
		log.Fatal(err)
	}
	err = record.WriteSlice(w, []Click{{"ada", "/"}, {"bob", "/"}})
	fmt.Println(w.Len(), err)
	// Output: 2 <nil>
}

func ExampleOpen() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Len(), f.Metadata())
	// Output: 3 map[source:web]
}

func ExampleFile_Report() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	os.Truncate(path, 200) // as a crash would
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	report, err := f.Report()
	fmt.Println(report, err)
	// Output: 0 records in 0 blocks, 114 bytes torn <nil>
}

func ExampleFile_Refresh() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	w, err := record.Append(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	w.Write(Click{"eve", "/"})
	w.Flush()
	fmt.Println(f.Len())
	fmt.Println(f.Refresh(), f.Len())
	w.Close()
	// Output:
	// 3
	// <nil> 4
}

func ExampleFile_Blocks() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for b, err := range f.Blocks(f.Range()) {
		fmt.Println(b.Records, "records of", b.Raw, "bytes", err)
		for c, err := range record.In[Click](f, b.Range()) {
			fmt.Println(c, err)
		}
	}
	// Output:
	// 3 records of 55 bytes <nil>
	// {ada /} <nil>
	// {bob /} <nil>
	// {ada /help} <nil>
}

func ExampleInBlock() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			log.Fatal(err)
		}
		if b.Offset%2 == 1 {
			continue // another program reads these
		}
		for c, err := range record.InBlock[Click](f, b) {
			fmt.Println(c, err)
		}
	}
	// Output:
	// {ada /} <nil>
	// {bob /} <nil>
	// {ada /help} <nil>
}

func ExampleAt() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(record.At[Click](f, 2))
	_, err = record.At[Click](f, 3)
	fmt.Println(errors.Is(err, record.ErrNotFound))
	// Output:
	// {ada /help} <nil>
	// true
}

func ExampleIn() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	for _, r := range f.Split(4) { // each could go to another machine
		for c, err := range record.In[Click](f, r) {
			fmt.Println(c, err)
		}
	}
	// Output:
	// {ada /} <nil>
	// {bob /} <nil>
	// {ada /help} <nil>
}

func ExampleParallel() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	var ada atomic.Int64
	err := record.Parallel(context.Background(), []string{path, path}, 4, func(_ context.Context, f *record.File, r record.Range) error {
		for c, err := range record.In[Click](f, r) {
			if err != nil {
				return err
			}
			if c.User == "ada" {
				ada.Add(1)
			}
		}
		return nil
	}, nil)
	fmt.Println(ada.Load(), err)
	// Output: 4 <nil>
}

func ExampleRecover() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		log.Fatal(err)
	}
	file.WriteAt([]byte("???"), 150)
	file.Close()

	report, err := record.Recover(path, path+".whole", nil)
	fmt.Println(report, err)
	// Output: 0 records in 0 blocks, 1 damaged place, 3 records lost <nil>
}

func ExampleScanner() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	s := record.NewScanner(file, nil)
	for s.Scan() {
		var c Click
		if err := s.Decode(&c); err != nil {
			log.Fatal(err)
		}
		fmt.Println(s.Ordinal(), c)
	}
	fmt.Println(s.Err())
	// Output:
	// 0 {ada /}
	// 1 {bob /}
	// 2 {ada /help}
	// <nil>
}

func ExampleScanner_Follow() {
	path := exampleFile()
	defer os.RemoveAll(filepath.Dir(path))
	file, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := record.NewScanner(file, nil)
	s.Follow(ctx, 0)
	for n := 1; s.Scan(); n++ {
		if n == 3 {
			cancel() // otherwise Scan would wait for the next record
		}
	}
	fmt.Println(s.Report(), s.Err())
	// Output: 3 records in 1 block <nil>
}
