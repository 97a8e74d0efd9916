package main

//go:generate go tool msgp -file types.go -o types_gen.go -io=false -tests=false

// Report is the record that the marks are set on: nine fields, of every sort that services send each other.
// The keys are given by tags, as in most programs; msgp reads the same tags as the others.
type Report struct {
	ID       int             `msgpack:"id"`
	Sequence uint            `msgpack:"sequence"`
	Load     float32         `msgpack:"load"`
	Balance  float64         `msgpack:"balance"`
	Active   bool            `msgpack:"active"`
	Name     string          `msgpack:"name"`
	Samples  []int           `msgpack:"samples"`
	Counters map[string]uint `msgpack:"counters"`
	Origin   Origin          `msgpack:"origin"`
}

// Origin is the struct nested in a Report.
type Origin struct {
	Host    string  `msgpack:"host"`
	Port    int     `msgpack:"port"`
	Latency float64 `msgpack:"latency"`
}

// Account is a flat record: nothing in it but strings and numbers.
type Account struct {
	ID     int64   `msgpack:"id"`
	Name   string  `msgpack:"name"`
	Email  string  `msgpack:"email"`
	Age    int     `msgpack:"age"`
	Score  float64 `msgpack:"score"`
	Active bool    `msgpack:"active"`
}

// Accounts, Directory and Ints are names that msgp needs in order to generate methods. The other libraries
// get the types below them, which is what they have fast paths for.
type (
	Accounts  []Account
	Directory map[string]Account
	Ints      []int
)
