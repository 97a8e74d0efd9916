// Package bytebuf has buffers of bytes: [Buffer], a drop-in for bytes.Buffer that needs no heap memory for short
// contents, and [Pool], which keeps Buffers for reuse. Package [github.com/octet-go/octet/bytebuf/chain] has a queue of
// blocks for contents that are too large to copy.
//
// It is for programs that build many short strings and messages. Change the import and the name of the type, and the
// rest stays:
//
//	var b bytebuf.Buffer
//	fmt.Fprintf(&b, "%d items", n)
//	return b.String()
//
// # Words
//
// The contents of a Buffer are the bytes written and not yet read. Its capacity is what it has memory for, and its
// room the part of that behind the contents.
//
// # Where the bytes are
//
// The first 64 bytes are in the Buffer itself. A Buffer that is a local variable stays on the stack through every
// method, and with short contents costs no allocation at all. The methods that return contents or room without copying
// (Bytes, Next, Peek, AvailableBuffer, Reserve) take it to the heap only if their result goes there. ReadFrom gives
// the reader pooled memory first, and WriteTo moves the contents to 64 bytes of heap: its one allocation, which
// bytes.Buffer has at the first write.
//
// What does put a Buffer on the heap is to pass it as an io.Writer or io.Reader, to fmt.Fprintf for one. That is a
// single allocation then, where bytes.Buffer has two.
//
// Longer contents move to the heap and grow there as those of bytes.Buffer do, to the same capacities.
//
// # What differs from bytes.Buffer
//
// Every method of bytes.Buffer is here, with the same results and errors. Panics and errors have the same texts, so
// they speak of bytes.Buffer. This is what differs:
//
// A copy of a Buffer with contents in the struct has contents of its own. With bytes.Buffer, and with more than 64
// bytes here, both go on in the same memory.
//
// ReadFrom does not grow a Buffer with room for all the reader has: where fewer than MinRead bytes are free, it reads
// into other memory first. The capacity after ReadFrom may differ therefore, and so may what depends on it: UnreadByte
// and UnreadRune have no effect after Grow, if that moved the contents. How far a reader gets that panics may depend
// on the capacity, too.
//
// ReadFrom returns io.ErrNoProgress for a reader that returns no bytes and no error 100 times in a row. bytes.Buffer
// goes on asking it.
//
// reflect.DeepEqual compares the memory inside the struct as well, and finds two Buffers with equal contents different
// if other bytes were there before.
//
// A slice that Bytes, Next, Peek, AvailableBuffer or Reserve returned may keep the whole Buffer in memory.
//
// A negative count given to Next or Peek is a run-time error, as ever, but its text may name other bounds.
package bytebuf
