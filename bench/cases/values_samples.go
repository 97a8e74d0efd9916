package cases

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/octet-go/octet/bench/shape"
)

// lowercase returns n random letters.
func lowercase(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('a' + r.IntN(26))
	}
	return string(b)
}

// integer returns an integer of any width up to the given number of bits, a quarter of them negative.
func integer(r *rand.Rand, bits int) int64 {
	v := r.Int64N(1 << r.IntN(bits+1))
	if r.IntN(4) == 0 {
		return -v
	}
	return v
}

// float returns a number like those that programs send: with all its digits, a price, or an integer.
func float(r *rand.Rand) float64 {
	switch r.IntN(3) {
	case 0:
		return r.NormFloat64() * 1000
	case 1:
		return math.Round(r.Float64()*1e6) / 100
	}
	return float64(r.IntN(1000))
}

// events returns n records. An eighth of the times have no nanoseconds and use the shortest format. A sixteenth are
// before 1970 and use the longest.
func events(n int) []shape.Event {
	r := rand.New(rand.NewPCG(9, 10))
	list := make([]shape.Event, n)
	for i := range list {
		seconds, nanoseconds := int64(1_700_000_000+r.IntN(100_000_000)), r.Int64N(1e9)
		switch r.IntN(16) {
		case 0, 1:
			nanoseconds = 0
		case 2:
			seconds = -r.Int64N(1 << 31)
		}
		list[i] = shape.Event{
			Name: lowercase(r, 16), Time: time.Unix(seconds, nanoseconds).UTC(), Source: lowercase(r, 10),
			Count: int(integer(r, 31)), Final: r.IntN(2) == 0, Value: float(r),
		}
	}
	return list
}

// readings returns n flat records. The strings have 4 to 15 bytes.
func readings(n int) []shape.Reading {
	r := rand.New(rand.NewPCG(11, 12))
	list := make([]shape.Reading, n)
	names := make([]string, 1024)
	for i := range names {
		names[i] = lowercase(r, 4+r.IntN(12))
	}
	for i := range list {
		list[i] = shape.Reading{
			ID: r.Int64N(1 << 40), Sensor: names[r.IntN(len(names))], Value: float(r),
			Count: int(integer(r, 31)), Level: uint16(r.IntN(1 << r.IntN(17))), Valid: r.IntN(4) > 0,
		}
	}
	return list
}

// optionals returns n records in which an eighth of the optional values is absent.
func optionals(n int) []shape.Optional {
	r := rand.New(rand.NewPCG(13, 14))
	last := readings(n)
	list := make([]shape.Optional, n)
	for i := range list {
		o := &list[i]
		o.ID, o.Count, o.Value, o.Valid = optional(r, integer(r, 40)), optional(r, int(integer(r, 31))), optional(r, float(r)), optional(r, r.IntN(2) == 0)
		o.Tags = []string{lowercase(r, 5), lowercase(r, 9), lowercase(r, 12)}
		o.Limits = map[string]int{lowercase(r, 4): int(integer(r, 31)), lowercase(r, 6): int(integer(r, 31)), lowercase(r, 8): int(integer(r, 31))}
		o.Last = optional(r, last[i])
	}
	return list
}

func optional[T any](r *rand.Rand, v T) *T {
	if r.IntN(8) == 0 {
		return nil
	}
	return &v
}

// profiles returns n structs of twelve fields.
func profiles(n int) []shape.Profile {
	r := rand.New(rand.NewPCG(15, 16))
	list := make([]shape.Profile, n)
	for i, a := range accounts(n) {
		list[i] = shape.Profile{
			ID: a.ID, Login: lowercase(r, 8), Name: a.Name, Email: a.Email, Created: time.Unix(1_700_000_000+r.Int64N(1e8), 0).UTC(), Age: a.Age,
			Score: a.Score, Balance: float32(r.IntN(1000)) / 4, Active: a.Active, Admin: r.IntN(8) == 0, Roles: []string{lowercase(r, 6), lowercase(r, 7)}, Visits: r.Uint32N(10_000),
		}
	}
	return list
}

// some returns n values created by make.
func some[T any](n int, make func(r *rand.Rand) T) []T {
	r := rand.New(rand.NewPCG(17, 18))
	var list []T
	for range n {
		list = append(list, make(r))
	}
	return list
}

// float32s returns n numbers, like measurements.
func float32s(n int) []float32 {
	return some(n, func(r *rand.Rand) float32 { return float32(r.NormFloat64() * 1000) })
}

// labels returns a map of n words with words as keys.
func labels(n int) map[string]string {
	r := rand.New(rand.NewPCG(19, 20))
	m := make(map[string]string, n)
	for len(m) < n {
		m[lowercase(r, 5+r.IntN(12))] = lowercase(r, 4+r.IntN(20))
	}
	return m
}

// names returns a map of n words with numbers as keys.
func names(n int) map[int]string {
	r := rand.New(rand.NewPCG(21, 22))
	m := make(map[int]string, n)
	for len(m) < n {
		m[r.IntN(1<<r.IntN(31))] = lowercase(r, 4+r.IntN(20))
	}
	return m
}

// articles returns documents of about 1 kB whose text is made of a few thousand words, as texts are.
func articles(n int) []shape.Article {
	r := rand.New(rand.NewPCG(31, 32))
	words := make([]string, 3000)
	for i := range words {
		words[i] = lowercase(r, 2+r.IntN(9))
	}
	text := func(length int) string {
		var b []byte
		for len(b) < length {
			b = append(append(b, words[min(r.IntN(len(words)), r.IntN(len(words)))]...), ' ')
		}
		return string(b)
	}
	return some(n, func(*rand.Rand) shape.Article {
		return shape.Article{
			ID: r.Int64N(1 << 40), URL: "https://example.com/" + lowercase(r, 20), Title: text(40), Author: text(12), Time: 1_700_000_000 + r.Int64N(1e8),
			Tags: []string{words[r.IntN(100)], words[r.IntN(100)], words[r.IntN(100)]}, Scores: []float64{r.Float64(), float64(r.IntN(100))}, Text: text(500 + r.IntN(500)),
		}
	})
}
