package wire

// MaxDepth is the default nesting limit of the packages that build on this one: a
// value inside 512 containers is allowed, a value inside 513 is not.
const MaxDepth = 512

// Skip reads one complete value of any kind without decoding it, and returns its
// length. Containers may be nested depth levels deep; if depth is 0 or less, the
// value must not be a container.
//
// Skip does not recurse, so any depth is safe. It does not allocate for values
// nested up to 16 levels deep. For one that is nested deeper, it allocates at most
// 48 bytes for each of its levels.
//
// The time is linear in the bytes read, because Skip refuses a container as soon as
// the rest of src is too short for its elements and for those that the containers
// around it still expect. A timestamp must be well-formed. The content of other
// payloads is not checked.
//
// On error, n is the offset of the value at fault.
//
// Errors: [ErrTruncated], [ErrReserved], [ErrDepth], [ErrTimestamp].
func Skip(src []byte, depth int) (n int, err error) {
	if end := fixedEnd(src, 0); end > 0 {
		return end, nil
	}
	if len(src) > 0 && isContainer(Format(src[0])) {
		return skipContainer(src, depth)
	}
	h, size, err := ConsumeHeader(src)
	if err != nil {
		return 0, err
	}
	return skipPayload(src, 0, size, h)
}

// skipContainer is [Skip] for arrays and maps. It keeps its own stack of the
// containers that are open: outer holds, for each of them, how many values the
// container around it expects after it.
func skipContainer(src []byte, depth int) (n int, err error) {
	var room [usualDepth]uint64
	outer := room[:0]
	left := uint64(1) // values that the innermost container still expects
	owed := uint64(0) // the sum of outer
	for {
		for left > 0 {
			end := fixedEnd(src, n)
			if end == 0 {
				break
			}
			n = end
			left--
		}
		for left == 0 {
			if len(outer) == 0 {
				return n, nil
			}
			left = outer[len(outer)-1]
			outer = outer[:len(outer)-1]
			owed -= left
		}
		left--
		var values uint64
		var size int
		if n < len(src) && src[n]&0xe0 == byte(FixMap) {
			// Most containers are a fixmap or fixarray. Their header is one byte.
			values, size = uint64(src[n]&15), 1
			if src[n] < byte(FixArray) {
				values *= 2
			}
		} else {
			var h Header
			if h, size, err = ConsumeHeader(src[n:]); err != nil {
				return n, err
			}
			if !isContainer(h.Format) {
				if n, err = skipPayload(src, n, size, h); err != nil {
					return n, err
				}
				continue
			}
			values = h.Values()
		}
		// Check before the elements are read: otherwise nested headers with large
		// counts would make the caller believe them until the end of the input.
		if !Fits(values, owed+left, len(src)-n-size) {
			return n, ErrTruncated
		}
		if len(outer) >= depth {
			return n, ErrDepth
		}
		outer = append(outer, left)
		owed += left
		left = values
		n += size
	}
}

// skipPayload returns the end of the value at n, which is not a container and has a
// header of the given size.
func skipPayload(src []byte, n, size int, h Header) (int, error) {
	content := n + size
	if uint64(h.Payload) > uint64(len(src)-content) {
		return n, ErrTruncated
	}
	end := content + int(h.Payload)
	if h.Ext == TimestampType { // h.Ext is 0 unless the value is an ext
		if _, _, err := ParseTimestamp(src[content:end]); err != nil {
			return n, err
		}
	}
	return end, nil
}

// usualDepth is the number of levels for which [Skip] does not allocate.
const usualDepth = 16

// Fits reports whether the rest of the input is long enough for the values that the
// header of a container claims and for those that the containers around it still
// expect after it (owed). Every value takes at least one byte, so no valid input is
// refused. For values, see [Header.Values]; rest must not be negative.
//
// A decoder that calls Fits before it allocates needs memory and time proportional
// to its input, even if many nested headers claim too much.
func Fits(values, owed uint64, rest int) bool { return values+owed <= uint64(rest) }

// isContainer reports whether f is the format of an array or map. f can be any
// format byte.
func isContainer(f Format) bool { return f.Kind() == KindArray || f.Kind() == KindMap }

// fixedEnd returns the end of the value at n if the format byte determines it, as
// for numbers and short strings, which most elements are. It is inlined and saves
// them a call. For all other values, and if src ends inside the value, it returns 0.
func fixedEnd(src []byte, n int) int {
	if n >= len(src) {
		return 0
	}
	size := int(shapes[src[n]].total)
	if size == 0 || size > len(src)-n {
		return 0
	}
	return n + size
}
