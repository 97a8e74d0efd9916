package record

import (
	"bytes"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A journal is a destination that keeps what was written and synced. Its states are those between two calls.
type journal struct {
	content []byte
	synced  int
	states  []state
}

// A state is what a power loss can meet.
type state struct{ size, synced int }

func (j *journal) Write(b []byte) (int, error) {
	j.content = append(j.content, b...)
	j.states = append(j.states, state{len(j.content), j.synced})
	return len(b), nil
}

func (j *journal) Sync() error {
	j.synced = len(j.content)
	j.states = append(j.states, state{len(j.content), j.synced})
	return nil
}

// randomJournal writes a file, with some of the blocks synced, and sometimes closes it.
func randomJournal(t *testing.T, r *rand.Rand) *journal {
	j := &journal{}
	w, err := NewWriter(j, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	do(w.Sync()) // as Create does
	nested := writeTo(t, Options{}, 2, numbered(8, 0))
	for i := range 1 + r.IntN(60) {
		switch r.IntN(12) {
		case 0:
			do(w.Sync())
		case 1:
			do(w.Flush())
		case 2:
			do(w.WriteRaw(wire.AppendBin(nil, nested)))
		case 3:
			do(w.WriteRaw(wire.AppendBin(nil, make([]byte, r.IntN(3000)))))
		default:
			do(w.WriteRaw(wire.AppendBin(nil, bytes.Repeat([]byte{byte(i) | 1}, r.IntN(400)))))
		}
	}
	if r.IntN(3) == 0 {
		do(w.Close())
	} else {
		do(w.Flush())
	}
	return j
}

// lose returns what a power loss in a state leaves: the sectors that were not synced are there, or are zero, or are
// as they were after an earlier write.
func (j *journal) lose(r *rand.Rand, s state) []byte {
	size := s.size
	if r.IntN(3) == 0 {
		size = s.synced + r.IntN(s.size-s.synced+1)
	}
	image := bytes.Clone(j.content[:size])
	sector := []int{sectorSize, 8 * sectorSize}[r.IntN(2)]
	kept := r.IntN(4)
	for at := s.synced / sector * sector; at < size; at += sector {
		if r.IntN(4) < kept {
			continue
		}
		from := max(at, s.synced)
		end := min(at+sector, size)
		for _, earlier := range j.states {
			if earlier.size > from && earlier.size < end && r.IntN(3) == 0 {
				from = earlier.size
			}
		}
		clear(image[from:end])
	}
	return image
}

// TestLostSectors reads what power losses leave of files. Every synced record is there, the file is not damaged, and
// everything agrees about where it ends.
func TestLostSectors(t *testing.T) {
	t.Parallel()
	files := 100
	switch {
	case few():
		files = 40
	case os.Getenv(damages) != "":
		files = 300
	}
	r := rand.New(rand.NewPCG(1, 0))
	dir := t.TempDir()
	images, torn := 0, 0
	for i := range files {
		j := randomJournal(t, r)
		written, err := collect(All[msgpack.Raw](open(t, j.content)))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			s := j.states[1+r.IntN(len(j.states)-1)] // the first is before the sync of the header
			synced := open(t, j.content[:s.synced]).Len()
			image := j.lose(r, s)
			images++
			name := fmt.Sprintf("file %d, %d of %d bytes, %d synced", i, s.size, len(j.content), s.synced)
			report := checkLost(t, name, image, written, int(synced))
			checkContinued(t, name, filepath.Join(dir, fmt.Sprint("a", images)), image, written[:report.Records], report)
			if report.Torn > 0 {
				torn++
			}
		}
	}
	t.Logf("%d images, %d torn", images, torn)
	if torn < images/3 {
		t.Errorf("only %d of %d images are torn", torn, images)
	}
}

// checkLost requires that a file has a beginning of the records that were written, and those that were synced.
func checkLost(t *testing.T, name string, image []byte, written []msgpack.Raw, synced int) Report {
	t.Helper()
	got, err := collect(All[msgpack.Raw](open(t, image)))
	if err != nil || len(got) < synced || len(got) > len(written) || !same(got, written[:len(got)]) {
		t.Fatalf("%s: %d records, %d were synced, %v", name, len(got), synced, err)
	}
	f := open(t, image)
	report, err := f.Report()
	if err != nil || report.Records != int64(len(got)) || report.Damaged > 0 || f.Len() != int64(len(got)) {
		t.Fatalf("%s: %d records, Len %d, report %+v, %v", name, len(got), f.Len(), report, err)
	}
	scanned, s := scanAll(image)
	if s.Err() != nil || !same(scanned, got) || s.Report().Torn != report.Torn {
		t.Fatalf("%s: Scanner has %d records, %v, report %+v, want %+v", name, len(scanned), s.Err(), s.Report(), report)
	}
	var split []msgpack.Raw
	for _, r := range f.Split(3) {
		list, err := collect(In[msgpack.Raw](f, r))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		split = append(split, list...)
	}
	if !same(split, got) {
		t.Fatalf("%s: ranges have %d records, want %d", name, len(split), len(got))
	}
	return report
}

// checkContinued requires that Append continues the file after the last of its records, and keeps what it cuts off.
func checkContinued(t *testing.T, name, path string, image []byte, records []msgpack.Raw, report Report) {
	t.Helper()
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Append(path, nil)
	if err != nil {
		t.Fatalf("%s: Append: %v", name, err)
	}
	found := w.Report()
	if w.Len() != int64(len(records)) || found.Records != w.Len() || found.Torn != report.Torn || (found.Aside != "") != (found.Torn > 0) {
		t.Fatalf("%s: Append has %d records, report %+v, want %+v", name, w.Len(), found, report)
	}
	if found.Torn > 0 {
		aside, err := os.ReadFile(found.Aside)
		if err != nil || !bytes.Equal(aside, image[len(image)-int(report.Torn):]) {
			t.Fatalf("%s: %s has %d bytes, %v, want the last %d", name, found.Aside, len(aside), err, report.Torn)
		}
		info, err := os.Stat(path)
		if other, failed := os.Stat(found.Aside); errors.Join(err, failed) != nil || other.Mode()&^info.Mode() != 0 {
			t.Fatalf("%s: %v and %v, %v", name, info.Mode(), other.Mode(), errors.Join(err, failed))
		}
	}
	more := numbered(3, 0)
	for _, r := range more {
		if err := errors.Join(w.WriteRaw(r), w.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(records, more)
	if got, err := collect(All[msgpack.Raw](open(t, now))); err != nil || !same(got, want) {
		t.Fatalf("%s: after Append, %d records, %v, want %d", name, len(got), err, len(want))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if now, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	f := open(t, now)
	if report, err := f.Report(); err != nil || report.Torn+report.Damaged > 0 || f.Len() != int64(len(want)) {
		t.Fatalf("%s: after Close: %+v, %v", name, report, err)
	}
}

// TestJoinedTorn joins a torn file with a whole one. The records before the tear can be read, then the file is damaged,
// and Recover goes on after it.
func TestJoinedTorn(t *testing.T) {
	a, b := numbered(30, 0), numbered(30, 1000)
	whole := withoutTables(t, writeTo(t, Options{}, 10, a))
	second := writeTo(t, Options{}, 10, b)
	for _, cut := range []int{1, 20, 60, 100, 300} {
		file := slices.Concat(whole[:len(whole)-cut], second)
		got, err := collect(All[msgpack.Raw](open(t, file)))
		if !isPlace(err) || !same(got, a[:20]) {
			t.Errorf("cut %d: %d records, %v", cut, len(got), err)
		}
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		report, err := Recover(path, path+".copy", nil)
		if err != nil || report.Damaged != 1 {
			t.Errorf("cut %d: %+v, %v", cut, report, err)
		}
		copied, err := os.ReadFile(path + ".copy")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := collect(All[msgpack.Raw](open(t, copied))); err != nil || !same(got, slices.Concat(a[:20], b)) {
			t.Errorf("cut %d: the copy has %d records, %v", cut, len(got), err)
		}
	}
}

// TestRecoverAside loses a sector of one of several blocks that were not synced. The later blocks are in the file that
// Append makes, and Recover saves them from there.
func TestRecoverAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := errors.Join(w.Write(bytes.Repeat([]byte{byte(i)}, 2*sectorSize)), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	clear(file[3*sectorSize:][:sectorSize]) // in the second block
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	if w, err = Append(path, nil); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	found := w.Report()
	if found.Records != 1 {
		t.Fatal(found)
	}
	copied := path + ".copy"
	if r, err := Recover(found.Aside, copied, nil); err != nil || r.Records != 3 {
		t.Fatal(r, err)
	}
	f, err := Open(copied, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := collect(All[[]byte](f))
	if err != nil || len(list) != 3 || list[0][0] != 2 || list[2][0] != 4 {
		t.Errorf("%d records, %v", len(list), err)
	}
}

// TestLostByte loses the sector that has only the last byte of a block header, of which one bit is set. It is torn,
// although one changed bit would have the same effect on the header.
func TestLostByte(t *testing.T) {
	t.Parallel()
	for {
		var b bytes.Buffer
		w, err := NewWriter(&b, nil)
		if err != nil {
			t.Fatal(err)
		}
		fill := 2*sectorSize - (blockHeaderSize - 1) - len(w.out.header.bytes()) - headroom - frameSumSize - len(wire.AppendBin(nil, make([]byte, 256)))
		for _, r := range []msgpack.Raw{wire.AppendBin(nil, make([]byte, 256+fill)), {1}} {
			if err := errors.Join(w.WriteRaw(r), w.Flush()); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		file := b.Bytes()[:2*sectorSize+20]
		if bits.OnesCount8(file[2*sectorSize]) != 1 {
			continue
		}
		if _, _, ok := parseBlockHeader(file[2*sectorSize-blockHeaderSize+1:]); !ok {
			t.Fatal("the second block is elsewhere")
		}
		clear(file[2*sectorSize:])
		report, err := open(t, file).Report()
		if err != nil || report.Records != 1 || report.Torn != blockHeaderSize-1+20 || report.Damaged > 0 {
			t.Errorf("lost: %+v, %v", report, err)
		}
		file[len(file)-1] = 1
		if report, err = open(t, file).Report(); err != nil || report.Damaged != 1 {
			t.Errorf("changed: %+v, %v", report, err)
		}
		return
	}
}
