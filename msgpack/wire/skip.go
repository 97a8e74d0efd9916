package wire

// MaxDepth is the nesting limit that the packages above use unless told
// otherwise: a value inside 512 containers is read, one inside 513 is not.
const MaxDepth = 512

// Skip reads one complete value of any kind without building it, and returns
// the number of bytes it took. Containers may be nested depth levels deep; with
// a depth of 0 or less only values that are no containers are read. Each level
// takes some stack, so the depth should not come from the input.
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
	return skip(src, 0, depth, 0)
}

// skip reads the value at n. owed counts the values that the containers around
// it expect after it, each of at least one byte.
func skip(src []byte, n, depth int, owed uint64) (int, error) {
	h, size, err := ConsumeHeader(src[n:])
	if err != nil {
		return n, err
	}
	content := n + size
	rest := uint64(len(src) - content)
	switch h.Format.Kind() {
	case KindArray, KindMap:
		if h.Values()+owed > rest {
			return n, ErrTruncated
		}
		if depth <= 0 {
			return n, ErrDepth
		}
		return skipElements(src, content, depth-1, h.Values(), owed)
	}
	if uint64(h.Payload) > rest {
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

// skipElements reads the values of one container, the first of which is at n.
func skipElements(src []byte, n, depth int, count, owed uint64) (int, error) {
	for ; count > 0; count-- {
		if end := plainEnd(src, n); end > 0 {
			n = end
			continue
		}
		var err error
		if n, err = skip(src, n, depth, owed+count-1); err != nil {
			return n, err
		}
	}
	return n, nil
}

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
