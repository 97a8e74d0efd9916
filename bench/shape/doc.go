// Package shape has the types that every library in the benchmarks encodes and decodes, and the code that their
// generators make for these. Keys are given by tags, as in most programs: msgpack for those that read it, json
// for the others.
package shape

//go:generate go tool msgp -file records.go -o records_gen.go -io=false -tests=false
//go:generate go tool msgp -file samples.go -o samples_gen.go -tests=false
//go:generate go tool msgp -file documents.go -o documents_gen.go -io=false -tests=false
//go:generate go tool msgpackgen -input-dir . -output-dir . -output-file resolver_gen.go -strict
