package layout

import "math"

// links follows the links of a number from at to pos: it bounds the ranges that have
// begun. Links of a range that begins after the number wait for beginRange. Those that
// count elements bound nothing: the slice asks for the amount, which is noted here unless it
// is the number itself.
func (d *decoder) links(n *node, at, pos int, v uint64) *Error {
	for _, l := range n.links {
		if l.elements && !l.isScaledCount() {
			continue
		}
		length, err := l.length(v, at)
		if err != nil {
			return err
		}
		if l.elements {
			d.slots[l.amount] = int64(length)
		}
		if l.bound == 0 {
			continue
		}
		s := l.of.scope
		if l.num.field(s).index < l.of.from {
			continue // opBegin knows where it begins
		}
		if err := d.bound(l, int(d.slots[l.of.start]), length, at, pos); err != nil {
			return err
		}
	}
	return nil
}

// length returns the bytes or elements that the number says. It is the inverse of
// number. Both limit what they compute to a quarter of an int64, so that the sum of a
// position and a length cannot overflow.
func (l *link) length(v uint64, pos int) (uint64, *Error) {
	const most = math.MaxInt64 / 4
	if v > uint64(most/l.factor) || int64(v)*l.factor+l.plus < 0 {
		return 0, failure(pos, ErrLength, "%s is out of range for %s", l.num.num.text(v), l.text)
	}
	return uint64(int64(v)*l.factor + l.plus), nil
}

// bound sets the end of a range that begins at start. at is the offset of the number, or of
// the range if that begins after the number; pos is that of what follows. The frames between
// the number and the range, which the range may end before, get the same end.
func (d *decoder) bound(l *link, start int, length uint64, at, pos int) *Error {
	outer := int(d.slots[l.of.scope.end])
	tooMuch := length > uint64(outer-start)
	end := start + int(length)
	var costs *Error
	if !tooMuch {
		costs = d.affordable(at, end)
	}
	if tooMuch || costs != nil {
		for _, k := range l.of.scope.links { // a range around it that is complete makes the length wrong
			if k.of.from <= l.of.from && l.of.to <= k.of.to {
				outer = min(outer, int(d.slots[k.bound]))
			}
		}
		switch {
		case length <= uint64(outer-start):
			return costs
		case outer == unbounded:
			return d.source.tooLong(at)
		}
		err := failure(at, ErrTruncated, "length %d exceeds the %s left", length, plural(outer-start))
		err.frameEnd, err.tooLong = outer, l.of
		return err
	}
	if end < pos {
		return failure(at, ErrLength, "%s: length %d ends inside this number", l.text, length)
	}
	d.slots[l.bound] = int64(end)
	for _, s := range l.lower {
		d.slots[s] = min(d.slots[s], int64(end))
	}
	d.end = min(d.end, end)
	return nil
}

// beginRange notes where a range begins, and bounds it if its length is known. A number
// that has no place is absent, because its field has a condition, and bounds nothing.
func (d *decoder) beginRange(o *op, pos int) *Error {
	d.slots[o.x.of.start] = int64(pos)
	for _, l := range o.x.links {
		if d.slots[l.num.place] == 0 {
			continue
		}
		length, err := l.length(uint64(d.slots[l.num.value]), pos)
		if err == nil {
			err = d.bound(l, pos, length, pos, pos)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// finishRange notes where a range ends, and removes its bounds. The end of the frame is
// then that of the tightest range around that is still open.
func (d *decoder) finishRange(o *op, pos int) *Error {
	d.slots[o.x.of.stop] = int64(pos)
	for _, l := range o.x.links {
		if end := d.slots[l.bound]; end != unbounded && end != int64(pos) {
			return failure(pos, ErrLength, "%s left over from the length in %s", areBytes(int(end)-pos), l.num.name)
		}
		d.slots[l.bound] = unbounded
	}
	// Other ranges of the struct may still be open, and end before the frame does.
	s := o.x.of.scope
	end := d.slots[s.end]
	for _, l := range s.links {
		end = min(end, d.slots[l.bound])
	}
	d.end = int(end)
	return nil
}

// compare verifies a length or count against what it measures.
func (d *decoder) compare(o *op, pos int) *Error {
	l := o.x.link
	if d.slots[l.num.place] == 0 {
		return nil
	}
	at := int(d.slots[l.num.place]>>1 - 1)
	v := uint64(d.slots[l.num.value])
	want, err := l.length(v, at)
	if err != nil {
		return err
	}
	got := uint64(d.slots[l.of.stop] - d.slots[l.of.start])
	if l.elements {
		got = uint64(d.slots[l.target.amount])
	}
	if got != want {
		return failure(at, ErrLength, "%s says %s, but there are %d", l.text, l.counted(want), got)
	}
	return nil
}

// verify compares a checksum with the bytes. The bytes of the checksum itself count as
// zero. What that costs counts for the limit on work, because ranges may overlap.
func (d *decoder) verify(o *op, pos int) *Error {
	c := o.x.sum
	if d.slots[c.num.place] == 0 {
		return nil
	}
	at := int(d.slots[c.num.place]>>1 - 1)
	from, to := int(d.slots[c.of.start]), int(d.slots[c.of.stop])
	if err := d.takeAgain(at, to-from, o.n); err != nil {
		return err
	}
	data, own, n := d.data[from:to:to], at-from, int(c.num.num.width)
	if own < 0 || at >= to {
		own = -1
	}
	want, got := sumOf(c.sum, c.around, data, own, n), uint64(d.slots[c.num.value])
	if want != got {
		return failure(at, ErrChecksum, "%s is %#x, but the checksum of the bytes is %#x", c.name, got, want)
	}
	return nil
}
