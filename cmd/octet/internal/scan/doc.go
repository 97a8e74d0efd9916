// Package scan reads a stream of MessagePack values header by header.
//
// The input may be larger than memory, or malicious: the scanner keeps a window
// of fixed size in memory, returns payloads in parts, and never allocates
// memory for a count or length from the input. It returns one token per value:
// the header of the value and its position in the values around it.
// [Scanner.Payload] reads the payload of a token; the next call of
// [Scanner.Next] skips what is left of it.
//
//	s := scan.New(r, 0)
//	for {
//		t, err := s.Next()
//		if err == io.EOF {
//			break // the input ended between two values
//		}
//		…
//	}
//
// If the input is not MessagePack, is truncated, or is nested deeper than
// [wire.MaxDepth], the error is a [*Fault]. It holds the offset, the path, what
// was expected, what was found, and the bytes around the error. Any other error
// comes from the reader.
package scan
