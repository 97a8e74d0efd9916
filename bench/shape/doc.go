// Package shape contains the types that every library in the benchmarks encodes
// and decodes, and the generated code for them. Tags set the keys, as in most
// programs: msgpack for libraries that read this tag, json for the others.
//
// The code that msgpackgen generates for these types has 17,000 lines. It is not
// committed: the program bench generates it before it measures, and builds itself
// again with the tag msgpackgen. [Resolver] is nil in any other build.
package shape

//go:generate go tool msgp -file records.go -o records_gen.go -io=false -tests=false
//go:generate go tool msgp -file samples.go -o samples_gen.go -tests=false
//go:generate go tool msgp -file documents.go -o documents_gen.go -io=false -tests=false
//go:generate go tool msgp -file documents_catalog.go -o documents_catalog_gen.go -io=false -tests=false
//go:generate go tool msgp -file documents_twitter.go -o documents_twitter_gen.go -io=false -tests=false
//go:generate go tool msgp -file documents_user.go -o documents_user_gen.go -io=false -tests=false
