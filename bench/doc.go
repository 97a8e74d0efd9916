// Command bench measures Octet beside the libraries that people use today, on the same values, in one run.
//
//	go run ./bench                          everything; results and reports below bench/results
//	go run ./bench -quick                   few short turns and nothing large, under a minute
//	go run ./bench -run struct              some of it, tables alone
//	go run ./bench -compare a.json b.json   what changed between two runs
//	go test -bench . ./bench                the cases on values for benchstat
//
// A figure from one machine says little on another; a ratio says more. So the libraries take turns, round by
// round, and what counts is the median over the rounds of another's time divided by octet's. Before anything
// is timed, every library must have made of the value what it was. README.md says more.
//
// The files: contest.go says what a case is, rounds.go times it, run.go, table.go and progress.go show it, results.go
// stores it. What competes, and at what, is in library.go, peers.go and generated.go with values*.go for values, and in
// streams.go, fixed*.go, arrays.go, buffers.go, growth.go and first.go. limits.go and by_hand*.go have the limits, abouts.go
// and reasons.go have words for what was measured, report*.go, chart*.go and page.go what is made of results, compare*.go
// what two of them have apart, and size.go how large programs become.
package main
