package objects_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"gocloud.dev/blob"
	"gocloud.dev/blob/memblob"

	"github.com/octet-go/octet/beamio/objects"
	"github.com/octet-go/octet/record"
)

var ctx = context.Background()

// example returns a Store with a record file of three records in memory.
func example() *objects.Store {
	store, err := objects.New(&objects.Options{OpenBucket: func(context.Context, string) (*blob.Bucket, error) {
		return memblob.OpenBucket(nil), nil
	}})
	check(err)
	object, err := store.Create(ctx, "mem://bucket/words.rec")
	check(err)
	w, err := record.NewWriter(object, nil)
	check(err)
	for _, word := range []string{"one", "two", "three"} {
		check(w.Write(word))
	}
	check(w.Close())
	check(object.Close())
	return store
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A record file in a store is read in ranges, without Beam.
func Example() {
	store := example() // or objects.New(nil), and s3://bucket/words.rec
	object, err := store.Open(ctx, "mem://bucket/words.rec")
	check(err)
	defer object.Close()
	file, err := record.NewFile(object, object.Size(), nil)
	check(err)
	for _, r := range file.Split(2) {
		object.Expect(r.Start, r.End)
		for word, err := range record.In[string](file, r) {
			check(err)
			fmt.Println(word)
		}
	}
	// Output:
	// one
	// two
	// three
}

func ExampleNew() {
	_, err := objects.New(&objects.Options{ReadAhead: 1})
	fmt.Println(errors.Is(err, objects.ErrOptions))
	// Output: true
}

func ExampleStore_Create() {
	store := example()
	w, err := store.Create(ctx, "mem://bucket/new")
	check(err)
	fmt.Fprint(w, "text")
	check(w.Close())
	fmt.Println(store.Size(ctx, "mem://bucket/new"))
	// Output: 4 <nil>
}

func ExampleStore_OpenWrite() {
	w, err := example().OpenWrite(ctx, "mem://bucket/new")
	check(err)
	fmt.Println(w.Close())
	// Output: <nil>
}

func ExampleStore_Open() {
	_, err := example().Open(ctx, "mem://bucket/none")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}

func ExampleStore_OpenRead() {
	r, err := example().OpenRead(ctx, "mem://bucket/words.rec")
	check(err)
	defer r.Close()
	_, isReaderAt := r.(io.ReaderAt)
	fmt.Println(isReaderAt)
	// Output: true
}

func ExampleStore_OpenVersion() {
	store := example()
	r, err := store.OpenVersion(ctx, "mem://bucket/words.rec", "another version", 100)
	check(err)
	_, err = io.ReadAll(r)
	fmt.Println(errors.Is(err, objects.ErrChanged))
	// Output: true
}

func ExampleStore_List() {
	fmt.Println(example().List(ctx, "mem://bucket/*.rec"))
	// Output: [mem://bucket/words.rec] <nil>
}

func ExampleStore_Visit() {
	err := example().Visit(ctx, "mem://bucket/*", func(path string, size int64, version string) error {
		fmt.Println(path, size > 0, version != "")
		return nil
	})
	check(err)
	// Output: mem://bucket/words.rec true true
}

func ExampleStore_Size() {
	size, err := example().Size(ctx, "mem://bucket/words.rec")
	fmt.Println(size > 100, err)
	// Output: true <nil>
}

func ExampleStore_Remove() {
	store := example()
	check(store.Remove(ctx, "mem://bucket/words.rec"))
	fmt.Println(store.List(ctx, "mem://bucket/*"))
	// Output: [] <nil>
}

func ExampleStore_Copy() {
	store := example()
	check(store.Copy(ctx, "mem://bucket/words.rec", "mem://bucket/copy.rec"))
	fmt.Println(store.List(ctx, "mem://bucket/*"))
	// Output: [mem://bucket/copy.rec mem://bucket/words.rec] <nil>
}

func ExampleStore_DiscardUploads() {
	err := example().DiscardUploads(ctx, "mem://bucket/words", func(path string) bool { return path == "mem://bucket/words.rec" })
	fmt.Println(err)
	// Output: <nil>
}

func ExampleStore_Close() {
	fmt.Println(example().Close())
	// Output: <nil>
}

func ExampleWriter_Write() {
	w, err := example().Create(ctx, "mem://bucket/new")
	check(err)
	fmt.Println(w.Write([]byte("text")))
	check(w.Close())
	// Output: 4 <nil>
}

func ExampleWriter_Close() {
	store := example()
	w, err := store.Create(ctx, "mem://bucket/new")
	check(err)
	fmt.Fprint(w, "text")
	fmt.Println(store.List(ctx, "mem://bucket/new"))
	check(w.Close())
	fmt.Println(store.List(ctx, "mem://bucket/new"))
	// Output:
	// [] <nil>
	// [mem://bucket/new] <nil>
}

func ExampleWriter_Abort() {
	store := example()
	w, err := store.Create(ctx, "mem://bucket/new")
	check(err)
	fmt.Fprint(w, "text")
	check(w.Abort())
	fmt.Println(store.List(ctx, "mem://bucket/new"))
	// Output: [] <nil>
}

// openWords opens the object of the examples.
func openWords() *objects.Object {
	object, err := example().Open(ctx, "mem://bucket/words.rec")
	check(err)
	return object
}

func ExampleObject_ReadAt() {
	b := make([]byte, 4)
	_, err := openWords().ReadAt(b, 0)
	fmt.Printf("% x, %v\n", b, err)
	// Output: 5d 2a 4d 18, <nil>
}

func ExampleObject_Read() {
	object := openWords()
	b, err := io.ReadAll(object)
	fmt.Println(int64(len(b)) == object.Size(), err)
	// Output: true <nil>
}

func ExampleObject_Size() {
	fmt.Println(openWords().Size() > 100)
	// Output: true
}

func ExampleObject_Version() {
	fmt.Println(openWords().Version() != "")
	// Output: true
}

func ExampleObject_Expect() {
	object := openWords()
	object.Expect(0, object.Size())
	_, err := io.ReadAll(object)
	fmt.Println(err)
	// Output: <nil>
}

func ExampleObject_Close() {
	object := openWords()
	check(object.Close())
	_, err := object.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, fs.ErrClosed))
	// Output: true
}

func ExampleError_Error() {
	_, err := example().Open(ctx, "mem://bucket/none")
	var e *objects.Error
	fmt.Println(errors.As(err, &e), e.Op, e.Path)
	// Output: true read mem://bucket/none
}

func ExampleError_Unwrap() {
	_, err := example().Size(ctx, "mem://bucket/none")
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}
