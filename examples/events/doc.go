// Package events shows how the events of a service live for years: three versions of a
// struct, an old reader and a new one, the check that stops a bad fourth version, and one
// query over all of them. README.md has the steps.
package events

import (
	"cmp"
	"time"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
)

// EventV1 is the event of the first year.
type EventV1 struct {
	User string    `msgpack:"user,required"`
	Time time.Time `msgpack:"time"`
	Cost int32     `msgpack:"cost"` // in cents
}

// EventV2 adds a field. Old readers pass over it.
type EventV2 struct {
	User string    `msgpack:"user,required"`
	Time time.Time `msgpack:"time"`
	Cost int32     `msgpack:"cost"`
	Tags []string  `msgpack:"tags,omitempty"`
}

// Event is the third version, which the service writes today.
type Event struct {
	User string    `msgpack:"user,required"`
	Time time.Time `msgpack:"time"`
	Cost int32     `msgpack:"cost"`
	Tags []string  `msgpack:"tags,omitempty"`
	From *Place    `msgpack:"from,omitempty"`
}

// A Place is where an event happened.
type Place struct {
	Country string `msgpack:"country"`
	City    string `msgpack:"city,omitempty"`
}

// BadEvent is a fourth version that must not ship: it renames a field, so that its readers
// lose the cost of all events of three years, and old readers lose that of new ones.
type BadEvent struct {
	User  string    `msgpack:"user,required"`
	Time  time.Time `msgpack:"time"`
	Price int32     `msgpack:"price"`
	Tags  []string  `msgpack:"tags,omitempty"`
	From  *Place    `msgpack:"from,omitempty"`
}

// Breaking returns what breaks if programs with New read the events of programs with Old,
// and the reverse. A test of the service calls it with the schema of the main branch.
func Breaking[Old, New any]() ([]schema.Change, error) {
	before, err := schema.Of[Old](nil)
	if err != nil {
		return nil, err
	}
	after, err := schema.Of[New](nil)
	if err != nil {
		return nil, err
	}
	return schema.Breaking(schema.Compare(before, after)), nil
}

// Append adds events to the file of a year, and creates it. If the file has a schema with
// which the events are not compatible, the error is [record.ErrSchema].
func Append[T any](path string, events ...T) error {
	s, err := schema.Of[T](nil)
	if err != nil {
		return err
	}
	w, err := record.Append(path, &record.Options{Schema: s})
	if err != nil {
		return err
	}
	for i := range events {
		if err = w.Write(&events[i]); err != nil {
			break
		}
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	return err
}

// Read returns the events of a file as the version T, whichever version wrote them.
func Read[T any](path string) (events []T, err error) {
	f, err := record.Open(path, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for event, err := range record.All[T](f) {
		if err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	return events, nil
}

// Sample writes events of three years to a file, each by the version of that year.
func Sample(path string) error {
	year := func(y int) time.Time { return time.Date(y, 6, 1, 12, 0, 0, 0, time.UTC) }
	return cmp.Or(
		Append(path, EventV1{"ada", year(2024), 100}, EventV1{"bob", year(2024), 250}),
		Append(path, EventV2{"ada", year(2025), 50, []string{"sale"}}),
		Append(path, Event{"eve", year(2026), 75, []string{"sale", "web"}, &Place{"FR", "Paris"}}),
	)
}
