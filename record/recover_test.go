package record

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/internal/disk/sim"
	"github.com/octet-go/octet/internal/faulty"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// recoverFrom is Recover for a reader, and discards the copy.
func recoverFrom(r io.ReaderAt, size int64) (Report, error) {
	o, err := checked(nil)
	if err != nil {
		return Report{}, err
	}
	src := &fileSource{r: r, size: size, ahead: largeRead}
	run := &recovery{src: src, size: size, walk: walk{src: src, max: o.MaxBlock}, blocks: blockReader{src: src, o: &o}}
	if run.copy, err = NewWriter(io.Discard, &o); err != nil {
		return Report{}, err
	}
	err = errors.Join(run.run(), run.copy.Close())
	return run.report, err
}

// A failingRead fails at one of its calls, and later.
type failingRead struct {
	io.ReaderAt
	calls int
}

func (r *failingRead) ReadAt(b []byte, offset int64) (int, error) {
	if r.calls--; r.calls < 0 {
		return 0, faulty.Err
	}
	return r.ReaderAt.ReadAt(b, offset)
}

// TestRecoverFailingReads lets every read of a recovery fail, in files that are damaged in different ways.
func TestRecoverFailingReads(t *testing.T) {
	whole := writeTo(t, Options{}, 40, numbered(2000, 0)) // longer than one read
	f := open(t, whole)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(offset, end int64) []byte {
		b := bytes.Clone(whole)
		clear(b[offset:end])
		return b
	}
	without := withoutTables(t, whole)
	third, last := blocks[2].Offset, blocks[len(blocks)-1].Offset
	for name, input := range map[string][]byte{
		"whole": whole, "without index": without, "torn": without[:last+100], "cut in a header": without[:last+20],
		"block": damaged(third+60, third+70), "header of a block": damaged(third, third+10), "most blocks": damaged(third, last-7),
		"file header": damaged(5, 8), "start": damaged(0, last-7), "last block": damaged(last+60, last+70),
		"length beyond the end": append(damaged(third+4, third+8)[:third+4], append([]byte{0xff, 0xff, 0xff, 0}, whole[third+8:]...)...),
	} {
		want, err := recoverFrom(bytes.NewReader(input), int64(len(input)))
		if err != nil || want.Records == 0 || (want.Damaged == 0) != (len(input) == len(whole) && bytes.Equal(input, whole) || len(input) < len(whole)) {
			t.Errorf("%s: %+v, %v", name, want, err)
		}
		reads := 0
		for ; ; reads++ {
			got, err := recoverFrom(&failingRead{bytes.NewReader(input), reads}, int64(len(input)))
			if err == nil {
				if got.Records != want.Records || got.Damaged != want.Damaged {
					t.Errorf("%s after %d reads: %+v, want %+v", name, reads, got, want)
				}
				break
			}
			if !errors.Is(err, faulty.Err) || got.Records > want.Records {
				t.Errorf("%s, read %d: %v, %+v", name, reads, err, got)
			}
		}
		if reads < 2 {
			t.Errorf("%s: %d reads", name, reads)
		}
	}
}

// TestFileFailingReads lets every read of a File fail.
func TestFileFailingReads(t *testing.T) {
	records := numbered(2000, 0)
	whole := writeTo(t, Options{}, 40, records)
	without := withoutTables(t, whole)
	f := open(t, whole)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	half := blocks[len(blocks)/2].Offset
	damaged := bytes.Clone(without)
	copy(damaged[half+4:], "\xff\xff\xff") // a length beyond the end
	for name, input := range map[string][]byte{"whole": whole, "without index": without, "of two": append(bytes.Clone(whole), whole...), "damaged": damaged} {
		size := int64(len(input))
		read := func(r io.ReaderAt) (report Report, at msgpack.Raw, err error) {
			f, err := NewFile(r, min(size, half), nil)
			if err == nil {
				_, err = f.Report()
			}
			if err == nil { // the file grows
				f.r = fixedSize{r, size}
				err = f.Refresh()
			}
			if err == nil {
				at, err = At[msgpack.Raw](f, 7)
			}
			if err == nil {
				report, err = f.Report()
			}
			return report, at, err
		}
		want, at, err := read(bytes.NewReader(input))
		if err != nil || (want.Damaged > 0) != (name == "damaged") || !bytes.Equal(at, records[7]) {
			t.Fatalf("%s: %+v, %v", name, want, err)
		}
		for reads := 0; ; reads++ {
			r := &failingRead{bytes.NewReader(input), reads}
			got, _, err := read(r)
			if r.calls >= 0 {
				if got.Records != want.Records || err != nil || reads < 4 {
					t.Errorf("%s after %d reads: %+v, %v, want %+v", name, reads, got, err, want)
				}
				break
			}
			if !errors.Is(err, faulty.Err) {
				t.Errorf("%s, read %d: %v", name, reads, err)
			}
		}
	}
}

// TestFileChanged writes zeros over blocks after the File has found them.
func TestFileChanged(t *testing.T) {
	whole := writeTo(t, Options{}, 40, numbered(400, 0))
	f := open(t, whole)
	if f.Len() != 400 {
		t.Fatal(f.Len())
	}
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	clear(whole[blocks[5].Offset:])
	f.idle = nil
	if _, err := At[msgpack.Raw](f, blocks[5].Ordinal); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a record that is no longer there: %v", err)
	}
	if _, err := At[msgpack.Raw](f, blocks[4].Ordinal); err != nil {
		t.Errorf("a record before: %v", err)
	}
}

// TestRecoverReportsProgress passes positions to Options.Progress.
func TestRecoverReportsProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	file := writeTo(t, Options{}, 4, numbered(40, 0))
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	var positions []int64
	report, err := Recover(path, "", &Options{Progress: func(done int64) error { positions = append(positions, done); return nil }})
	if err != nil || report.Records != 40 || len(positions) < 10 {
		t.Fatal(report, err, positions)
	}
	for i, p := range positions {
		if p > int64(len(file)) || i > 0 && p < positions[i-1] {
			t.Errorf("positions %v in %d bytes", positions, len(file))
			break
		}
	}
}

// TestRecoverStopped lets every call of Options.Progress fail, also while Recover searches after damage. Neither the
// new file nor its lock is left.
func TestRecoverStopped(t *testing.T) {
	dir := t.TempDir()
	path, to := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	file := writeTo(t, Options{}, 4, numbered(40, 0))
	gap := len(file) / 2
	file = slices.Concat(file[:gap], make([]byte, 5*largeRead), file[gap:])
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	for calls := 0; ; calls++ {
		left, searching := calls, 0 // calls for a place in the gap
		_, err := Recover(path, to, &Options{Progress: func(done int64) error {
			if left == 0 {
				return errFull
			}
			if from := int64(gap + largeRead); from < done && done < from+3*largeRead {
				searching++
			}
			left--
			return nil
		}})
		if err == nil {
			if calls < 10 || searching < 2 {
				t.Errorf("%d calls, %d while searching", calls, searching)
			}
			break
		}
		if err != errFull {
			t.Fatalf("call %d: %v", calls, err)
		}
		if _, err := os.Lstat(to); err == nil {
			t.Fatalf("call %d: %s is left", calls, to)
		}
	}
}

// TestCopyErrors copies ranges and files that cannot be read. The Writer stays usable.
func TestCopyErrors(t *testing.T) {
	file := writeTo(t, Options{}, 4, numbered(40, 0))
	f := open(t, file)
	var out bytes.Buffer
	w, err := NewWriter(&out, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		r    Range
		want error
	}{
		"backwards":            {Range{Start: 9, End: 8}, ErrOptions},
		"negative":             {Range{Start: -1, End: 8}, ErrOptions},
		"header behind":        {Range{Header: 9, Start: 8, End: 9}, ErrOptions},
		"no header":            {Range{Header: 7, Start: 8, End: int64(len(file))}, ErrCorrupt},
		"header in the middle": {Range{Header: int64(len(file)) - 1, Start: int64(len(file)) - 1, End: int64(len(file))}, ErrCorrupt},
	} {
		if n, err := w.Copy(f, c.r); n != 0 || !errors.Is(err, c.want) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		if _, err := collect(In[msgpack.Raw](f, c.r)); !errors.Is(err, c.want) {
			t.Errorf("%s: In: %v", name, err)
		}
	}
	size := int64(len(file))
	torn := open(t, append(bytes.Clone(file), file[:10]...)) // another file begins
	if n, err := w.Copy(torn, Range{Header: size, Start: size, End: size + 10}); n != 0 || !errors.Is(err, ErrCorrupt) {
		t.Errorf("torn header: %d, %v", n, err)
	}
	if n, err := w.Copy(f, f.Range()); n != 40 || err != nil {
		t.Error(n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := collect(All[msgpack.Raw](open(t, out.Bytes()))); err != nil || !same(got, numbered(40, 0)) {
		t.Errorf("%d records, %v", len(got), err)
	}
}

// TestWriteSliceErrors has an element in the middle that cannot be encoded, and a writer that fails.
func TestWriteSliceErrors(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteSlice(w, []any{int64(1), make(chan int), int64(3)}); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Error(err)
	}
	if err := WriteSlice(w, []chan int{nil}); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Error(err)
	}
	if err := errors.Join(w.Write(4), w.Close()); err != nil {
		t.Fatal(err)
	}
	if got, err := collect(All[int](open(t, out.Bytes()))); err != nil || len(got) != 2 || got[0] != 1 || got[1] != 4 {
		t.Error(got, err)
	}

	// Records that do not fit in a block together, and one that fits in none.
	out.Reset()
	if w, err = NewWriter(&out, &Options{BlockSize: 1 << 10, MaxBlock: 1 << 10}); err != nil {
		t.Fatal(err)
	}
	medium, long := strings.Repeat("m", 600), strings.Repeat("l", 1200)
	if err := WriteSlice(w, []string{medium, long, medium}); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
	if err := errors.Join(w.Write(medium), w.Close()); err != nil {
		t.Fatal(err)
	}
	if got, err := collect(All[string](open(t, out.Bytes()))); err != nil || !slices.Equal(got, []string{medium, medium}) {
		t.Errorf("%d records, %v", len(got), err)
	}
}

// TestAppendToOther calls Append with paths that are not regular files.
func TestAppendToOther(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("there is no /dev/null")
	}
	_, err := Append(os.DevNull, nil)
	if err == nil || err.Error() != "open /dev/null: not a regular file" {
		t.Error(err)
	}
}

// TestClosedFile reads a file that was closed.
func TestClosedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, writeTo(t, Options{}, 4, numbered(40, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Refresh(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Refresh: %v", err)
	}
	if _, err := At[msgpack.Raw](f, 1); !errors.Is(err, os.ErrClosed) {
		t.Errorf("At: %v", err)
	}
	if f := open(t, nil); f.Close() != nil {
		t.Error("a File of a reader cannot be closed")
	}
}

// TestRecoverNewerPart recovers files with a part of a version that is not known.
func TestRecoverNewerPart(t *testing.T) {
	known := writeTo(t, Options{}, 4, numbered(8, 0))
	newer := bytes.Clone(known)
	newer[fileVersionAt]++
	fixChecksums(newer)
	for name, file := range map[string][]byte{
		"last": slices.Concat(known, newer), "first": slices.Concat(newer, known), "between": slices.Concat(known, newer, known),
		"twice": slices.Concat(newer, newer, known),
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		report, err := Recover(path, path+".copy", nil)
		if err != nil || report.Damaged == 0 || report.Records < 8 {
			t.Errorf("%s: %+v, %v", name, report, err)
		}
	}
}

// TestFailedCopyIsLocked lets each call of Recover fail. While the name of the copy is there, another program cannot take
// it over and append to it, because Recover is going to remove it.
func TestFailedCopyIsLocked(t *testing.T) {
	const copied = "/copy.rec"
	image := writeTo(t, Options{}, 2, numbered(6, 0))
	removed := 0
	for at := 1; ; at++ {
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, image)
		var mu sync.Mutex // the Writer of the copy has a goroutine of its own
		calls, closes, locks := 0, false, false
		step := func(c sim.Call) *sim.Fault {
			mu.Lock()
			defer mu.Unlock()
			if calls++; calls == at {
				closes = c.Kind == sim.Close && c.Path == copied
				locks = c.Kind == sim.Lock // there is no lock then
				return &sim.Fault{Err: syscall.EIO}
			}
			return nil
		}
		var guard func(c sim.Call) *sim.Fault
		guard = func(c sim.Call) *sim.Fault {
			if c.Kind == sim.Remove && c.Path == copied && calls >= at && !locks {
				removed++
				d.Step = nil
				if f, err := disk.OpenLocked(d, copied, os.O_RDWR); err != disk.ErrLocked {
					t.Errorf("call %d fails: another program can lock the copy that is removed next: %v, %v", at, f, err)
				}
				d.Step = guard
			}
			return step(c)
		}
		d.Step = guard
		_, err := recoverFile(d, simulatedPath, copied, nil)
		d.Step = nil
		there := slices.Contains(d.Paths(), copied)
		if calls < at {
			if err != nil || !there {
				t.Errorf("without a fault: %v, %v", err, d.Paths())
			}
			break
		}
		if there != (err == nil || closes) {
			t.Errorf("call %d fails: %v, %v", at, err, d.Paths())
		}
	}
	if removed < 5 {
		t.Errorf("the copy was removed %d times", removed)
	}
}

// TestRecoverShortened recovers files that have lost most of a block in the middle, so that its header says that it ends
// far after the end of the file.
func TestRecoverShortened(t *testing.T) {
	for _, fill := range []string{"x", "\x00"} {
		records := slices.Insert(numbered(10, 200), 5, wire.AppendString(nil, strings.Repeat(fill, 1<<20)))
		whole := writeTo(t, Options{}, 1, records)
		f := open(t, whole)
		blocks, err := collect(f.Blocks(f.Range()))
		if err != nil {
			t.Fatal(err)
		}
		for _, left := range []int64{1, 5000, 500_000} {
			file := slices.Concat(whole[:blocks[5].Offset+blockHeaderSize+left], whole[blocks[6].Offset-1:])
			report, err := recoverFrom(bytes.NewReader(file), int64(len(file)))
			if err != nil || report.Records != 10 || report.Lost != 1 || report.Damaged != 1 || report.Torn != 0 {
				t.Errorf("%q, %d bytes left: %v, %v", fill, left, report, err)
			}
		}
	}
}

// TestRecoverShortenedPart is TestRecoverShortened for the first block of the second of two joined files, which also lacks
// its file header.
func TestRecoverShortenedPart(t *testing.T) {
	first := writeTo(t, Options{}, 0, numbered(3, 7))
	second := writeTo(t, Options{}, 1, slices.Insert(numbered(10, 200), 0, wire.AppendString(nil, strings.Repeat("x", 1<<20))))
	f := open(t, second)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	begin := blocks[0].Offset
	for _, left := range []int64{1, 5000, 500_000} {
		file := slices.Concat(first, second[begin:begin+blockHeaderSize+left], second[blocks[1].Offset-1:])
		report, err := recoverFrom(bytes.NewReader(file), int64(len(file)))
		if err != nil || report.Records != 13 || report.Lost != 1 || report.Damaged != 1 {
			t.Errorf("%d bytes left: %v, %v", left, report, err)
		}
	}
}

// TestRecoverMetadata recovers a file whose metadata becomes longer, or is lost, if it is decoded and encoded again. The
// copy has the same bytes.
func TestRecoverMetadata(t *testing.T) {
	for name, v := range map[string]any{
		"nothing":       nil,
		"float32":       make([]float32, 12_000),
		"key of bytes":  msgpack.Raw{0x81, 0xc4, 1, 'a', 1},
		"key of arrays": msgpack.Raw{0x81, 0x91, 1, 1},
		"two equal":     msgpack.Raw{0x82, 0xa1, 'a', 1, 0xa1, 'a', 2},
		"long int":      msgpack.Raw{0xd3, 0, 0, 0, 0, 0, 0, 0, 1},
	} {
		o := Options{Metadata: map[string]any{"v": v, "a": 1}}
		if v == nil {
			o.Metadata = nil
		}
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, writeTo(t, o, 10, numbered(3, 0)))
		if _, err := recoverFile(d, simulatedPath, simulatedPath+"2", nil); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want, got := open(t, d.ReadFile(simulatedPath)), open(t, d.ReadFile(simulatedPath+"2"))
		if !bytes.Equal(got.header.info, want.header.info) {
			t.Errorf("%s: the map of the header is % x, want % x", name, got.header.info, want.header.info)
		}
	}
}
