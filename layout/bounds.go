package layout

// The bounds of decoding beside those of lengths and counts. SECURITY.md lists them.
const (
	// memoryPerByte is how many bytes of memory the elements of slices, the targets of
	// pointers and the variants of unions may take for each byte of the input, after
	// the first freeMemory. Without it, elements with fields that take no bytes on the
	// wire would take any amount.
	memoryPerByte = 256
	freeMemory    = 1 << 20

	// againPerByte is how many bytes raw fields and checksums of recursive types may
	// read again for each byte of the input, after the first freeAgain. Without it, each
	// of 512 levels could copy or sum all levels inside.
	againPerByte = 16
	freeAgain    = 1 << 20
)

// A budget is what decoding a message has used of its bounds.
type budget struct {
	memory, again uint64
}

// takeAgain accounts for n bytes of a range that a raw field or a checksum of a
// recursive type reads again.
func (d *decoder) takeAgain(pos, n int) *Error {
	if d.calls == 0 {
		return nil // The type is not recursive, so it determines how often.
	}
	d.used.again += uint64(n)
	if most := againPerByte*uint64(len(d.data)) + freeAgain; d.used.again > most {
		return failure(pos, ErrLimit, "raw fields and checksums of nested structs cover more than %d bytes, %d for each byte of the input and 1 MiB", most, againPerByte)
	}
	return nil
}

// openUser returns the first field whose type decodes itself and whose end no frame
// tells, or nil. Read cannot know how many bytes to read for it: a method that is called
// again for each further byte takes quadratic time.
func (b *builder) openUser() *node {
	for _, n := range b.all {
		if n.kind == userNode && !n.user.binary && n.tag.fixed < 0 && !n.isBounded() {
			return n
		}
	}
	return nil
}

// isBounded reports whether the frame of n ends before the message does, or at least
// where a number in the message says.
func (n *node) isBounded() bool {
	for o := n; o != nil; o = o.around() {
		if o.isFramed() {
			return true
		}
		if o.scope == nil || o.owner != nil {
			continue
		}
		for _, l := range o.scope.links {
			if l.of.from <= o.index && o.index <= l.of.to && l.num.seq < n.seq && !l.isOptional() {
				return true
			}
		}
	}
	return false
}

// cannotRead returns the error for a message with such a field.
func cannotRead(n *node) *Error {
	return unsupported(n.path(), "Read cannot know how many bytes %v takes, because it decodes itself; give the field a prefix, fixed=n or a number with len", n.typ)
}
