package shape

//msgp:tuple Row RowOrigin

// Report is a record with nine fields of the kinds that services exchange.
type Report struct {
	ID       int             `msgpack:"id" json:"id"`
	Sequence uint            `msgpack:"sequence" json:"sequence"`
	Load     float32         `msgpack:"load" json:"load"`
	Balance  float64         `msgpack:"balance" json:"balance"`
	Active   bool            `msgpack:"active" json:"active"`
	Name     string          `msgpack:"name" json:"name"`
	Samples  []int           `msgpack:"samples" json:"samples"`
	Counters map[string]uint `msgpack:"counters" json:"counters"`
	Origin   Origin          `msgpack:"origin" json:"origin"`
}

// Origin is the struct nested in a Report.
type Origin struct {
	Host    string  `msgpack:"host" json:"host"`
	Port    int     `msgpack:"port" json:"port"`
	Latency float64 `msgpack:"latency" json:"latency"`
}

// Row is a Report that is encoded as an array of its fields without names. The
// first field and its tags select this form in libraries that have no option
// for it.
type Row struct {
	_        struct{}        `msgpack:",as_array" cbor:",toarray"`
	ID       int             `msgpack:"id" json:"id"`
	Sequence uint            `msgpack:"sequence" json:"sequence"`
	Load     float32         `msgpack:"load" json:"load"`
	Balance  float64         `msgpack:"balance" json:"balance"`
	Active   bool            `msgpack:"active" json:"active"`
	Name     string          `msgpack:"name" json:"name"`
	Samples  []int           `msgpack:"samples" json:"samples"`
	Counters map[string]uint `msgpack:"counters" json:"counters"`
	Origin   RowOrigin       `msgpack:"origin" json:"origin"`
}

// RowOrigin is the Origin of a Row.
type RowOrigin struct {
	_       struct{} `msgpack:",as_array" cbor:",toarray"`
	Host    string   `msgpack:"host" json:"host"`
	Port    int      `msgpack:"port" json:"port"`
	Latency float64  `msgpack:"latency" json:"latency"`
}

// Account is a flat record of strings and numbers.
type Account struct {
	ID     int64   `msgpack:"id" json:"id"`
	Name   string  `msgpack:"name" json:"name"`
	Email  string  `msgpack:"email" json:"email"`
	Age    int     `msgpack:"age" json:"age"`
	Score  float64 `msgpack:"score" json:"score"`
	Active bool    `msgpack:"active" json:"active"`
}

// Customer is a user with items: a list of structs inside a struct, and optional parts.
type Customer struct {
	ID       uint64   `msgpack:"id" json:"id"`
	Name     string   `msgpack:"name" json:"name"`
	Email    string   `msgpack:"email" json:"email"`
	Address  *Address `msgpack:"address" json:"address"`
	Roles    []string `msgpack:"roles" json:"roles"`
	Items    []Item   `msgpack:"items" json:"items"`
	Verified bool     `msgpack:"verified" json:"verified"`
}

// Address is where a Customer lives.
type Address struct {
	Street  string `msgpack:"street" json:"street"`
	City    string `msgpack:"city" json:"city"`
	Code    string `msgpack:"code" json:"code"`
	Country string `msgpack:"country" json:"country"`
}

// Item is an item that a Customer has ordered.
type Item struct {
	SKU      string  `msgpack:"sku" json:"sku"`
	Title    string  `msgpack:"title" json:"title"`
	Quantity int     `msgpack:"quantity" json:"quantity"`
	Price    float64 `msgpack:"price" json:"price"`
}

// Metric has nested maps and slices.
type Metric struct {
	Name    string              `msgpack:"name" json:"name"`
	Labels  map[string]string   `msgpack:"labels" json:"labels"`
	Buckets []Bucket            `msgpack:"buckets" json:"buckets"`
	Sources map[string]Origin   `msgpack:"sources" json:"sources"`
	Tags    map[string][]string `msgpack:"tags" json:"tags"`
}

// Bucket is one part of a Metric.
type Bucket struct {
	Bounds []float64 `msgpack:"bounds" json:"bounds"`
	Counts []int     `msgpack:"counts" json:"counts"`
}

// Names that msgp needs in order to generate methods. The other libraries get the types below them, which is
// what they have fast paths for.
type (
	Accounts  []Account
	Directory map[string]Account
	Ints      []int
	Int64s    []int64
	Floats    []float64
	Float32s  []float32
	Counts    map[string]int
	Strings   map[string]string
)
