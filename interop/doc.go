// Interop compares Octet with MessagePack libraries of other languages. Each language has a folder with a program, the filter,
// that reads messages with one library, describes the values, and writes them again. This program runs the filters on the
// messages of vectors.go and on generated values, and prints what each library does:
//
//	go run ./interop -install
//
// The folder known lists, for each library, what it does in another way, and why. The tests compare the libraries with these lists
// and with docs/interop.md.
//
// Each language installs its libraries with its own package manager, in the versions of its lock file, into a folder of the user's
// cache. The tests install nothing, and skip what is not installed, unless OCTET_INTEROP=1 is set.
package main
