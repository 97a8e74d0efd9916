package shape

import "time"

//msgp:newtime

// Event is a small record with a time in it. The first string has 16 bytes, the second one 10.
type Event struct {
	Name   string    `msgpack:"name" json:"name"`
	Time   time.Time `msgpack:"time" json:"time"`
	Source string    `msgpack:"source" json:"source"`
	Count  int       `msgpack:"count" json:"count"`
	Final  bool      `msgpack:"final" json:"final"`
	Value  float64   `msgpack:"value" json:"value"`
}

// Reading is a flat record of six fields with one short string.
type Reading struct {
	ID     int64   `msgpack:"id" json:"id"`
	Sensor string  `msgpack:"sensor" json:"sensor"`
	Value  float64 `msgpack:"value" json:"value"`
	Count  int     `msgpack:"count" json:"count"`
	Level  uint16  `msgpack:"level" json:"level"`
	Valid  bool    `msgpack:"valid" json:"valid"`
}

// Readings has a name because msgp generates methods for named types only.
type Readings []Reading

// Optional has numbers and a struct that may be absent, a slice and a map.
type Optional struct {
	ID     *int64         `msgpack:"id" json:"id"`
	Count  *int           `msgpack:"count" json:"count"`
	Value  *float64       `msgpack:"value" json:"value"`
	Valid  *bool          `msgpack:"valid" json:"valid"`
	Tags   []string       `msgpack:"tags" json:"tags"`
	Limits map[string]int `msgpack:"limits" json:"limits"`
	Last   *Reading       `msgpack:"last" json:"last"`
}

// Profile is a struct of twelve fields.
type Profile struct {
	ID      int64     `msgpack:"id" json:"id"`
	Login   string    `msgpack:"login" json:"login"`
	Name    string    `msgpack:"name" json:"name"`
	Email   string    `msgpack:"email" json:"email"`
	Created time.Time `msgpack:"created" json:"created"`
	Age     int       `msgpack:"age" json:"age"`
	Score   float64   `msgpack:"score" json:"score"`
	Balance float32   `msgpack:"balance" json:"balance"`
	Active  bool      `msgpack:"active" json:"active"`
	Admin   bool      `msgpack:"admin" json:"admin"`
	Roles   []string  `msgpack:"roles" json:"roles"`
	Visits  uint32    `msgpack:"visits" json:"visits"`
}

// Article is a document of about 1 kB, most of it text.
type Article struct {
	ID     int64     `msgpack:"id" json:"id"`
	URL    string    `msgpack:"url" json:"url"`
	Title  string    `msgpack:"title" json:"title"`
	Author string    `msgpack:"author" json:"author"`
	Time   int64     `msgpack:"time" json:"time"`
	Tags   []string  `msgpack:"tags" json:"tags"`
	Scores []float64 `msgpack:"scores" json:"scores"`
	Text   string    `msgpack:"text" json:"text"`
}
