// Command bench measures Octet beside the libraries that people use today, on the same values, in one run.
//
//	go run ./bench                          every case, a table of ratios
//	go run ./bench -run struct              some of them
//	go test -bench . ./bench                the same cases for benchstat
//
// A figure from one machine says little on another; a ratio says more. So the libraries take turns, round by
// round, and what counts is the median over the rounds of octet's time divided by the other's. Before anything
// is timed every library must have decoded what every library wrote, to equal values.
//
// Each library is called as its documentation shows: no option is set on any of them. All of them decode the
// same bytes, which shamaton/msgpack wrote in the shortest forms the specification has.
package main
