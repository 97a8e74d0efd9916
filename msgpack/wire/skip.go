package wire

// MaxDepth is the nesting limit that the packages above use unless told
// otherwise: a value inside 512 containers is read, one inside 513 is not.
const MaxDepth = 512

// Skip reads one complete value of any kind without building it, and returns
// the number of bytes it took. Containers may be nested depth levels deep; with
// a depth of 0 or less only values that are no containers are read.
//
// Skip does not recurse, so any depth is safe. It allocates nothing for values
// nested up to 16 deep, and at most 48 bytes a level for deeper ones.
//
// Time is linear in the bytes read: the count of a container is refused as
// soon as what is left of src could not hold its elements together with all
// that the containers around it still expect. A timestamp must be well-formed;
// of no other payload is the content looked at.
//
// On error, n is the offset of the value at fault, so that a caller can say
// where it lies.
//
// Errors: [ErrTruncated], [ErrReserved], [ErrDepth], [ErrTimestamp].
func Skip(src []byte, depth int) (n int, err error) {
	if end := plainEnd(src, 0); end > 0 {
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

// skipContainer is [Skip] for arrays and maps, with all that is in them.
func skipContainer(src []byte, depth int) (n int, err error) {
	var room [usualDepth]uint64
	outer := room[:0] // for each open container, the values expected after it by the one around it
	left := uint64(1) // values that the innermost container still expects
	owed := uint64(0) // the sum of outer
	for {
		for left > 0 {
			end := plainEnd(src, n)
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
			// A fixmap or fixarray, as most containers are, which needs no full header.
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

// skipPayload returns the end of the value at n, which is no container and has a
// header of the given size.
func skipPayload(src []byte, n, size int, h Header) (int, error) {
	content := n + size
	if uint64(h.Payload) > uint64(len(src)-content) {
		return n, ErrTruncated
	}
	end := content + int(h.Payload)
	if h.Ext == TimestampType { // only an ext has a type, of all else it is 0
		if _, _, err := ParseTimestamp(src[content:end]); err != nil {
			return n, err
		}
	}
	return end, nil
}

// usualDepth is how many levels [Skip] has room for on the stack.
const usualDepth = 16

// Fits reports whether a container may hold as many values as its header claims:
// whether these, together with the values that the containers around it still
// expect after it (owed), fit the rest of the input, at one byte each.
//
// A decoder that asks this before it allocates needs memory and time in
// proportion to its input, however many headers claim too much together. No
// valid input is refused. See [Header.Values]; rest must not be negative.
func Fits(values, owed uint64, rest int) bool { return values+owed <= uint64(rest) }

// isContainer takes any format byte.
func isContainer(f Format) bool { return f.Kind() == KindArray || f.Kind() == KindMap }

// plainEnd returns the end of the value at n if its format byte alone tells it,
// as it does for most elements, numbers and short strings, and saves them a
// call. For any other value, and where src ends before it does, plainEnd is 0.
func plainEnd(src []byte, n int) int {
	if n >= len(src) {
		return 0
	}
	size := int(shapes[src[n]].plain)
	if size == 0 || size > len(src)-n {
		return 0
	}
	return n + size
}
