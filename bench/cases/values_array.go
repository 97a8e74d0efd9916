package cases

import (
	"bytes"

	basekick "github.com/Basekick-Labs/msgpack/v6"
	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	msgpackgen "github.com/shamaton/msgpackgen/msgpack"
	ugorji "github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// arrayForm encodes the struct of nine fields without its keys, for libraries that have such an option. Octet's map
// form is included for comparison.
func arrayForm() engine.Contest {
	return valueContest("array/report", reportRow, func() []competitor[shape.Row] {
		type T = shape.Row
		arrays := new(ugorji.MsgpackHandle)
		arrays.StructToArray = true
		older := new(hashicorp.MsgpackHandle)
		older.StructToArray = true
		return []competitor[T]{
			octet[T]().competitor(),
			forType[T](),
			judge[T]().competitor(),
			library[T]{
				name: "vmihailenco",
				marshal: func(v *T) ([]byte, error) {
					var b bytes.Buffer
					e := vmihailenco.NewEncoder(&b)
					e.UseArrayEncodedStructs(true)
					err := e.Encode(v)
					return b.Bytes(), err
				},
				unmarshal: func(v *T, data []byte) error { return vmihailenco.Unmarshal(data, v) },
			}.competitor(),
			library[T]{
				name: "basekick",
				marshal: func(v *T) ([]byte, error) {
					var b bytes.Buffer
					e := basekick.NewEncoder(&b)
					e.UseArrayEncodedStructs(true)
					err := e.Encode(v)
					return b.Bytes(), err
				},
				unmarshal: func(v *T, data []byte) error { return basekick.Unmarshal(data, v) },
			}.competitor(),
			ugorjiLibrary[T](arrays).competitor(),
			hashicorpLibrary[T](older).competitor(),
			cborLibrary[T]().competitor(),
			msgpRow.competitor(),
			generatedArray(),
			buildLimit(walkRow, buildRow),
			asMap(),
		}
	})
}

// asMap is Octet's map form of the same record.
func asMap() competitor[shape.Row] {
	return competitor[shape.Row]{name: "octet as map", enter: func(samples[shape.Row]) (engine.Peer, error) {
		s, err := judged([]shape.Report{report()})
		if err != nil {
			return engine.Peer{}, err
		}
		e, err := octet[shape.Report]().enter(s)
		e.Library = "octet as map"
		return e, err
	}}
}

// generatedArray is msgpackgen. Its generator skips structs with a blank field, but the code for Report supports
// both forms.
func generatedArray() competitor[shape.Row] {
	if shape.Resolver == nil {
		return absent[shape.Row]("msgpackgen", notGenerated)
	}
	return competitor[shape.Row]{name: "msgpackgen", enter: func(samples[shape.Row]) (engine.Peer, error) {
		shape.Resolver()
		return library[shape.Report]{
			name: "msgpackgen", own: true,
			marshal:   func(v *shape.Report) ([]byte, error) { return msgpackgen.MarshalAsArray(v) },
			unmarshal: func(v *shape.Report, data []byte) error { return msgpackgen.UnmarshalAsArray(data, v) },
		}.enter(samples[shape.Report]{values: []shape.Report{report()}, messages: make([][]byte, 1)})
	}}
}
