// Package shape contains the types that every library in the benchmarks encodes
// and decodes, and the generated code for them. Tags set the keys, as in most
// programs: msgpack for libraries that read this tag, json for the others.
package shape

//go:generate go tool msgp -file records.go -o records_gen.go -io=false -tests=false
//go:generate go tool msgp -file samples.go -o samples_gen.go -tests=false
//go:generate go tool msgp -file documents.go -o documents_gen.go -io=false -tests=false
//go:generate go tool msgpackgen -input-dir . -output-dir . -output-file resolver_gen.go -strict
