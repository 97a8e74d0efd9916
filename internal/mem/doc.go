// Package mem contains all uses of package unsafe in Octet. Other packages use
// it to read and write values whose types are known only at run time.
//
// Its functions are one or two lines each and do not check anything. Each
// function states what its caller must guarantee. Three rules apply to all of
// them.
//
//   - A [Ptr] must stay inside the object it was made from. It must not point
//     one past the end, because the garbage collector would read that as a
//     pointer to the next object.
//   - A Ptr that is hidden from escape analysis ([Hide], [HideAny]) may point
//     to the stack. It may be in a local variable and be passed to functions,
//     but must not be stored in the heap. It must not be passed to code that
//     might store it, such as a user's method, reader or writer, or another
//     goroutine.
//   - Numbers are loaded and stored with any alignment, which amd64, arm64,
//     386, s390x and ppc64 allow. Values of Go types ([At]) need their own
//     alignment.
package mem
