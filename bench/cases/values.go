package cases

import (
	"fmt"
	"math/rand/v2"

	"github.com/octet-go/octet/bench/shape"
)

// These values do not change with the code: they were chosen before any optimization.

func report() shape.Report {
	return shape.Report{
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
		Origin: shape.Origin{Host: "eu-west-1b", Port: 8443, Latency: 3.75},
	}
}

// accounts returns n records with a mix of short and long strings and small and large numbers, as in a table of
// users.
func accounts(n int) []shape.Account {
	r := rand.New(rand.NewPCG(1, 2))
	first := []string{"Ada", "Grace", "Edsger", "Barbara", "Donald", "Frances", "Niklaus", "Kathleen"}
	last := []string{"Lovelace", "Hopper", "Dijkstra", "Liskov", "Knuth", "Allen", "Wirth", "Booth"}
	list := make([]shape.Account, n)
	for i := range list {
		f, l := first[r.IntN(len(first))], last[r.IntN(len(last))]
		list[i] = shape.Account{
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

func directory(list []shape.Account) map[string]shape.Account {
	m := make(map[string]shape.Account, len(list))
	for _, a := range list {
		m[a.Email] = a
	}
	return m
}

// numbers returns n integers with widths up to 31 bits. All widths are equally frequent, and a quarter of the
// numbers is negative. 31 bits fit in an int on every platform.
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

func reportRow() shape.Row {
	r := report()
	return shape.Row{
		ID: r.ID, Sequence: r.Sequence, Load: r.Load, Balance: r.Balance, Active: r.Active,
		Name: r.Name, Samples: r.Samples, Counters: r.Counters,
		Origin: shape.RowOrigin{Host: r.Origin.Host, Port: r.Origin.Port, Latency: r.Origin.Latency},
	}
}

func customer() shape.Customer {
	c := shape.Customer{
		ID: 7_203_985_112, Name: "Grace Hopper", Email: "grace.hopper@example.com", Verified: true,
		Address: &shape.Address{Street: "12 Harbor Road", City: "Arlington", Code: "22201", Country: "US"},
		Roles:   []string{"customer", "reviewer", "wholesale"},
	}
	for i, title := range []string{"Nanosecond of wire", "Moth, pressed", "Compiler manual", "Clock, counter-clockwise", "Tape, 1 inch"} {
		c.Items = append(c.Items, shape.Item{SKU: fmt.Sprintf("AB-%05d", 917*i+40), Title: title, Quantity: i*i + 1, Price: 4.75 + 11.5*float64(i)})
	}
	return c
}

func metric() shape.Metric {
	m := shape.Metric{
		Name:    "http_request_duration_seconds",
		Labels:  map[string]string{"service": "checkout", "method": "POST", "code": "200", "zone": "b"},
		Sources: make(map[string]shape.Origin),
		Tags:    map[string][]string{"owner": {"payments", "platform"}, "tier": {"1"}, "alerts": {"pager", "mail", "chat"}},
	}
	for i := range 4 {
		b := shape.Bucket{Bounds: make([]float64, 8), Counts: make([]int, 8)}
		for j := range b.Bounds {
			b.Bounds[j], b.Counts[j] = 0.005*float64(int(1)<<j), (i+1)*(100_000>>(2*j))
		}
		m.Buckets = append(m.Buckets, b)
		m.Sources[fmt.Sprintf("checkout-%d", i)] = shape.Origin{Host: fmt.Sprintf("10.0.3.%d", 17+i), Port: 9100 + i, Latency: 0.25 * float64(i+1)}
	}
	return m
}

// floats returns n numbers with all their digits, like measurements.
func floats(n int) []float64 {
	r := rand.New(rand.NewPCG(5, 6))
	list := make([]float64, n)
	for i := range list {
		list[i] = r.NormFloat64() * 1000
	}
	return list
}

// int64s returns n integers with widths up to 63 bits. All widths are equally frequent, and a quarter of the
// numbers is negative.
func int64s(n int) []int64 {
	r := rand.New(rand.NewPCG(7, 8))
	list := make([]int64, n)
	for i := range list {
		v := r.Int64N(1 << r.IntN(63))
		if r.IntN(4) == 0 {
			v = -v
		}
		list[i] = v
	}
	return list
}

// measurements returns n measurements by sensor number.
func measurements(n int) map[int64]float64 {
	m := make(map[int64]float64, n)
	for i, f := range floats(n) {
		m[int64(i)*13] = f
	}
	return m
}

// counts returns n words with the number of their occurrences.
func counts(n int) map[string]int {
	m := make(map[string]int, n)
	for i, v := range numbers(n) {
		m[fmt.Sprintf("word-%d", i)] = max(v, -v)
	}
	return m
}
