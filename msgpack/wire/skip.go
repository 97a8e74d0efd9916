package wire

// MaxDepth is the nesting limit that the packages above use unless told
// otherwise: a value inside 512 containers is read, one inside 513 is not.
const MaxDepth = 512

// Skip reads one complete value of any kind without building it, and returns
// the number of bytes it took. Containers may be nested depth levels deep.
// Time is linear in the bytes read; the count of a container is refused as
// soon as what is left of src could not hold it together with all that the
// containers around it still expect.
//
// Payloads of timestamps are not looked at. On error, n is the offset of the
// value at fault, so that a caller can say where it lies.
//
// Errors: [ErrTruncated], [ErrReserved], [ErrDepth].
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
	rest := uint64(len(src) - n - size)
	count := h.Values()
	if uint64(h.Payload)+count+owed > rest {
		return n, ErrTruncated
	}
	if kind := h.Format.Kind(); kind != KindArray && kind != KindMap {
		return n + size + int(h.Payload), nil
	}
	if depth == 0 {
		return n, ErrDepth
	}
	n += size
	for ; count > 0; count-- {
		// Most elements are scalars of one byte or a short string; taking them
		// here saves a call for each.
		if n < len(src) {
			if s := shapes[src[n]]; s.length == 0 && s.kind != KindArray && s.kind != KindMap && s.kind != KindReserved {
				if end := n + int(s.header) + int(s.fixed); end <= len(src) {
					n = end
					continue
				}
			}
		}
		if n, err = skip(src, n, depth-1, owed+count-1); err != nil {
			return n, err
		}
	}
	return n, nil
}
