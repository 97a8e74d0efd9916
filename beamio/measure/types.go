package main

import (
	"encoding/json"
	"reflect"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/octet-go/octet/beamio"
)

// The four types have the same fields and different coders.
type (
	// packed has the coder of beamio, in the array form.
	packed struct {
		User    string            `msgpack:"user"`
		Page    string            `msgpack:"page"`
		Time    int64             `msgpack:"time"`
		Seconds float64           `msgpack:"seconds"`
		Status  int32             `msgpack:"status"`
		Labels  map[string]string `msgpack:"labels"`
	}
	// named has it too, with the names of fields.
	named packed
	// row has the coder that Beam has for structs.
	row struct {
		User    string            `msgpack:"user" beam:"user"`
		Page    string            `msgpack:"page" beam:"page"`
		Time    int64             `msgpack:"time" beam:"time"`
		Seconds float64           `msgpack:"seconds" beam:"seconds"`
		Status  int32             `msgpack:"status" beam:"status"`
		Labels  map[string]string `msgpack:"labels" beam:"labels"`
	}
	// text has the coder that Beam has for all other types.
	text struct {
		User    string            `msgpack:"user" json:"user"`
		Page    string            `msgpack:"page" json:"page"`
		Time    int64             `msgpack:"time" json:"time"`
		Seconds float64           `msgpack:"seconds" json:"seconds"`
		Status  int32             `msgpack:"status" json:"status"`
		Labels  map[string]string `msgpack:"labels" json:"labels"`
	}
)

// event returns the i-th record.
func event(i int) packed {
	return packed{
		User:    "user-" + strconv.Itoa(i*7919%100_000),
		Page:    "/products/" + strconv.Itoa(i%1000),
		Time:    1_767_225_600 + int64(i),
		Seconds: float64(i%600) / 7,
		Status:  200,
		Labels:  map[string]string{"agent": "browser", "country": "de"},
	}
}

// A variant is a type with the functions for a pipeline.
type variant struct {
	name       string
	read       func(beam.Scope, string) beam.PCollection
	key, count any
	sample     func(i int) any
	typ        reflect.Type
}

func variants() []variant {
	return []variant{
		{"MessagePack, `Register`", reader[packed], keyPacked, countPacked, func(i int) any { return event(i) }, reflect.TypeFor[packed]()},
		{"MessagePack, `RegisterMap`", reader[named], keyNamed, countNamed, func(i int) any { return named(event(i)) }, reflect.TypeFor[named]()},
		{"Beam's row coder", reader[row], keyRow, countRow, func(i int) any { return row(event(i)) }, reflect.TypeFor[row]()},
		{"Beam's JSON coder", reader[text], keyText, countText, func(i int) any { return text(event(i)) }, reflect.TypeFor[text]()},
	}
}

func reader[T any](s beam.Scope, pattern string) beam.PCollection {
	return beamio.Read[T](s, pattern, &beamio.Options{SplitSize: 8 << 20})
}

func registerTypes() {
	beamio.Register[packed]()
	beamio.RegisterMap[named]()
	beamio.RegisterFiles[row]()
	beamio.RegisterFiles[text]()
	beam.RegisterType(reflect.TypeFor[row]())
	beam.RegisterCoder(reflect.TypeFor[text](), encodeJSON, decodeJSON)
	register.Function1x2(keyPacked)
	register.Function1x2(keyNamed)
	register.Function1x2(keyRow)
	register.Function1x2(keyText)
	register.Function2x1(countPacked)
	register.Function2x1(countNamed)
	register.Function2x1(countRow)
	register.Function2x1(countText)
	register.Iter1[packed]()
	register.Iter1[named]()
	register.Iter1[row]()
	register.Iter1[text]()
}

// encodeJSON and decodeJSON are what Beam's JSON coder does. The coder itself is not used
// because Beam has the row coder for structs.
func encodeJSON(v beam.T) ([]byte, error) { return json.Marshal(v) }

func decodeJSON(t reflect.Type, data []byte) (beam.T, error) {
	v := reflect.New(t)
	if err := json.Unmarshal(data, v.Interface()); err != nil {
		return nil, err
	}
	return v.Elem().Interface(), nil
}

func keyPacked(v packed) (string, packed) { return v.User, v }
func keyNamed(v named) (string, named)    { return v.User, v }
func keyRow(v row) (string, row)          { return v.User, v }
func keyText(v text) (string, text)       { return v.User, v }

func countPacked(_ string, next func(*packed) bool) int { return count(next) }
func countNamed(_ string, next func(*named) bool) int   { return count(next) }
func countRow(_ string, next func(*row) bool) int       { return count(next) }
func countText(_ string, next func(*text) bool) int     { return count(next) }

func count[T any](next func(*T) bool) (n int) {
	for v := new(T); next(v); n++ {
	}
	return n
}
