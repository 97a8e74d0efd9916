package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestAppendDamaged changes bits of files whose content was synced, and each of them if OCTET_DAMAGES is set. Append refuses
// the file and does not change it, or all records are there.
func TestAppendDamaged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	records := numbered(6, 0)
	for name, close := range map[string]bool{"closed": true, "synced": false} {
		j := &journal{}
		w, err := NewWriter(j, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range records {
			w.WriteRaw(r)
			if i%2 == 1 {
				w.Sync()
			}
		}
		if close {
			w.Close()
		}
		step := 3 // has no common divisor with 8, so each bit of a byte is changed
		switch {
		case few():
			step = 7
		case os.Getenv(damages) != "":
			step = 1
		}
		refused := 0
		for bit := 0; bit < 8*len(j.content); bit += step {
			file := bytes.Clone(j.content)
			file[bit/8] ^= 1 << (bit % 8)
			if err := os.WriteFile(path, file, 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := Append(path, nil)
			if err == nil {
				err = errors.Join(w.WriteRaw(records[0]), w.Close())
				if err != nil {
					t.Fatal(err)
				}
				now, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				got, err := collect(All[msgpack.Raw](open(t, now)))
				if err != nil || !same(got, append(slices.Clone(records), records[0])) {
					t.Fatalf("%s, bit %d: after Append, %d records, %v", name, bit, len(got), err)
				}
				continue
			}
			refused++
			now, readErr := os.ReadFile(path)
			if !errors.Is(err, ErrCorrupt) || readErr != nil || !bytes.Equal(now, file) {
				t.Fatalf("%s, bit %d: %v; changed %t, %v", name, bit, err, !bytes.Equal(now, file), readErr)
			}
		}
		if refused < 8*len(withoutTables(t, writeTo(t, Options{}, 2, records)))/step {
			t.Errorf("%s: Append refuses %d files", name, refused)
		}
	}
}

// TestFlippedBits changes each bit of files of which everything was synced, as they are while they are written, closed and
// appended to. Each change is damage, or no record is lost.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(j *journal, w *Writer){
		"synced": func(j *journal, w *Writer) {
			for i := range 4 {
				w.WriteRaw(numbered(1, i)[0])
				w.Sync()
			}
		},
		"flushed, synced": func(j *journal, w *Writer) {
			for i := range 4 {
				w.WriteRaw(numbered(1, i)[0])
				w.Flush()
			}
			w.Sync()
		},
		"closed": func(j *journal, w *Writer) {
			w.WriteRaw(numbered(1, 0)[0])
			w.Sync()
			w.WriteRaw(numbered(1, 1)[0])
			w.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := &journal{}
			w, err := NewWriter(j, nil)
			if err != nil {
				t.Fatal(err)
			}
			write(j, w)
			want, err := collect(All[msgpack.Raw](open(t, j.content)))
			if err != nil || len(want) < 2 || j.synced != len(j.content) {
				t.Fatal(len(want), err)
			}
			checkFlips(t, j.content, want)
		})
	}
	t.Run("appended", func(t *testing.T) {
		// The index is so short that one changed bit makes it end inside the header of the second block.
		path := filepath.Join(t.TempDir(), "a")
		w, err := Create(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write("a"), w.Close()); err != nil {
			t.Fatal(err)
		}
		if w, err = Append(path, nil); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write("b"), w.Sync()); err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkFlips(t, file, []msgpack.Raw{{0xa1, 'a'}, {0xa1, 'b'}})
	})
}

// checkFlips changes each bit of a file.
func checkFlips(t *testing.T, file []byte, want []msgpack.Raw) {
	t.Helper()
	changed := bytes.Clone(file)
	for i := range changed {
		for bit := range 8 {
			changed[i] ^= 1 << bit
			checkChanged(t, changed, want, i, 1<<bit)
			changed[i] ^= 1 << bit
		}
	}
}

// TestFlippedBitsOfAll changes random bits of random files of which everything was synced. A change looks like a tear only in
// the frame of a block that was synced last and has a sector of zeros, as the package says.
func TestFlippedBitsOfAll(t *testing.T) {
	t.Parallel()
	files := 300
	if few() {
		files = 60
	}
	r := rand.New(rand.NewPCG(2, 0))
	tears := 0
	for i := range files {
		j := randomJournal(t, r)
		file := j.content[:j.synced]
		f := open(t, file)
		want, err := collect(All[msgpack.Raw](f))
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := collect(f.Blocks(f.Range()))
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			at := r.IntN(len(file))
			changed := bytes.Clone(file)
			changed[at] ^= 1 << r.IntN(8)
			var got []msgpack.Raw
			c, err := NewFile(bytes.NewReader(changed), int64(len(changed)), nil)
			if err == nil {
				got, err = collect(All[msgpack.Raw](c))
			}
			if err != nil && !isPlace(err) || len(got) > len(want) || !same(got, want[:len(got)]) {
				t.Fatalf("file %d, byte %d: %d of %d records, %v", i, at, len(got), len(want), err)
			}
			if err != nil || len(got) == len(want) {
				continue
			}
			tears++
			k := slices.IndexFunc(blocks, func(b Block) bool { return int64(at) < b.end() })
			b := blocks[k]
			if int64(at) < b.Offset+blockHeaderSize || !hasZeroSector(changed, int(b.Offset), int(b.end())) || markedAfter(file, f, b) {
				t.Fatalf("file %d, byte %d in block %+v looks like a tear", i, at, b)
			}
		}
	}
	t.Logf("%d changes look like a tear", tears)
}

// hasZeroSector reports whether the bytes of a block in some sector, up to the end of the sector or of the file, are zero.
func hasZeroSector(file []byte, from, to int) bool {
	for from < to {
		end := min((from/sectorSize+1)*sectorSize, len(file))
		if isZero(file[from:end]) {
			return true
		}
		from = end
	}
	return false
}

// markedAfter reports whether a sync mark after a block says that it was synced.
func markedAfter(file []byte, f *File, b Block) bool {
	for at := int(b.end()); at+markSize <= len(file); at++ {
		if synced, ok := parseMark(file[at:], &f.header.marker); ok && synced > b.Offset {
			return true
		}
	}
	return false
}

// TestLostAndSynced zeroes each sector of files. A sync mark or an index after it shows that it was synced, so that it
// is damage.
func TestLostAndSynced(t *testing.T) {
	for _, closed := range []bool{false, true} {
		j := &journal{}
		w, err := NewWriter(j, &Options{BlockSize: minBlock})
		if err != nil {
			t.Fatal(err)
		}
		records := numbered(300, 0)
		for i, r := range records {
			if w.WriteRaw(r); i == 250 && !closed {
				w.Sync()
			}
		}
		w.Flush()
		synced := int(j.synced)
		if closed {
			synced = len(j.content)
			w.Close()
		}
		for at := sectorSize; at+sectorSize <= synced; at += sectorSize {
			file := bytes.Clone(j.content)
			clear(file[at:][:sectorSize])
			f := open(t, file)
			got, err := collect(All[msgpack.Raw](f))
			if !isPlace(err) || len(got) >= len(records) || !same(got, records[:len(got)]) {
				t.Fatalf("closed %t: zeros at %d of %d: %d records, %v", closed, at, len(file), len(got), err)
			}
			if report, err := f.Report(); !closed && (err != nil || report.Torn != 0 || report.Records < int64(len(got))) {
				t.Fatalf("zeros at %d: %+v, %v", at, report, err)
			}
			if _, s := scanAll(file); !isPlace(s.Err()) {
				t.Fatalf("closed %t: zeros at %d: Scanner: %v", closed, at, s.Err())
			}
		}
	}
}
