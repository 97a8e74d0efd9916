// Command octet-migrate rewrites Go programs that use another MessagePack library,
// so that they use Octet.
//
//	octet-migrate ./...          rewrites the files, and lists what is left to do
//	octet-migrate -diff ./...    shows what it would change
//	octet-migrate -list ./...    lists all uses, and changes nothing
//
// It replaces imports, types, functions, methods, function values, and struct tags
// of these libraries:
//
//	github.com/vmihailenco/msgpack/v4 and v5
//	github.com/shamaton/msgpack/v2 and v3
//	github.com/ugorji/go/codec
//	github.com/hashicorp/go-msgpack/codec and v2/codec
//	github.com/tinylib/msgp/msgp
//
// and, with -std, encoding/binary and bytes.Buffer. The command reports imports of other versions
// of these libraries, and of some of their forks.
//
// The rewritten program writes the same bytes as before: it uses a Codec with the
// library's profile of package [github.com/octet-go/octet/msgpack/profile], and
// Encoders that write each value at once. octet_codec.go in each package declares
// both. With -shortest, it uses Octet's own defaults, with the struct tags and the
// options of the program.
//
// If a program requires an earlier version of a library than the profile was compared with, the
// command says so, because that version can write other bytes.
//
// A use that has no counterpart is not changed, and neither is anything that must
// have the same type. It is listed with what to do instead. Neither is a call that may
// reach a value that must stay with the library: of a type with methods that only the
// library calls, with a tag that Octet refuses, with fields of one name of which Octet selects others, or
// registered as an ext. The values in
// interfaces and of type parameters are followed through variables, fields, functions,
// methods and channels of the packages. A value stays, too, if the program asks for its
// type, copies a bytes.Buffer, or uses it in a file that is not rewritten, because of build
// constraints or import "C". All other uses are rewritten; exported names whose types change
// for other modules are listed. A file that was not formatted by gofmt changes only where
// something is rewritten.
//
// The exit code is 0 if nothing is left, 1 if something is left to do, and 2 if the packages
// cannot be loaded, the output cannot be written, or the arguments are wrong.
//
// The module needs Octet before the result compiles:
//
//	octet-migrate ./...
//	go get github.com/octet-go/octet
//	go mod tidy
//
// In the other order, go.sum can lack modules that go get has upgraded until go mod tidy adds
// them, and the command does not see the types of their packages.
//
// go get raises the go line of go.mod to the one of Octet. From then on the go command builds the
// module as a module of that version, also where nothing is rewritten: each iteration of a loop
// has variables of its own since Go 1.22, and settings of GODEBUG have other defaults. For
// example, math/rand.Seed has no effect since Go 1.24.
//
// The program is also a tool for the go command, which runs it for one package at a
// time. Types of exported names and generated files are then not changed. It does not see what other packages
// register with a library, such as exts. go fix prints nothing about what is left to do; go vet
// lists it:
//
//	go fix -fixtool=$(which octet-migrate) ./...
//	go vet -vettool=$(which octet-migrate) ./...
package main
