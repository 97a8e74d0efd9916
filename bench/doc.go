// Command bench compares Octet with the libraries that Go programs use today, on the same values in one run.
//
//	go run ./bench                          all cases; writes results and reports to bench/results
//	go run ./bench -quick                   few short turns and no large cases; under a minute
//	go run ./bench -run struct              some cases; prints only tables
//	go run ./bench -compare a.json b.json   the changes between two runs
//	go test -bench . ./bench                the cases on values, for benchstat
//
// Times from one machine say little about another machine, but ratios are similar. The libraries therefore take
// turns in each round, and the result is the median over the rounds of a library's time divided by octet's. Before
// a case is timed, every library must decode the value correctly. README.md describes the details.
//
// The main files are: contest.go defines a case, rounds.go times it, run.go, table.go and progress.go print it, and
// results.go stores it. The libraries and values are in library.go, peers.go, generated.go and values*.go, and for
// the other groups in streams.go, fixed*.go, arrays.go, buffers.go, growth.go and first.go. limits.go and
// by_hand*.go contain the limits, abouts.go and reasons.go texts about the cases. report*.go, chart*.go and page.go
// generate reports, compare*.go compares runs, and size.go measures the sizes of programs.
package main
