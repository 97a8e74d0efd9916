package layout

import "github.com/octet-go/octet/internal/mem"

// exit executes an operation at which the loop stopped, because it needs a call, memory
// or more data, or because something is wrong. It returns the operation, the position
// and the variable with which the loop goes on. The loop calls exit for an operation
// that it can do itself, too, when this one time it cannot, so exit does every
// operation from its beginning: the loop changes nothing before it gives up. If room
// for the next run follows, exit makes sure of it, because the loop does not test
// again.
func (d *decoder) exit(o *op, pos int, p mem.Ptr) (next *op, at int, q mem.Ptr, err *Error) {
	next, at, q = mem.Next(o), pos, p
	switch o.code {
	case opSeq:
		next, at, q, err = d.begin(o, pos, p)
	case opEach:
		if q = p.Add(o.off); o.n == 0 {
			next, q = mem.Skip(o, int(o.to)), p
		} else {
			*d.level(o) = level{outer: p, left: int(o.n)}
		}
	case opNext:
		s := d.level(o)
		if s.left--; s.left == 0 {
			return next, pos, s.outer, nil
		}
		next, q = mem.Skip(o, int(o.to)), p.Add(uintptr(o.imm))
	case opAppend, opAppendRare:
		next, q, err = d.nextElement(o, pos, p)
	case opDeref:
		q, err = d.deref(o, pos, p)
	case opIf:
		var present bool
		if present, err = d.present(o, pos, p); !present {
			return mem.Skip(o, int(o.to)), pos, p, d.located(o.x, err)
		}
	case opOrder:
		next, err = o.chosen(uint64(d.slots[o.x.node.value]), pos)
	case opUnion:
		next, q, err = d.union(o, pos, p)
	case opDigits:
		if at = d.digits(o, pos, p); at < 0 {
			at, err = d.step(o, pos, p)
		}
	case opWord, opWide:
		for i := range o.x.joined {
			if at, err = d.step(&o.x.joined[i], at, p); err != nil {
				return nil, at, p, d.located(o.x.joined[i].x, err)
			}
		}
	default:
		at, err = d.step(o, pos, p)
	}
	if err != nil {
		return nil, at, p, d.located(o.x, err)
	}
	// The room is for what follows in the list, but after an element for the next one, to which
	// these operations jump back. Whoever leaves a slice has no run to make room for.
	repeats := o.code == opNext || o.code == opAppend || o.code == opAppendRare
	if o.after > 0 && (next == mem.Next(o)) != repeats {
		err = d.room(o, at)
	}
	return next, at, q, err
}

// step executes an operation that changes neither the variable nor the order of the
// operations. It returns where the value ends.
func (d *decoder) step(o *op, pos int, p mem.Ptr) (at int, err *Error) {
	at = pos
	switch o.code {
	case opRoom:
	case opNumber, opValue, opDigits, opVarint:
		at, err = d.value(o, pos, p)
	case opBlock:
		o.x.plan.DecodeOne(mem.Bytes(d.data).Add(uintptr(pos)), p.Add(o.off))
		at += int(o.n)
	case opBits:
		at, err = d.bits(o, pos, p)
	case opMagic:
		err = d.magic(o, pos, p)
		at += int(o.n)
	case opAlign:
		n := int(o.n)
		n = (n - pos%n) % n
		err = d.need(pos, n)
		at += n
	case opBytes, opText, opTextVarint, opTextAmount, opEnded, opFixed, opUTF16, opRest:
		at, err = d.bytes(o, pos, p.Add(o.off))
	case opItems:
		at, err = d.items(o, pos, p.Add(o.off))
	case opCall:
		at, err = d.call(o, pos, p.Add(o.off))
	case opOpen:
		at, err = d.open(o, pos)
	case opClose:
		if end := int(d.slots[o.x.own]); pos != end { // a range that the frame is in may have made d.end less
			err = failure(pos, ErrLength, "%s left over in %s", areBytes(end-pos), o.x.node.lastName())
		}
		d.end = int(d.slots[o.slot])
	case opUnknown:
		at, err = d.unknown(o, pos, p.Add(o.off))
	case opUser:
		at, err = d.user(o, pos, p.Add(o.off))
	case opRaw:
		err = d.raw(o, pos, p)
	case opEnter:
		d.slots[o.slot] = int64(d.end)
		for _, l := range o.x.links {
			d.slots[l.bound] = unbounded
		}
	case opBegin:
		err = d.beginRange(o, pos)
	case opFinish:
		err = d.finishRange(o, pos)
	case opDerive:
		err = d.compare(o, pos)
	case opBound:
		err = d.links(o.x.node, int(d.slots[o.slot]>>1-1), pos, uint64(d.slots[o.n]))
	case opCheck:
		err = o.x.num.checkValue(o.x.num.load(p.Add(o.off)), pos-int(o.n))
	case opSum:
		err = d.verify(o, pos)
	case opShow:
		d.watch.show(d, o, pos)
	case opShown:
		d.watch.shown(d, o, pos, p)
	}
	return at, err
}

// level returns the level of an operation.
func (d *decoder) level(o *op) *level { return levelAt(d.levels, o.level) }

// located completes an error of the operation that x belongs to: with its own path,
// then with the indexes, frames and paths of what is around it in this list. The path
// is made here and not while decoding, so that a message without errors pays nothing
// for it.
func (d *decoder) located(x *detail, err *Error) *Error {
	if err == nil || x == nil {
		return err
	}
	err = d.inExtents(x, under(x.path, err))
	return d.inside(x.outer, err)
}

// inside completes an error of what the operation that x belongs to has opened. It
// begins at x, goes outward, and stops at the beginning of the list: what called the
// list adds the rest.
func (d *decoder) inside(x *detail, err *Error) *Error {
	for ; x != nil; x = x.outer {
		switch x.opens {
		case opSeq, opEach:
			err = underIndex(d.index(x), err)
		case opFrame:
			err = inFrame(err, int(d.slots[x.own]), x.node.lastName())
		}
		err = d.inExtents(x, under(x.path, err))
	}
	return err
}

// inExtents completes an error about the end of a range of fields in the part of the
// message that x belongs to. Such an error says how many bytes are left, and a reader
// needs to know which number allows no more. That is none in a message without bytes: the
// slots of bounds are 0 before their ranges begin.
func (d *decoder) inExtents(x *detail, err *Error) *Error {
	if err.frameEnd <= 0 || x.bounds == nil {
		return err
	}
	for _, l := range *x.bounds {
		if d.slots[l.bound] == int64(err.frameEnd) && !l.of.endsBefore(err.tooLong) {
			err = inFrame(err, err.frameEnd, "the fields that "+l.num.name+" measures")
		}
	}
	return err
}

// endsBefore reports whether both are ranges of one struct and e ends first.
func (e *extent) endsBefore(other *extent) bool {
	return other != nil && e.scope == other.scope && e.to < other.to
}

// index returns the index of the element that is being decoded. It is the last one of a
// slice, because a slice has the length of what is decoded, and that of an array
// follows from what is left.
func (d *decoder) index(x *detail) int {
	s := levelAt(d.levels, x.level)
	if x.opens == opEach {
		return x.node.typ.Len() - s.left
	}
	return mem.At[mem.SliceHeader](s.outer.Add(x.off)).Len - 1
}

// truncated returns the error for a field that needs more bytes than its frame has. A
// stream whose end is not known has no frame that is too small; there the limit of
// Options is what is exceeded.
func (d *decoder) truncated(pos int, format string, args ...any) *Error {
	if d.end == unbounded {
		return d.source.tooLong(pos)
	}
	err := failure(pos, ErrTruncated, format, args...)
	err.frameEnd = d.end
	return err
}

// short is truncated for n bytes.
func (d *decoder) short(pos, n int) *Error {
	return d.truncated(pos, "%s, but %s", bytesAre(n, "needed"), bytesAre(d.end-pos, "left"))
}

// tooLong is truncated for a length that the message states.
func (d *decoder) tooLong(pos int, n uint64) *Error {
	return d.truncated(pos, "length %d exceeds the %s left", n, plural(d.end-pos))
}

// inFrame completes an error about the end of the frame that is called name. In a frame
// that a length bounds, too few bytes are ErrLength: more input would not help, which
// is what ErrTruncated tells a caller.
func inFrame(err *Error, end int, name string) *Error {
	if err.frameEnd == end && end >= 0 {
		err.frameEnd = -1
		err.Err = ErrLength
		if !err.foreign {
			err.Text += " in " + name
		}
	}
	return err
}

// need checks that there are n bytes at pos, and reads them from a stream. All exits
// that read from d.data call it first. It may move d.data, so that slices of it from
// before are not valid after it.
func (d *decoder) need(pos, n int) *Error {
	switch {
	case n > d.end-pos:
		return d.short(pos, n)
	case n > len(d.data)-pos:
		return d.fill(pos, n)
	}
	return nil
}

// room checks that the frame has the bytes of the run that begins after o, and reads
// them from a stream. The error belongs to the field that does not fit, not to o: o
// only has the room for the run.
func (d *decoder) room(o *op, pos int) *Error {
	err := d.roomFor(o.x, pos, int(o.after))
	if err == nil {
		return nil
	}
	// The run is inside what o has opened, such as an element. Only that after a frame is not.
	if o.x.opens == 0 || o.code == opClose {
		return d.inside(o.x.outer, d.inExtents(o.x, err))
	}
	return d.inside(o.x, d.inExtents(o.x, err))
}

// roomFor is room without the path of what is around the run. It reads what there is of
// the frame, even if that is too little, so that an error in a stream is the same as
// that in a slice of the same bytes.
func (d *decoder) roomFor(x *detail, pos, n int) *Error {
	if n <= d.end-pos {
		if err := d.need(pos, n); err != nil {
			return x.locateError(err, pos, len(d.data))
		}
		return nil
	}
	if d.end > len(d.data) {
		if err := d.fill(pos, d.end-pos); err != nil {
			return x.locateError(err, pos, len(d.data))
		}
	}
	return x.locateError(d.short(pos, n), pos, d.end)
}

// locateError gives an error the path and offset of the first field of the run that is
// not complete. The room of a run is checked as a whole, and only here are its fields
// told apart.
func (x *detail) locateError(err *Error, pos, end int) *Error {
	from := pos
	for _, f := range x.fields {
		if to := pos + f.end; to > end {
			switch left := max(0, end-from); {
			case err.frameEnd >= 0:
				err.Text = bytesAre(to-from, "needed") + ", but " + bytesAre(left, "left")
			case err.atEnd:
				err.Text = inputEnds(to-from, left)
			}
			err.Offset = int64(from)
			return under(f.path, err)
		} else {
			from = to
		}
	}
	return err
}

// open begins a frame: after its prefix, or with the length that a number gives. It
// notes the end of the frame around, which opClose restores, and limits what is inside
// to its own.
func (d *decoder) open(o *op, pos int) (at int, err *Error) {
	x, g := o.x, &o.x.node.tag
	at = pos
	var v uint64
	switch {
	case g.prefix != "":
		var size int
		if v, size, err = d.prefix(&x.num, pos); err != nil {
			return pos, err
		}
		at += size
	case x.node.sized != nil:
		if v, err = d.length(x.node, pos); err != nil {
			return pos, err
		}
	case g.fixed >= 0:
		v = uint64(g.fixed)
	}
	if v > uint64(d.end-at) {
		return pos, d.tooLong(at, v)
	}
	end := at + int(v)
	if err := d.affordable(pos, end); err != nil {
		return pos, err
	}
	d.slots[o.slot], d.slots[x.own] = int64(d.end), int64(end)
	d.end = end
	return at, nil
}

// deref makes the target of a pointer. The target is always new. A target from an
// earlier message may be shared with a value that the caller has kept.
func (d *decoder) deref(o *op, pos int, p mem.Ptr) (mem.Ptr, *Error) {
	m := &o.x.makers[0]
	if err := d.takeMemory(pos, 1, m.size); err != nil {
		return p, err
	}
	q := m.one()
	p.Add(o.off).SetPtr(q)
	d.level(o).outer = p
	return q, nil
}

// union makes the variant that a number selects. The interface holds it from the
// beginning. Numbers in the variant that other fields ask for are forgotten first,
// because the last variant at this place may have set them.
func (d *decoder) union(o *op, pos int, p mem.Ptr) (*op, mem.Ptr, *Error) {
	x := o.x
	u, tag := x.node.union, uint64(*d.slot(o.n))
	i := u.byTag(tag)
	if i < 0 {
		return nil, p, failure(pos, ErrVariant, "no variant has the tag %s, which %s holds", x.node.switchOn.num.text(tag), x.node.switchOn.name)
	}
	for _, s := range x.reset {
		d.slots[s] = 0
	}
	m := &x.makers[i]
	if err := d.takeMemory(pos, 1, m.size); err != nil {
		return nil, p, err
	}
	v := m.one()
	if i == u.unknown {
		mem.At[Unknown](v).Tag = tag
	}
	mem.SetInterface(p.Add(o.off), u.firsts[i], v) // v is the pointer if the variant is one
	d.level(o).outer = p
	return mem.Skip(o, int(x.starts[i])), v, nil
}

// call runs the list of a recursive struct, or of what is nested more deeply than a
// list has levels. Each call of a recursive struct has its own slots. The slots are
// restored after the call, so that a length in the outer value is not that of an inner
// one. The depth is limited because the list calls itself on the stack of Go.
func (d *decoder) call(o *op, pos int, p mem.Ptr) (int, *Error) {
	if !o.x.list.recursive {
		return d.inner(o.x.list, pos, p)
	}
	levels := int(o.n) + 1
	if d.calls+levels > maxDepth {
		return pos, failure(pos, ErrDepth, "nested more than %d deep", maxDepth)
	}
	d.calls += levels
	slots, first := d.slots[:d.message.slots+1], len(d.saved)
	var room [someSlots]int64 // on the stack
	saved := room[:copy(room[:], slots)]
	if len(slots) > len(room) {
		d.saved = append(d.saved, slots...)
		saved = d.saved[first:]
	}
	pos, err := d.inner(o.x.list, pos, p)
	copy(slots, saved)
	d.saved = d.saved[:first]
	d.calls -= levels
	return pos, err
}

// keep returns bytes of the message for a variable: a copy, or the bytes themselves if
// the codec aliases its input. The copy has no spare capacity that the caller could
// append into.
func (d *decoder) keep(b []byte) []byte {
	if d.alias {
		return b
	}
	return mem.Copied(b)
}

// text returns n bytes of the message at pos for a string or []byte: those of the
// input, of a copy that short texts share, or of a copy of their own. The result has no
// capacity after its end, so that appending to one text cannot overwrite the next one
// in the chunk.
func (d *decoder) text(pos, n int) []byte {
	switch b := d.data[pos : pos+n : pos+n]; {
	case d.alias || n == 0:
		return d.keep(b)
	case n <= maxShared && pos+n <= d.chunkTo:
		at := pos - d.chunkFrom
		return mem.Slice(d.chunk, at+n)[at : at+n : at+n]
	}
	return mem.Slice(d.copied(pos, n), n)
}

// copies does what the loop has prepared: it copies n bytes at at for a text, after which
// there are others that belong to it, or decodes n elements at at into the memory of a slice,
// which suffices. The loop has compared n with the bytes.
func (d *decoder) copies(o *op, pos int, p mem.Ptr, at, n, after int) (*op, int, mem.Ptr) {
	switch {
	case o.code == opItems:
		h := mem.At[mem.SliceHeader](p.Add(o.off))
		if h.Len = n; n > 0 {
			o.x.plan.DecodeAll(mem.Bytes(d.data).Add(uintptr(at)), h.Data, n)
		}
		*d.slot(int32(o.x.begins)), *d.slot(int32(o.x.node.amount)) = int64(pos), int64(n)
		return mem.Next(o), at + n*int(o.imm), p
	case o.size != 0:
		*mem.At[mem.TextHeader](p.Add(o.off)) = mem.TextHeader{Data: d.copied(at, n), Len: n}
	default:
		*mem.At[mem.SliceHeader](p.Add(o.off)) = mem.SliceHeader{Data: d.copied(at, n), Len: n, Cap: n}
	}
	*d.slot(o.to) = int64(n)
	return mem.Next(o), at + n + after, p
}

// copied returns a copy of n bytes of the message at pos. If they are few, the copy has
// more bytes, which the texts that follow share. The chunk is a copy of the message
// from pos on, so that the loop finds a text that follows at the same distance from the
// chunk's beginning, without keeping count of what is used. A message with a single
// text has nothing to share.
func (d *decoder) copied(pos, n int) mem.Ptr {
	if n > maxShared || d.message.alone {
		return mem.Bytes(mem.Copied(d.data[pos : pos+n]))
	}
	size := min(len(d.data)-pos, chunkSize)
	d.chunk = mem.Bytes(mem.Copied(d.data[pos : pos+size]))
	d.chunkFrom, d.chunkTo = pos, pos+size
	return d.chunk
}
