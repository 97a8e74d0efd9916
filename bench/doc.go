// Command bench compares Octet with the libraries that Go programs use today, on the same values in one run.
//
//	go run ./bench                          all cases; writes results and reports to bench/results
//	go run ./bench -quick                   few short turns and no large cases; under a minute
//	go run ./bench -run struct              some cases; prints only tables
//	go run ./bench -instructions            some cases without AVX-512 and AVX2
//	go run ./bench -compare a.json b.json   the changes between two runs
//	go run ./bench -random 1                random struct types of a seed
//	go run ./bench -real                    struct types of public modules
//	go test -bench . ./bench/cases        the cases on values, for benchstat
//
// Times from one machine say little about another machine, but ratios are similar. The libraries therefore take
// turns in each round, and the result is the median over the rounds of a library's time divided by octet's. Before
// a case is timed, every library must decode the value correctly. README.md describes the details.
//
// Package cases has the values and libraries, package engine times, stores and compares, and package report shows the
// results. Packages types and trial measure struct types that nobody chose. This package has the flags and connects them.
package main
