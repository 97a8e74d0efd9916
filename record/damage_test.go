package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// recordedDamages are the seeds with which TestRecoverRandomDamage has failed.
var recordedDamages = []uint64{
	3911925371044287110, 28, 505, 634, 1027, 1369, 1550, 1613, 1651, 1689, 1746, 1759, 1783, 1903, 2482, 4995, 5069, 5164, 6520, 6591, 7974, 9235, 9318, 9692,
	1790398807683112284, 1790398807683113027, 1790398807683114221, 1790398807683114731,
	4041914106010241538, 4041914106010244519, 7023911431744522941, 7023911431744526056, 7023911431744526387, 7023911431744530633,
	3911925371044287604, 3911925371044287877, 5550000000000003562, 5550000000000003831, 5550000000000008344, 13791341662646270112, 8880000000000000763,
}

// damagesPerSeed is the number of times that the file of a seed is damaged.
const damagesPerSeed = 30

// damages is the variable of the environment for long runs of the tests that damage files.
const damages = "OCTET_DAMAGES"

// damageSeeds returns the seeds of TestRecoverRandomDamage: those that are recorded, and others. The environment variable
// OCTET_DAMAGES is a number of damaged files; their seeds then begin at a random one, but not
// in a short run, which repeats the same files.
func damageSeeds(t *testing.T) []uint64 {
	n, first := 6000, uint64(0)
	if text := os.Getenv(damages); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
		if !few() {
			first = rand.Uint64()
		}
	} else if few() {
		n = 600
	}
	var seeds []uint64
	if !heaptest.Race { // the files of a seed are the same each time
		seeds = slices.Clone(recordedDamages)
	}
	for i := range uint64(n / damagesPerSeed) {
		seeds = append(seeds, first+i)
	}
	return seeds
}

// TestRecoverRandomDamage damages files at random places, and recovers them: files that are alone, joined, nested,
// appended to, with and without tables, and combinations of these. The result must be the records of the blocks that
// are as they were written, and no others. Of files from new seeds, one in 50,000 may fail.
func TestRecoverRandomDamage(t *testing.T) {
	t.Parallel()
	files, blocks, failed := 0, 0, 0
	fail := t.Errorf
	if os.Getenv(damages) != "" && !few() {
		fail = t.Logf // new seeds: a few of their files are still recovered wrongly
	}
	for _, seed := range damageSeeds(t) {
		g := damageRun{rand.New(rand.NewPCG(25, seed)), t}
		w := g.written(2)
		for i := range damagesPerSeed {
			d := g.damaged(w.file)
			if d.forges(w) {
				continue
			}
			want, doubtful, intact := w.intact(d)
			files++
			blocks += intact
			got, report := g.recovered(d.file)
			if msg := d.compare(got, want, doubtful, report, w); msg != "" {
				if failed++; failed <= 10 {
					fail("seed %d, damage %d: %s: %s", seed, i, d.name, msg)
				}
			}
		}
	}
	t.Logf("%d files, %d whole blocks in them, %d failures", files, blocks, failed)
	if failed > files/50_000 {
		t.Errorf("more than one file in 50,000 failed")
	}
}

// A damageRun makes files and damages them.
type damageRun struct {
	*rand.Rand
	t *testing.T
}

// A writtenFile is a file and what was written to it.
type writtenFile struct {
	kind   string
	file   []byte
	blocks []writtenBlock
}

// A writtenBlock is a block of a file, but not of a file in a record.
type writtenBlock struct {
	start, end int
	part       int // offset of the file header
	records    []msgpack.Raw
}

// written returns a random file, whose records may have files in them as deep as depth.
func (g damageRun) written(depth int) *writtenFile {
	w := &writtenFile{}
	for i := range 1 + g.IntN(3)*g.IntN(2) {
		if i > 0 {
			w.kind += " + "
		}
		w.add(g.file(depth))
	}
	return w
}

// add appends a file.
func (w *writtenFile) add(more *writtenFile) {
	part := len(w.file)
	for _, b := range more.blocks {
		w.blocks = append(w.blocks, writtenBlock{part + b.start, part + b.end, part, b.records})
	}
	w.kind += more.kind
	w.file = append(w.file, more.file...)
}

// file returns a file with one header.
func (g damageRun) file(depth int) *writtenFile {
	w := &writtenFile{}
	g.write(w, depth)
	for g.IntN(4) == 0 {
		w.kind += ", appended "
		g.write(w, depth)
	}
	return w
}

// write adds blocks to a file, which it makes if it is empty.
func (g damageRun) write(to *writtenFile, depth int) {
	o, err := checked(nil)
	if err != nil {
		g.t.Fatal(err)
	}
	disk := bytes.NewBuffer(to.file)
	var w *Writer
	if len(to.file) == 0 {
		if g.IntN(2) == 0 {
			o.Metadata = map[string]any{"k": string(bytes.Repeat([]byte{'m'}, g.IntN(300)))}
		}
		h, err := newFileHeader(&o)
		if err != nil {
			g.t.Fatal(err)
		}
		for i := range h.marker { // the same one in each run of the test
			h.marker[i] = byte(g.Uint32()) | 0x82
		}
		out := newBlockWriter(disk, &o, h)
		if err := out.write(h.bytes()); err != nil {
			g.t.Fatal(err)
		}
		w = newWriter(out, o, nil)
	} else {
		w = g.appending(disk, o)
	}
	to.kind += "blocks"
	for range 1 + g.IntN(8) {
		b := writtenBlock{start: disk.Len()}
		for range 1 + g.IntN(4) {
			raw := wire.AppendString(nil, fmt.Sprintf("%x%s", g.Uint64(), bytes.Repeat([]byte{'x'}, g.IntN(200))))
			if depth > 0 && g.IntN(8) == 0 {
				inner := g.file(depth - 1)
				to.kind += " with (" + inner.kind + ")"
				raw = wire.AppendBin(nil, inner.file)
			}
			if err := w.WriteRaw(raw); err != nil {
				g.t.Fatal(err)
			}
			b.records = append(b.records, raw)
		}
		if err := w.Flush(); err != nil {
			g.t.Fatal(err)
		}
		b.end = disk.Len()
		to.blocks = append(to.blocks, b)
	}
	end := disk.Len()
	if err := w.Close(); err != nil {
		g.t.Fatal(err)
	}
	to.file = disk.Bytes()
	if g.IntN(3) == 0 {
		to.kind += ", not closed"
		to.file = to.file[:end:end]
	}
}

// appending returns a Writer that continues a file, as Append does.
func (g damageRun) appending(disk *bytes.Buffer, o Options) *Writer {
	file := bytes.Clone(disk.Bytes())
	walk := &walk{src: &fileSource{r: bytes.NewReader(file), size: int64(len(file))}, max: o.MaxBlock}
	out := newBlockWriter(disk, &o, fileHeader{})
	for s := atHeader; s != atEnd; {
		var b Block
		var err error
		if s, b, err = walk.step(); err != nil {
			g.t.Fatal(err)
		}
		if s == atBlock {
			out.remember(entry{b.Offset, b.Ordinal, uint32(b.Raw), uint32(b.Stored)})
		}
	}
	out.header, out.find, out.offset = walk.header, newFinder(walk.header.marker), walk.pos
	w := newWriter(out, o, nil)
	w.total = walk.next
	return w
}

// A damagedFile is a file after some changes.
type damagedFile struct {
	name   string
	file   []byte
	origin []int // for each byte, its offset before, or -1 if it was inserted
}

// damaged damages a file one to three times.
func (g damageRun) damaged(file []byte) *damagedFile {
	d := &damagedFile{file: bytes.Clone(file)}
	for i := range file {
		d.origin = append(d.origin, i)
	}
	for range 1 + g.IntN(3)*g.IntN(2) {
		if len(d.file) == 0 {
			break
		}
		at := g.IntN(len(d.file))
		if g.IntN(8) == 0 {
			at = 0
		}
		n := 1 + g.IntN(1+min(len(d.file)-at-1, 1<<g.IntN(12)))
		switch g.IntN(8) {
		case 0, 1, 2:
			d.name += fmt.Sprintf("bit %d of byte %d, ", g.IntN(8), at)
			d.file[at] ^= 1 << g.IntN(8)
		case 3:
			d.name += fmt.Sprintf("%d random bytes at %d, ", n, at)
			for i := range n {
				d.file[at+i] = byte(g.Uint32())
			}
		case 4:
			d.name += fmt.Sprintf("%d zeros at %d, ", n, at)
			clear(d.file[at : at+n])
		case 5:
			d.name += fmt.Sprintf("%d bytes deleted at %d, ", n, at)
			d.file, d.origin = slices.Delete(d.file, at, at+n), slices.Delete(d.origin, at, at+n)
		case 6:
			d.name += fmt.Sprintf("%d bytes inserted at %d, ", n, at)
			more := make([]byte, n)
			for i := range more {
				more[i] = byte(g.Uint32())
			}
			d.file = slices.Insert(d.file, at, more...)
			d.origin = slices.Insert(d.origin, at, slices.Repeat([]int{-1}, n)...)
		case 7:
			if g.IntN(2) == 0 {
				at = len(d.file) - n
			}
			d.name += fmt.Sprintf("cut at %d, ", at)
			d.file, d.origin = d.file[:at], d.origin[:at]
		}
	}
	return d
}

// intact returns the records of the blocks that a damaged file still has, and how many there are. Those that are doubtful
// may be left out.
func (w *writtenFile) intact(d *damagedFile) (records, doubtful []msgpack.Raw, blocks int) {
	for _, b := range w.blocks {
		if bytes.Contains(d.file, w.file[b.start:b.end]) {
			records = append(records, b.records...)
			if w.doubts(d, b.part) {
				doubtful = append(doubtful, b.records...)
			}
			blocks++
		}
	}
	return records, doubtful, blocks
}

// has reports whether the bytes from start to end of a file were not changed.
func (d *damagedFile) has(w *writtenFile, start, end int) bool {
	at := slices.Index(d.origin, start)
	size := end - start
	return at >= 0 && at+size <= len(d.file) && d.origin[at+size-1] == end-1 && bytes.Equal(d.file[at:at+size], w.file[start:end])
}

// doubts reports whether the blocks of a part, which is not the first, cannot be told from those of a record file in a
// record: its header is damaged, and so is what is at its end.
func (w *writtenFile) doubts(d *damagedFile, part int) bool {
	i := slices.IndexFunc(w.blocks, func(b writtenBlock) bool { return b.part == part })
	if d.has(w, part+fileNameAt, part+fileVersionAt) {
		return false
	}
	if i == 0 {
		return w.hidesFirst(d)
	}
	end, last := len(w.file), w.blocks[len(w.blocks)-1]
	for k, b := range w.blocks[i:] {
		if b.part != part {
			end, last = b.part, w.blocks[i+k-1]
			break
		}
	}
	at := slices.Index(d.origin, end-1) + 1
	for _, b := range w.blocks[:i] {
		if d.has(w, b.start, b.start+blockHeaderSize) && slices.Index(d.origin, b.start)+b.end-b.start >= at {
			return true // this block seems to have everything to the end of the part
		}
	}
	return !d.has(w, last.start, end) || at < len(d.file) && (d.origin[at] != end || !d.has(w, end, end+fileVersionAt))
}

// forges reports whether the damage has removed exactly what divides the name in a record, so that a file header in it is
// like one of the file.
func (d *damagedFile) forges(w *writtenFile) bool {
	return bytes.Count(d.file, []byte(name)) > bytes.Count(w.file, []byte(name))
}

// hidesFirst reports whether nothing tells that the first part, whose header is damaged, is not in the first records of
// the second one: the header of this is damaged, too, and so are the header of its first block and its tables.
func (w *writtenFile) hidesFirst(d *damagedFile) bool {
	i := slices.IndexFunc(w.blocks, func(b writtenBlock) bool { return b.part > 0 })
	if i < 0 {
		return false
	}
	second := w.blocks[i]
	last, end := 0, len(w.file)
	for _, b := range w.blocks[i:] {
		if b.part != second.part {
			end = b.part
			break
		}
		last = b.end
	}
	return !d.has(w, second.part+fileNameAt, second.part+fileVersionAt) && !d.has(w, second.start, second.start+blockHeaderSize) &&
		!(end-last >= minIndex && d.has(w, last, end))
}

// showsAll reports whether the last block of each part is whole, so that its ordinal shows how many records are lost.
func (d *damagedFile) showsAll(w *writtenFile) bool {
	for i, b := range w.blocks {
		last := i+1 == len(w.blocks) || w.blocks[i+1].part != b.part
		if last && !bytes.Contains(d.file, w.file[b.start:b.end]) {
			return false
		}
	}
	return true
}

// hidesPart reports whether a part has lost its header, the headers of all blocks, and its tables. Nothing then tells that
// the record files in its records are not parts themselves.
func (d *damagedFile) hidesPart(w *writtenFile) bool {
	for i, b := range w.blocks {
		if i > 0 && w.blocks[i-1].part == b.part {
			continue
		}
		left := d.has(w, b.part+fileNameAt, b.part+fileVersionAt)
		last, end := 0, len(w.file)
		for _, next := range w.blocks[i:] {
			if next.part != b.part {
				end = next.part
				break
			}
			left = left || d.has(w, next.start, next.start+blockHeaderSize)
			last = next.end
		}
		if end-last >= indexFixed {
			size := skippableHeader + int(binary.LittleEndian.Uint32(w.file[last+4:]))
			left = left || bytes.Contains(d.file, w.file[last:last+size])
		}
		if !left {
			return true
		}
	}
	return false
}

// recovered returns what Recover copies.
func (g damageRun) recovered(file []byte) ([]msgpack.Raw, Report) {
	o, err := checked(nil)
	if err != nil {
		g.t.Fatal(err)
	}
	var to bytes.Buffer
	report, err := recoverTo(bytes.NewReader(file), int64(len(file)), &to, &o)
	if err != nil {
		g.t.Fatal(err)
	}
	got, err := collect(All[msgpack.Raw](open(g.t, to.Bytes())))
	if err != nil {
		g.t.Fatal(err)
	}
	return got, report
}

// compare says how the records that were recovered differ from those that should be.
func (d *damagedFile) compare(got, want, doubtful []msgpack.Raw, r Report, w *writtenFile) string {
	missed, wrong, all := 0, 0, 0
	contains := func(list []msgpack.Raw, raw msgpack.Raw) bool {
		return slices.ContainsFunc(list, func(r msgpack.Raw) bool { return bytes.Equal(r, raw) })
	}
	rest := want
	for _, raw := range got {
		i := slices.IndexFunc(rest, func(r msgpack.Raw) bool { return bytes.Equal(r, raw) })
		if i < 0 {
			wrong++
			continue
		}
		rest = rest[i+1:]
	}
	for _, raw := range want {
		if !contains(got, raw) && !contains(doubtful, raw) {
			missed++
		}
	}
	if d.hidesPart(w) && missed == 0 {
		return ""
	}
	for _, b := range w.blocks {
		all += len(b.records)
	}
	if missed == 0 && len(doubtful) == 0 && d.showsAll(w) && r.Records+r.Lost != int64(all) {
		return fmt.Sprintf("%d records lost, want %d; %s", r.Lost, int64(all)-r.Records, w.kind)
	}
	if missed > 0 || wrong > 0 || r.Records != int64(len(got)) || r.Lost < 0 || r.Records+r.Lost > int64(all) {
		return fmt.Sprintf("%d records missed of %d, %d wrong of %d, all %d; %s; %v", missed, len(want), wrong, len(got), all, w.kind, r)
	}
	return ""
}

// recoverTo is Recover for a reader and a writer.
func recoverTo(r io.ReaderAt, size int64, to io.Writer, o *Options) (Report, error) {
	src := &fileSource{r: r, size: size, ahead: largeRead}
	run := &recovery{src: src, size: size, walk: walk{src: src, max: o.MaxBlock}, blocks: blockReader{src: src, o: o}}
	var err error
	if run.copy, err = NewWriter(to, o); err != nil {
		return Report{}, err
	}
	if err = run.run(); err == nil {
		err = run.copy.Close()
	}
	return run.report, err
}
