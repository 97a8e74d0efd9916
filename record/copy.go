package record

// Copy appends the records of a range of another file. It copies whole blocks
// without decoding or compressing them, and returns how many records these have.
// Blocks that were compressed are copied whether or not the Writer has a Compressor.
//
// An error of f leaves the Writer usable; the records before it were copied.
func (w *Writer) Copy(f *File, r Range) (records int64, err error) {
	if w.out == nil {
		return 0, w.failed()
	}
	walk, err := f.enter(r, f.source())
	if err != nil {
		return 0, inFile(f.path, err)
	}
	blocks := &blockReader{src: walk.src, o: &f.o}
	for {
		b, more, err := walk.nextIn(r)
		if err != nil {
			return records, inFile(f.path, err)
		}
		if !more {
			return records, nil
		}
		if err := w.copyBlock(blocks, b); err != nil {
			if failed := w.failed(); failed != nil {
				return records, failed // this is not about f
			}
			return records, inFile(f.path, walk.blockError(b, err))
		}
		records += int64(b.Records)
	}
}

// copyBlock appends one block.
func (w *Writer) copyBlock(r *blockReader, b Block) error {
	if b.Raw > w.o.MaxBlock {
		return faultAt(ErrLimit, b.Offset, "block that is larger than MaxBlock")
	}
	frame, err := r.frame(b)
	if err != nil {
		return err
	}
	if !w.out.find.contains(frame) {
		return w.sendBlock(frame, b, true)
	}
	// This does not happen by chance: the frame was written by a program that does not
	// divide markers, or that knows the marker of w.
	if err := r.read(b); err != nil {
		return err
	}
	return w.sendBlock(r.content, b, false)
}

// sendBlock gives the goroutine a frame, or the records for one.
func (w *Writer) sendBlock(bytes []byte, b Block, isFrame bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.failed(); err != nil {
		return err
	}
	w.cut()
	if w.jobs == nil {
		w.start()
	}
	j := job{buf: w.take(), records: uint32(b.Records), ordinal: w.total - w.part}
	if isFrame {
		j.buf = j.buf[:blockHeaderSize]
		j.framed, j.raw, j.crc = true, uint32(b.Raw), b.crc
	}
	j.buf = append(j.buf, bytes...)
	w.send(j)
	w.total += int64(b.Records)
	w.arm()
	return nil
}
