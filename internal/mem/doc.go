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
//
// Some functions depend on memory layouts of the Go runtime that are no part of the
// language. They are on in the versions of Go for which the layouts have been checked, and
// off in all others, where their callers do the same work more slowly:
//
//	function      layout                    on in      check            if it is off
//	MapGroups     maps of any size          1.26-1.27  at start, tests  encoding a map or document takes up to twice as long
//	MapEntry      reflect.MapIter           1.26-1.27  at start, tests  reflect copies each key and element of other maps
//	MapsByLayout  none of types in maps     1.26-1.27  tests            decoding maps of named types takes up to twice as long
//
// MapGroups is also off with the race detector, the tag purego and the experiment
// mapsplitgroup. The layouts of strings, slices and interfaces, and that interfaces hold
// pointers and maps directly, have not changed since Go 1.4. They are used in all
// versions.
//
// A new version of Go needs these steps: compare the layouts with its source, where the
// files say what they depend on; run the tests with it; then raise the version in the
// build constraints of all files whose names begin with map_ or version_. A test requires
// that the versions that CI uses are among those.
package mem
