package record

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
)

// fuzzOptions keep blocks small, so that a fuzzer reaches the limits.
var fuzzOptions = Options{BlockSize: minBlock, MaxBlock: 4 * minBlock, Decompressor: noDecompressor{}}

// seeds are files of every kind for a fuzz target.
func seeds(f *testing.F) {
	a := writeTo(f, fuzzOptions, 3, numbered(10, 0))
	b := writeTo(f, fuzzOptions, 2, numbered(5, 0))
	bare := withoutTables(f, a)
	changed := bytes.Clone(bare)
	changed[len(changed)-70] ^= 1
	for _, file := range [][]byte{
		nil, {0}, []byte("hello"), a, bare, bare[:len(bare)-9], bare[:100], a[:len(a)-5], a[:20],
		slices.Concat(a, b), slices.Concat(bare, b, make([]byte, 60)), changed, slices.Concat(changed, b),
	} {
		f.Add(file, false)
		f.Add(file, true)
	}
}

// prepare returns the file for the arguments of a fuzz target. Checksums reveal most
// changes to a file; if fix is set, prepare corrects them.
func prepare(file []byte, fix bool) []byte {
	file = bytes.Clone(file)
	if fix {
		fixChecksums(file)
	}
	return file
}

// TestRandomFiles damages files in ways that a fuzzer takes long to find. It does not run in parallel with other tests,
// because it measures what is allocated.
func TestRandomFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a := writeTo(t, fuzzOptions, 3, numbered(12, 0))
	b := writeTo(t, fuzzOptions, 2, numbered(6, 0))
	files := [][]byte{a, withoutTables(t, a), slices.Concat(a, b), slices.Concat(withoutTables(t, a), b)}
	rounds := 5000
	if few() {
		rounds = 200
	}
	for range rounds {
		file := bytes.Clone(files[r.IntN(len(files))])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(file))
			length := r.IntN(min(200, len(file)-at) + 1)
			switch r.IntN(6) {
			case 0, 1:
				file[at] ^= 1 << r.IntN(8)
			case 2:
				file = file[:max(1, at)]
			case 3:
				file = slices.Delete(file, at, at+min(length, len(file)-1))
			case 4:
				file = slices.Insert(file, r.IntN(len(file)), bytes.Clone(file[at:at+length])...)
			case 5:
				clear(file[at : at+length])
			}
		}
		file = prepare(file, r.IntN(2) == 0)
		checkOpen(t, file)
		checkAll(t, file)
		checkSplit(t, file)
		if r.IntN(10) == 0 {
			checkRecover(t, file)
		}
		if t.Failed() {
			t.Fatalf("%q", file)
		}
	}
}

// FuzzOpen calls every method of a File. None panics, and the counts of the File match
// the records that it reads.
func FuzzOpen(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) {
		file = prepare(file, fix)
		// Each of at most 60 calls can read a block.
		heaptest.AtMost(t, 60*8*fuzzOptions.MaxBlock+100*len(file)+4<<20, func() { checkOpen(t, file) })
	})
}

func checkOpen(t *testing.T, file []byte) {
	f, err := NewFile(bytes.NewReader(file), int64(len(file)), &fuzzOptions)
	if err != nil {
		return
	}
	f.Metadata()
	_, _ = f.Schema() // an error is not one of the records
	report, err := f.Report()
	if err != nil || report.Records != f.Len() || report.Torn < 0 || report.Torn > int64(len(file)) {
		t.Fatalf("%+v, %v", report, err)
	}
	n := int64(0)
	for b, err := range f.Blocks(f.Range()) {
		if err == nil {
			n += int64(b.Records)
		}
	}
	if n != f.Len() && !report.Indexed {
		t.Fatalf("%d records in blocks, Len %d", n, f.Len())
	}
	for i := int64(-1); i < min(n+1, 50); i++ {
		At[msgpack.Raw](f, i)
	}
	if err := f.Refresh(); err != nil {
		t.Fatal(err)
	}
}

// FuzzAll compares All with a Scanner.
func FuzzAll(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) { checkAll(t, prepare(file, fix)) })
}

func checkAll(t *testing.T, file []byte) {
	var got []msgpack.Raw
	scanned, s := scanAll(file, fuzzOptions)
	f, openErr := NewFile(bytes.NewReader(file), int64(len(file)), &fuzzOptions)
	err := openErr
	// Blocks, records with their slices, and a finder of 8 KiB for each file header.
	heaptest.AtMost(t, 20*fuzzOptions.MaxBlock+512*len(scanned)+300*len(file)+1<<20, func() {
		if openErr == nil {
			got, err = collect(All[msgpack.Raw](f))
		}
		_, _ = scanAll(file, fuzzOptions)
	})
	if !same(got, scanned) || (err == nil) != (s.Err() == nil) {
		t.Fatalf("All: %d records, %v; Scanner: %d records, %v", len(got), err, len(scanned), s.Err())
	}
}

// FuzzSplit compares the ranges of a file with the whole.
func FuzzSplit(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) { checkSplit(t, prepare(file, fix)) })
}

func checkSplit(t *testing.T, file []byte) {
	f, err := NewFile(bytes.NewReader(file), int64(len(file)), &fuzzOptions)
	if err != nil {
		return
	}
	want, err := collect(All[msgpack.Raw](f))
	for _, n := range []int{1, 2, 5, 100} {
		var all []msgpack.Raw
		var failed error
		ranges := f.Split(n)
		if ranges[0].Start != 0 || ranges[len(ranges)-1].End != int64(len(file)) {
			t.Fatalf("Split(%d): %+v of %d bytes", n, ranges, len(file))
		}
		for i, r := range ranges {
			if i > 0 && r.Start != ranges[i-1].End {
				t.Fatalf("Split(%d): %+v", n, ranges)
			}
			got, err := collect(In[msgpack.Raw](f, r))
			all = append(all, got...)
			if failed == nil && err != nil {
				failed = err
			}
		}
		if (failed == nil) != (err == nil) || err == nil && !same(all, want) || len(all) < len(want) {
			t.Fatalf("Split(%d): %d records, %v, want %d, %v", n, len(all), failed, len(want), err)
		}
	}
}

// FuzzRecover reads what can be read. A file that is whole is copied whole, and the
// copy is whole.
func FuzzRecover(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, file []byte, fix bool) { checkRecover(t, prepare(file, fix)) })
}

func checkRecover(t *testing.T, file []byte) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	var report Report
	var err error
	heaptest.AtMost(t, 20*fuzzOptions.MaxBlock+300*len(file)+1<<20, func() {
		_ = os.Remove(path + ".copy")
		report, err = Recover(path, path+".copy", &fuzzOptions)
	})
	if err != nil {
		t.Fatal(err)
	}
	checkOpenFile(t, path, file)
	copied, err := os.ReadFile(path + ".copy")
	if err != nil {
		t.Fatal(err)
	}
	got, err := collect(All[msgpack.Raw](open(t, copied, fuzzOptions)))
	if err != nil || int64(len(got)) != report.Records {
		t.Fatalf("the copy has %d records, %v, report %+v", len(got), err, report)
	}
	// Recover also finds damage behind correct checksums, except in the contents.
	want, err := readAll(file)
	if report.Damaged == 0 && (len(got) < len(want) || err == nil && !same(got, want)) {
		t.Fatalf("%d records, want %d, %v, but no damage in %+v", len(got), len(want), err, report)
	}
}

// checkOpenFile opens a file by its path, and compares the records with those of a Scanner that decodes them.
func checkOpenFile(t *testing.T, path string, file []byte) {
	f, err := Open(path, &fuzzOptions)
	if err != nil {
		if _, e := NewFile(bytes.NewReader(file), int64(len(file)), &fuzzOptions); e == nil {
			t.Fatal(err)
		}
		return
	}
	defer f.Close()
	var got []msgpack.Raw
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			break
		}
		records, err := collect(InBlock[msgpack.Raw](f, b))
		if got = append(got, records...); err != nil {
			break
		}
	}
	s := NewScanner(bytes.NewReader(file), &fuzzOptions)
	for i := 0; s.Scan(); i++ {
		var raw msgpack.Raw
		if err := s.Decode(&raw); i >= len(got) || err != nil && len(raw) > 0 || err == nil && !bytes.Equal(raw, got[i]) || s.Ordinal() < 0 {
			t.Fatalf("record %d: % x, %v of %d", s.Ordinal(), raw, err, len(got))
		}
		s.Metadata()
		_, _ = s.Schema()
	}
}

func readAll(file []byte) ([]msgpack.Raw, error) {
	f, err := NewFile(bytes.NewReader(file), int64(len(file)), &fuzzOptions)
	if err != nil {
		return nil, err
	}
	return collect(All[msgpack.Raw](f))
}
