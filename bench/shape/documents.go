package shape

// These are the types of the JSON documents in Go's source tree. A field that
// is null in a document is a pointer, and a pointer to a string if it is always
// null. No field has omitempty, because one of the generators does not support
// it. The FHIR document has no type, because one of its keys has values of
// different types: a string, an object and a list.

// Canada is the document canada_geometry: a polygon that consists almost only
// of numbers.
type Canada struct {
	Type     string    `msgpack:"type" json:"type"`
	Features []Feature `msgpack:"features" json:"features"`
}

// Feature is a part of Canada.
type Feature struct {
	Type       string            `msgpack:"type" json:"type"`
	Properties map[string]string `msgpack:"properties" json:"properties"`
	Geometry   Geometry          `msgpack:"geometry" json:"geometry"`
}

// Geometry is the shape of a Feature: rings of points.
type Geometry struct {
	Type        string        `msgpack:"type" json:"type"`
	Coordinates [][][]float64 `msgpack:"coordinates" json:"coordinates"`
}

// Source is the document golang_source: a tree of files, and thus a recursive
// type.
type Source struct {
	Tree     *Node  `msgpack:"tree" json:"tree"`
	Username string `msgpack:"username" json:"username"`
}

// Node is a file or directory of a Source.
type Node struct {
	Name   string  `msgpack:"name" json:"name"`
	Kids   []Node  `msgpack:"kids" json:"kids"`
	Weight float64 `msgpack:"cl_weight" json:"cl_weight"`
	Touch  int64   `msgpack:"touches" json:"touches"`
	Min    int64   `msgpack:"min_t" json:"min_t"`
	Max    int64   `msgpack:"max_t" json:"max_t"`
	Mean   int64   `msgpack:"mean_t" json:"mean_t"`
}
