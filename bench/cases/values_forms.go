package cases

import (
	"time"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/octet-go/octet/msgpack"
)

// eventRow is an Event that is encoded as an array of its fields.
type eventRow struct {
	_      struct{} `msgpack:",as_array"`
	Name   string
	Time   time.Time
	Source string
	Count  int
	Final  bool
	Value  float64
}

func rowOf(e shape.Event) eventRow {
	return eventRow{Name: e.Name, Time: e.Time, Source: e.Source, Count: e.Count, Final: e.Final, Value: e.Value}
}

// eventForms returns the other ways in which Octet encodes and decodes an Event with For: the array form, strings
// that alias the input, both, and with checks.
func eventForms() []competitor[shape.Event] {
	return []competitor[shape.Event]{
		typedForm("octet array", msgpack.Options{}, rowOf),
		typedForm("octet alias", msgpack.Options{AliasInput: true}, same[shape.Event]),
		typedForm("octet array alias", msgpack.Options{AliasInput: true}, rowOf),
		checkedForm[shape.Event](),
	}
}

// checkedForm is Octet with the options that refuse more than the specification does. They take a pass over each message.
func checkedForm[T any]() competitor[T] {
	return typedForm("octet checked", msgpack.Options{RejectDuplicates: true, RejectInvalidUTF8: true, MaxElements: 10_000}, same[T])
}

func same[T any](v T) T { return v }

// typedForm is Octet with the type F, to which the values are converted. Aliasing strings affects only decoding.
func typedForm[T, F any](name string, o msgpack.Options, convert func(T) F) competitor[T] {
	return competitor[T]{name: name, enter: func(s samples[T]) (engine.Peer, error) {
		codec, err := msgpack.New(o)
		if err != nil {
			return engine.Peer{}, err
		}
		typed, err := msgpack.For[F](codec)
		if err != nil {
			return engine.Peer{}, err
		}
		l := forLibrary(name, typed)
		l.own = true
		own := samples[F]{messages: make([][]byte, len(s.values))}
		for _, v := range s.values {
			own.values = append(own.values, convert(v))
		}
		e, err := l.enter(own)
		if o.AliasInput {
			delete(e.Loops, verbAppend)
		}
		return e, err
	}}
}
