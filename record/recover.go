package record

import (
	"bytes"
	"io"

	"github.com/octet-go/octet/internal/disk"
)

// Recover reads a file to its end, whatever is damaged in it: after a damaged place
// it continues at the next block. It checks more than reading does: that each record
// is a value, and the checksum of each zstd frame's content. Compressed blocks
// require a Decompressor.
//
// If the header of a file is damaged, as of one that was joined with others, Recover
// continues with its blocks. The records of a record file that is a record itself are
// not taken for those of the file: the ordinals and the tables tell them apart. If these
// are damaged too, Recover leaves out what may be in a record.
//
// If copyTo is not empty, it is the path of a new file for the blocks that are
// whole, in their order. If Recover fails, it removes the new file, unless that was whole
// and synced and only could not be closed. The Report is about the file at path.
func Recover(path, copyTo string, o *Options) (Report, error) {
	return recoverFile(disk.OS, path, copyTo, o)
}

func recoverFile(d disk.Disk, path, copyTo string, o *Options) (Report, error) {
	options, err := checked(o)
	if err != nil {
		return Report{}, err
	}
	file, size, err := openSized(d, path)
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	src := &fileSource{r: file, size: size, ahead: largeRead}
	r := &recovery{src: src, size: size, walk: walk{src: src, max: options.MaxBlock}}
	r.blocks = blockReader{src: src, o: &options}
	if copyTo != "" {
		h := r.header()
		if options.Metadata == nil {
			options.Metadata = h.sameMetadata()
		}
		if options.Schema == nil {
			options.Schema = h.newSchema()
		}
		var copied disk.File
		if r.copy, copied, err = createFile(d, copyTo, &options); err != nil {
			return Report{}, err
		}
		r.copy.close = func(failed bool) error {
			if failed {
				disk.Discard(d, copied) // while it is locked, so that no other program has begun to append to it
				return nil
			}
			return copied.Close()
		}
	}
	if options.Progress != nil {
		src.r = &observedReader{file, r}
	}
	if err = r.progress(0); err == nil {
		err = r.run()
	}
	if r.stopped != nil {
		err = r.stopped // without the place where a read was stopped
	}
	if r.copy != nil {
		err = r.complete(err)
	}
	return r.report, inFile(path, err)
}

// complete closes the copy, which removes it if err is not nil or something fails before it is closed.
func (r *recovery) complete(err error) error {
	if err != nil {
		r.copy.fail(err) // Close then writes and syncs nothing
	}
	if closed := r.copy.Close(); err == nil {
		err = closed
	}
	return err
}

// A recovery is a run of Recover.
type recovery struct {
	src    *fileSource
	size   int64
	walk   walk
	blocks blockReader
	find   *finder // of the part in which a search was last
	copy   *Writer // or nil
	report Report
	open   bool  // the last Damage has no length yet
	again  int64 // bytes of damaged blocks

	// What the last survey has found, if surveyed is set.
	surveyed bool
	runs     []clue // blocks of the file that are still to be read
	runEnd   int64  // the end of those that are read
	end      int64  // where it ended
	why      ending

	done    int64 // the largest argument of Options.Progress so far
	stopped error // its result
}

// progress calls Options.Progress.
func (r *recovery) progress(at int64) error {
	if f := r.blocks.o.Progress; f != nil && r.stopped == nil {
		r.done = max(r.done, at)
		r.stopped = f(r.done)
	}
	return r.stopped
}

// An observedReader is the file of a recovery. It reports the progress of searches, too,
// which may be long.
type observedReader struct {
	file io.ReaderAt
	r    *recovery
}

func (o *observedReader) ReadAt(b []byte, offset int64) (int, error) {
	if err := o.r.progress(offset); err != nil {
		return 0, err
	}
	return o.file.ReadAt(b, offset)
}

// header returns the header of the file, or an empty one if it cannot be read.
func (r *recovery) header() (none fileHeader) {
	w := r.walk
	if s, _, err := w.step(); err != nil || s != atHeader {
		return none
	}
	return w.header
}

// run reads the file. Where the walk ends, a survey finds the blocks that follow.
func (r *recovery) run() error {
	r.report.Size = r.size
	r.walk.strict = true
	for {
		r.passRuns()
		s, b, err := r.walk.step()
		at, claim := r.walk.pos, int64(0)
		if stopped := r.progress(at); stopped != nil {
			return stopped
		}
		if err == nil && s == atBlock {
			if err = r.accept(b); err != nil && isPlace(err) {
				at, claim = b.Offset, b.end()
			}
		}
		switch {
		case err != nil && !isPlace(err):
			return err
		case err != nil || s == atTear:
			more, failed := r.resume(at, claim)
			if failed != nil {
				return failed
			}
			if !more {
				return r.ends(b, at, err)
			}
			r.damage(b, at, err)
		case s == atEnd:
			if r.report.Parts != 1 || r.report.Damaged > 0 {
				return nil
			}
			r.report.Indexed, err = hasIndex(r.src, r.size, &r.walk.header, r.report.Records)
			return err
		case s == atHeader:
			r.repaired(r.walk.part)
			r.report.Parts++
			r.runs, r.runEnd, r.surveyed = nil, 0, false
		}
	}
}

// ends reports what is at the offset, a torn end or damage. Nothing follows. If the
// header of a block is valid, b is this block.
func (r *recovery) ends(b Block, at int64, damage error) error {
	r.walk.strict = false
	err := damage
	if b.Records > 0 {
		err = r.walk.blockError(b, damage)
	} else {
		_, _, err = r.walk.step()
	}
	switch {
	case err == nil:
		r.report.Torn = r.size - r.walk.pos // frames at the place may be ignored
		return nil
	case !isPlace(err):
		return err
	}
	r.damage(b, at, damage)
	r.repaired(r.size)
	return nil
}

// accept checks a block and copies it.
func (r *recovery) accept(b Block) error {
	frame, err := r.blocks.frame(b)
	if err != nil {
		return err
	}
	if err := r.check(b, frameEnd(frame)); err != nil {
		return err
	}
	if r.copy != nil {
		if err := r.copy.copyBlock(&r.blocks, b); err != nil {
			return err
		}
	}
	r.repaired(b.Offset)
	r.report.add(b)
	return nil
}

// check reads a block and verifies it.
func (r *recovery) check(b Block, sum uint32) error {
	if err := r.blocks.read(b); err != nil {
		return err
	}
	return r.blocks.verify(sum)
}

// damage adds a damaged place, which is that of the block b if this has records.
func (r *recovery) damage(b Block, offset int64, err error) {
	r.report.Lost += int64(b.Records)
	if r.open {
		return // the next block after the damage is damaged too
	}
	r.open = true
	r.report.Damaged++
	if len(r.report.Damage) < maxDamage {
		r.report.Damage = append(r.report.Damage, Damage{Offset: offset, Err: err})
	}
}

// repaired ends the damaged place before the offset.
func (r *recovery) repaired(offset int64) {
	if !r.open {
		return
	}
	r.open = false
	if last := &r.report.Damage[len(r.report.Damage)-1]; r.report.Damaged <= maxDamage {
		last.Length = offset - last.Offset
	}
}

// claimed returns the end of the block that is expected at the offset, if its header is
// valid: the file is too short for it, or it is too large. Otherwise it returns 0.
func (r *recovery) claimed(at int64) (end int64, err error) {
	b, err := r.src.at(at, blockHeaderSize)
	if err != nil || len(b) < blockHeaderSize || !r.walk.inPart {
		return 0, err
	}
	if h, m, ok := parseBlockHeader(b); ok && m == r.walk.header.marker && h.ordinal == r.walk.next {
		return at + h.size(), nil
	}
	return 0, nil
}

// resume moves the walk to the next block or file header after the damage at an offset.
// If the damage is in a block with a valid header, claim is where that block ends.
func (r *recovery) resume(at, claim int64) (more bool, err error) {
	from := at
	if claim == 0 {
		if claim, err = r.claimed(at); err != nil {
			return false, err
		}
	}
	if claim > 0 {
		from = r.inside(at, claim)
	}
	r.skipRuns(from)
	if found, err := r.within(from); found || err != nil {
		return found, err
	}
	for {
		if len(r.runs) > 0 {
			r.enter(r.runs[0])
			return true, nil
		}
		if r.surveyed && from <= r.end {
			switch {
			case r.why == endAtHeader && r.end > at:
				r.walk.pos = r.end
				return true, nil
			case r.why == endOfFile:
				return false, nil
			}
			from = r.end
			if r.why == endAtHeader {
				from++ // the walk has refused the header at this place, such as one of another version
			}
		}
		if err := r.survey(from, at, claim); err != nil {
			return false, err
		}
	}
}

// inside returns where to look for the block after a damaged one: inside it, because
// blocks may have been overwritten. That reads bytes again, so if a hostile file has many
// such blocks, inside returns the end of the block.
func (r *recovery) inside(at, end int64) int64 {
	if r.again += min(end, r.size) - at; r.again > 8*r.size {
		return end
	}
	return at + 1
}

// finder returns the finder of the part.
func (r *recovery) finder() *finder {
	m := r.walk.header.marker
	if r.find == nil {
		r.find = newFinder(m)
	} else if r.find.marker != m {
		r.find.set(m)
	}
	return r.find
}

// within moves the walk to the next block of the run that it is in.
func (r *recovery) within(from int64) (found bool, err error) {
	for w := &r.walk; from < r.runEnd; from++ {
		at, isName, _, err := search(r.src, r.finder(), from+blockMarkerAt, r.runEnd)
		if at < 0 || isName || err != nil {
			return false, err
		}
		from = at - blockMarkerAt
		b, err := r.src.at(from, blockHeaderSize)
		if err != nil || len(b) < blockHeaderSize {
			return false, err
		}
		if h, m, ok := parseBlockHeader(b); ok && m == w.header.marker && h.ordinal >= w.next && h.check(w.max) == nil {
			r.report.Lost += h.ordinal - w.next
			w.pos, w.next = from, h.ordinal
			return true, nil
		}
	}
	return false, nil
}

// survey finds the runs that follow the damage at an offset. It looks from another one on.
func (r *recovery) survey(from, at, claim int64) error {
	w := &r.walk
	s := survey{src: r.src, max: w.max, budget: 8*r.size - r.again}
	if w.inPart {
		s.part = extent{known: true, marker: w.header.marker, next: w.next, claim: claim}
		if claim > 0 {
			s.damaged = at
		}
		s.header = w.header.sum()
	}
	b, err := r.src.at(max(at, claim), signSize)
	if err != nil {
		return err
	}
	s.part.start, s.part.tail = at, bytes.Clone(b)
	if err := s.run(from); err != nil {
		return err
	}
	r.runs, r.end, r.why, r.surveyed = s.own(), s.end, s.why, true
	if s.why == endAtBlock {
		r.runs = append(r.runs, clue{marker: s.part.marker, start: s.end, end: s.end + blockHeaderSize, first: s.first})
	}
	return nil
}

// passRuns ends the runs that the walk has reached, and keeps it from passing others.
func (r *recovery) passRuns() {
	r.skipRuns(r.walk.pos)
	r.walk.limit = 0
	if len(r.runs) > 0 {
		r.walk.limit = r.runs[0].start
	} else if r.surveyed && r.end > r.walk.pos {
		r.walk.limit = r.end
	}
}

// skipRuns drops the runs that begin before the offset.
func (r *recovery) skipRuns(offset int64) {
	for len(r.runs) > 0 && r.runs[0].start < offset {
		r.runEnd = r.runs[0].end
		r.runs = r.runs[1:]
	}
}

// enter moves the walk to a run.
func (r *recovery) enter(run clue) {
	w := &r.walk
	if !w.inPart || w.header.marker != run.marker || run.first < w.next {
		// It is in another part, whose header is damaged.
		first := r.firstOf(run)
		w.base += max(w.next, 0)
		w.part, w.next = run.start, first
		w.header, w.inPart = fileHeader{marker: run.marker}, true
	}
	r.report.Lost += run.first - w.next
	w.pos, w.next, r.runEnd = run.start, run.first, run.end
	r.runs = r.runs[1:]
}

// firstOf returns the ordinal of the first record of a part whose header is missing: 0, unless the file begins with
// the header of one of its blocks, as a torn end does that [Append] has moved aside.
func (r *recovery) firstOf(run clue) int64 {
	b, err := r.src.at(0, blockHeaderSize)
	if r.walk.inPart || err != nil || len(b) < blockHeaderSize {
		return 0
	}
	if h, m, ok := parseBlockHeader(b); ok && m == run.marker && h.ordinal <= run.first {
		return h.ordinal
	}
	return 0
}
