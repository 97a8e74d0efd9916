package record

import (
	"encoding/binary"
	"os"
)

// Recover reads a file to its end, whatever is damaged in it: after a damaged place
// it continues at the next block. It checks more than reading does: that each record
// is a value, and the checksum of each zstd frame's content. Compressed blocks
// require a Decompressor.
//
// If copyTo is not empty, it is the path of a new file for the blocks that are
// whole, in their order. If Recover fails, it removes the new file. The Report is about
// the file at path.
func Recover(path, copyTo string, o *Options) (Report, error) {
	options, err := checked(o)
	if err != nil {
		return Report{}, err
	}
	file, size, err := openRegular(path)
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	src := &fileSource{r: file, size: size, ahead: largeRead}
	r := &recovery{src: src, size: size, walk: walk{src: src, max: options.MaxBlock}}
	r.blocks = blockReader{src: src, o: &options}
	if copyTo != "" {
		if options.Metadata == nil {
			options.Metadata = r.metadata()
		}
		if r.copy, err = Create(copyTo, &options); err != nil {
			return Report{}, err
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
		err = r.complete(copyTo, err)
	}
	return r.report, inFile(path, err)
}

// complete closes the copy, or removes it if err is not nil or closing fails.
func (r *recovery) complete(path string, err error) error {
	if err != nil {
		r.copy.fail(err) // Close then writes and syncs nothing
	}
	if closed := r.copy.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// A recovery is a run of Recover.
type recovery struct {
	src    *fileSource
	size   int64
	walk   walk
	blocks blockReader
	copy   *Writer // or nil
	report Report
	open   bool  // the last Damage has no length yet
	again  int64 // bytes of damaged blocks

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
	file *os.File
	r    *recovery
}

func (o *observedReader) ReadAt(b []byte, offset int64) (int, error) {
	if err := o.r.progress(offset); err != nil {
		return 0, err
	}
	return o.file.ReadAt(b, offset)
}

// metadata returns that of the file, if its header can be read.
func (r *recovery) metadata() map[string]any {
	w := r.walk
	if s, _, err := w.step(); err != nil || s != atHeader {
		return nil
	}
	return w.header.metadata()
}

func (r *recovery) run() error {
	r.report.Size = r.size
	for {
		s, b, err := r.walk.step()
		at, next := r.walk.pos, r.walk.pos
		if stopped := r.progress(at); stopped != nil {
			return stopped
		}
		if err == nil && s == atBlock {
			if err = r.accept(b); err != nil && isPlace(err) {
				r.report.Lost += int64(b.Records)
				at, next = b.Offset, r.after(b)
			}
		}
		switch {
		case err != nil && !isPlace(err):
			return err
		case err != nil:
			r.damage(at, err)
			if more, err := r.resume(next); !more || err != nil {
				r.repaired(r.size)
				return err
			}
		case s == atTear && at < r.size:
			// There may be blocks after it, if something was written over it.
			more, err := r.resume(next)
			if err != nil {
				return err
			}
			if !more {
				r.report.Torn = r.size - at
				return nil
			}
			r.damage(at, faultAt(ErrCorrupt, at, "torn block with others after it"))
		case s == atEnd, s == atTear:
			if r.report.Parts != 1 || r.report.Damaged > 0 {
				return nil
			}
			r.report.Indexed, err = hasIndex(r.src, r.size, &r.walk.header, r.report.Records)
			return err
		case s == atHeader:
			r.repaired(r.walk.part)
			r.report.Parts++
		}
	}
}

// after returns where to look for the block after b, which is damaged: inside it,
// because blocks may have been overwritten. That reads bytes again, so if a hostile
// file has many such blocks, after returns the end of b.
func (r *recovery) after(b Block) int64 {
	if r.again += int64(b.Stored); r.again > 8*r.size {
		return b.end()
	}
	return b.Offset + 1
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
	r.report.Blocks++
	r.report.Records += int64(b.Records)
	r.report.Raw += int64(b.Raw)
	r.report.Stored += int64(b.Stored)
	return nil
}

// check reads a block and verifies it.
func (r *recovery) check(b Block, sum uint32) error {
	if err := r.blocks.read(b); err != nil {
		return err
	}
	return r.blocks.verify(sum)
}

// damage adds a damaged place.
func (r *recovery) damage(offset int64, err error) {
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

// resume moves the walk to the next header that is whole, at or after the offset.
func (r *recovery) resume(from int64) (more bool, err error) {
	w := &r.walk
	expected := w.next
	if w.find == nil {
		return r.guess(from)
	}
	for {
		at, isName, _, err := search(r.src, w.find, from+blockMarkerAt, -1)
		if at < 0 || err != nil {
			return false, err
		}
		from = at - blockMarkerAt // the name has the same distance
		b, err := r.src.at(from, skippableHeader+1)
		if err != nil {
			return false, err
		}
		if len(b) <= skippableHeader || binary.LittleEndian.Uint32(b) != magicRecord || b[8] != kindFile && b[8] != kindBlock {
			// A step would pass other frames, as many as there are. In a hostile file, it
			// could pass the same ones from each marker.
			from++
			continue
		}
		try := *w
		try.pos, try.next = from, -1
		s, block, err := try.step()
		if err != nil && !isPlace(err) {
			return false, err
		}
		if err == nil && isName && s == atHeader && try.part == from {
			w.pos = from
			return true, nil
		}
		if first := block.Ordinal - w.base; err == nil && !isName && s == atBlock && block.Offset == from && first >= expected {
			r.report.Lost += first - max(expected, 0)
			w.pos, w.next = from, first
			return true, nil
		}
		from++
	}
}

// guess finds the first block of a file whose header is damaged. It takes the
// marker from there. A block in a record cannot come before it.
func (r *recovery) guess(from int64) (more bool, err error) {
	prefix := binary.LittleEndian.AppendUint32(nil, magicRecord)
	prefix = binary.LittleEndian.AppendUint32(prefix, blockHeaderSize-skippableHeader)
	prefix = append(prefix, kindBlock)
	for {
		at, err := find(r.src, prefix, from)
		if at < 0 || err != nil {
			return false, err
		}
		b, err := r.src.at(at, blockHeaderSize)
		if err != nil {
			return false, err
		}
		if len(b) == blockHeaderSize {
			if h, m, ok := parseBlockHeader(b); ok {
				r.report.Lost += h.ordinal
				r.walk.find = newFinder(m)
				r.walk.pos, r.walk.next = at, h.ordinal
				return true, nil
			}
		}
		from = at + 1
	}
}

// find returns where the text begins at or after from, or -1.
func find(src source, text []byte, from int64) (int64, error) {
	for {
		b, err := src.at(from, largeRead)
		if err != nil {
			return -1, err
		}
		for i := 0; i+len(text) <= len(b); i++ {
			if string(b[i:i+len(text)]) == string(text) {
				return from + int64(i), nil
			}
		}
		if len(b) < largeRead {
			return -1, nil
		}
		from += int64(len(b) - len(text) + 1)
	}
}
