package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/octet-go/octet/record"
)

// A Click is one view of a page. The tag as_array leaves the names of the fields out of
// the bytes.
type Click struct {
	_    struct{} `msgpack:",as_array"`
	User uint32
	Time int64 // seconds since 1970
	Page string
}

// pages are what users click on, the popular ones first.
var pages = [...]string{"/", "/search", "/product", "/cart", "/help", "/checkout", "/account", "/about"}

// start is the time of the first clicks.
var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// generate writes n clicks to a new file. The same seed gives the same clicks.
//
// The next click is always of a random user. A user clicks several times with pauses of
// seconds or minutes, and returns after hours.
func generate(path string, n int, seed uint64) error {
	w, err := record.Create(path, &record.Options{Metadata: map[string]any{"seed": seed}})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	users := make([]int64, max(n/50, 1)) // the time of their next click
	for i := range users {
		users[i] = start + r.Int64N(24*3600)
	}
	for range n {
		u := r.IntN(len(users))
		c := Click{User: uint32(u), Time: users[u], Page: pages[min(r.IntN(len(pages)), r.IntN(len(pages)))]}
		if err := w.Write(&c); err != nil {
			w.Close()
			return err
		}
		pause := 1 + r.Int64N(10*60)
		if r.IntN(8) == 0 {
			pause = 3600 + r.Int64N(20*3600)
		}
		users[u] += pause
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
