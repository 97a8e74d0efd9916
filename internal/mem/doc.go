// Package mem is the only place in Octet that touches memory behind the
// compiler's back. Everything else reads and writes values of a type known
// only at run time through it.
//
// Its functions are one or two lines each, named for what the caller means, and
// check nothing: each states what the caller has to guarantee. Three duties are
// common to all of them.
//
//   - A [Ptr] stays inside the object it was made from: never one past its end,
//     since the collector could take that for a pointer to the next object.
//   - A Ptr hidden from escape analysis ([Hide], [HideAny]) may point to the stack.
//     It may live in variables and be passed down, but is never stored in
//     the heap and never given to code that might: a user's method, reader or
//     writer, another goroutine.
//   - Numbers are loaded and stored at any alignment, which amd64, arm64, 386,
//     s390x and ppc64 allow; values of Go types ([At]) only at their own.
package mem
