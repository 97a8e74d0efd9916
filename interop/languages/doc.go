// Languages compares Octet with MessagePack libraries of other languages. Each language has a folder with a program, the filter,
// that reads messages with one library, describes the values, and writes them again. This program runs the filters on the
// messages of vectors.go and on generated values, and prints what each library does:
//
//	go run ./interop/languages -install
//
// The folder known has a list for each library: the values that it does not read or write as expected, what it does with them, and
// why. The tests compare the libraries with these lists and with docs/interop.md.
//
// The libraries of a language are installed with its package manager, in the versions of the lock file, into a folder of the user's
// cache. The tests install nothing and skip libraries that are not installed, unless OCTET_INTEROP=1 is set.
package main
