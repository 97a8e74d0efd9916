package main

import (
	"fmt"
	"math/rand/v2"
)

// The values below do not change with tuning: they were chosen before there was anything to tune.

func report() Report {
	return Report{
		ID:       1_293_847,
		Sequence: 40_213,
		Load:     0.8125,
		Balance:  1024.62,
		Active:   true,
		Name:     "nightly inventory #7",
		Samples:  []int{12, -3, 250, 1024, 7, 65_000, -129, 31},
		Counters: map[string]uint{
			"requests": 18_234,
			"errors":   17,
			"retries":  240,
			"timeouts": 3,
			"bytes":    91_820_331,
		},
		Origin: Origin{Host: "eu-west-1b", Port: 8443, Latency: 3.75},
	}
}

// accounts returns n records with the mix of short and long, small and large, that a table of users has.
func accounts(n int) []Account {
	r := rand.New(rand.NewPCG(1, 2))
	first := []string{"Ada", "Grace", "Edsger", "Barbara", "Donald", "Frances", "Niklaus", "Kathleen"}
	last := []string{"Lovelace", "Hopper", "Dijkstra", "Liskov", "Knuth", "Allen", "Wirth", "Booth"}
	list := make([]Account, n)
	for i := range list {
		f, l := first[r.IntN(len(first))], last[r.IntN(len(last))]
		list[i] = Account{
			ID:     int64(100_000 + i*7),
			Name:   f + " " + l,
			Email:  fmt.Sprintf("%s.%s%d@example.com", f, l, i),
			Age:    18 + r.IntN(70),
			Score:  float64(r.IntN(10_000)) / 100,
			Active: r.IntN(4) > 0,
		}
	}
	return list
}

func directory(list []Account) map[string]Account {
	m := make(map[string]Account, len(list))
	for _, a := range list {
		m[a.Email] = a
	}
	return m
}

// numbers returns n integers of every width up to 31 bits, each width as often as the others, a quarter of
// them negative. 31 bits fit an int everywhere.
func numbers(n int) []int {
	r := rand.New(rand.NewPCG(3, 4))
	list := make([]int, n)
	for i := range list {
		v := r.IntN(1 << r.IntN(31))
		if r.IntN(4) == 0 {
			v = -v
		}
		list[i] = v
	}
	return list
}
