// Package scan reads a stream of MessagePack values header by header.
//
// It is for work on input that may be larger than memory, or false: one window
// of fixed size slides over the input, payloads pass through it in parts, and a
// count or length from the wire is never used to allocate. What it hands out
// are tokens, one for each value: its header and its place among the values
// around it. The payload of a token is read with [Scanner.Payload], or skipped
// by asking for the next token.
//
//	s := scan.New(r)
//	for {
//		t, err := s.Next()
//		if err == io.EOF {
//			break // the input ended between two values
//		}
//		…
//	}
//
// Input that is not MessagePack, is cut short, or is nested deeper than
// [wire.MaxDepth] ends in a [*Fault], which knows the offset, the path, what
// was expected, what was found and the bytes around it. Any other error is the
// reader's own.
package scan
