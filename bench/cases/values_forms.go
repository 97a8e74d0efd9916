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
// that alias the input, and both.
func eventForms() []competitor[shape.Event] {
	return []competitor[shape.Event]{
		typedForm("octet array", false, rowOf),
		typedForm("octet alias", true, func(e shape.Event) shape.Event { return e }),
		typedForm("octet array alias", true, rowOf),
	}
}

// typedForm is Octet with the type F, to which the values are converted. Aliasing strings affects only decoding.
func typedForm[T, F any](name string, alias bool, convert func(T) F) competitor[T] {
	return competitor[T]{name: name, enter: func(s samples[T]) (engine.Peer, error) {
		codec, err := msgpack.New(msgpack.Options{AliasInput: alias})
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
		if alias {
			delete(e.Loops, verbAppend)
		}
		return e, err
	}}
}
