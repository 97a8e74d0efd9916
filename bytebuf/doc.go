// Package bytebuf implements buffers of bytes. [Buffer] is a replacement for bytes.Buffer that does not allocate
// for short contents. [Pool] keeps Buffers for reuse. For contents that are too large to copy, package
// [github.com/octet-go/octet/bytebuf/chain] implements a queue of blocks.
//
// The package is for programs that build many short strings and messages. In a program that uses bytes.Buffer,
// change the import and the name of the type:
//
//	var b bytebuf.Buffer
//	fmt.Fprintf(&b, "%d items", n)
//	return b.String()
//
// # Terms
//
// The contents of a Buffer are the bytes that were written and not yet read. Its capacity is the size of its
// memory. Its room is the part of the capacity after the contents.
//
// # Allocation
//
// The first 64 bytes are inside the Buffer. A Buffer that is a local variable stays on the stack with every method,
// and does not allocate for short contents. The methods that return memory of the Buffer (Bytes, Next, Peek,
// AvailableBuffer, Reserve) move it to the heap only if their result escapes. ReadFrom first passes pooled memory
// to the reader. WriteTo moves the contents to 64 bytes on the heap. This is its only allocation; bytes.Buffer has
// the same one at the first write.
//
// Passing a Buffer as an io.Writer or io.Reader, for example to fmt.Fprintf, moves it to the heap. That is one
// allocation; bytes.Buffer needs two.
//
// Longer contents move to the heap and grow there like those of bytes.Buffer, to the same capacities.
//
// # Differences from bytes.Buffer
//
// Buffer has all methods of bytes.Buffer, with the same results and errors. The texts of panics and errors are the
// same, so they contain the name bytes.Buffer. The differences are:
//
// A copy of a Buffer whose contents are inside the struct has its own contents. A copy of a bytes.Buffer, or of a
// Buffer with more than 64 bytes, shares memory with the original.
//
// ReadFrom does not grow a Buffer that has room for all the data of the reader: if fewer than MinRead bytes are
// free, it reads into other memory first. The capacity after ReadFrom may therefore differ from that of a
// bytes.Buffer. So may everything that depends on the capacity: UnreadByte and UnreadRune have no effect after a
// Grow that moved the contents, and the number of bytes read before a reader panics may differ.
//
// ReadFrom returns io.ErrNoProgress if the reader returns no bytes and no error 100 times in a row. bytes.Buffer
// calls such a reader forever.
//
// reflect.DeepEqual also compares the memory inside the struct. Two Buffers with equal contents are different if
// that memory contained other bytes before.
//
// A slice returned by Bytes, Next, Peek, AvailableBuffer or Reserve may keep the whole Buffer in memory. If the contents
// are inside the struct, assigning another value to the Buffer, as in *b = Buffer{}, overwrites such a slice. After an
// assignment to a bytes.Buffer, it has the bytes from before.
//
// A negative count passed to Next or Peek, and a count of a reader that is larger than its slice, are run-time errors in
// both types, but the text may contain different bounds.
//
// # What only a *bytes.Buffer can do
//
// Some functions of other packages require a *bytes.Buffer or treat it specially. A *Buffer is an io.Reader and an
// io.Writer like any other there:
//
// Functions with a parameter of type *bytes.Buffer do not accept a *Buffer. In the standard library these are Compact,
// HTMLEscape and Indent of encoding/json, and WriteExpr, WriteSignature and WriteType of go/types.
//
// http.NewRequest sets ContentLength and GetBody for a *bytes.Buffer. For a *Buffer it sets neither, so the client
// sends the body in chunks and cannot send it again after a redirect. httptest.NewRequest sets ContentLength likewise.
// Pass bytes.NewReader(b.Bytes()) to both.
//
// encoding/json/v2 and its package jsontext write to a *bytes.Buffer, and read from it, without a copy through a buffer
// of their own.
package bytebuf
