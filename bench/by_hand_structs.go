package main

import (
	"slices"

	"github.com/octet-go/octet/bench/shape"
)

// eventByHand is the limit of a small struct: what a program would do for this one type.
var eventByHand = library[shape.Event]{
	name: limit,
	marshal: func(v *shape.Event) ([]byte, error) {
		return appendEvent(nil, v), nil
	},
	append:    func(v *shape.Event, dst []byte) ([]byte, error) { return appendEvent(dst, v), nil },
	unmarshal: func(v *shape.Event, data []byte) error { return decodeEvent(data, v) },
}

// eventRoom is what an Event takes at most without the bytes of its strings.
const eventRoom = 1 + (5 + 5) + (5 + 15) + (7 + 5) + (6 + 9) + (6 + 1) + (6 + 9)

func appendEvent(b []byte, e *shape.Event) []byte {
	b = slices.Grow(b, eventRoom+len(e.Name)+len(e.Source))
	b = append(b, "\x86\xa4name"...)
	b = putString(b, e.Name)
	b = append(b, "\xa4time"...)
	b = putTime(b, e.Time)
	b = append(b, "\xa6source"...)
	b = putString(b, e.Source)
	b = append(b, "\xa5count"...)
	b = putInt(b, int64(e.Count))
	b = append(b, "\xa5final"...)
	b = putBool(b, e.Final)
	b = append(b, "\xa5value"...)
	return putFloat(b, e.Value)
}

// decodeEvent expects the keys in the order in which they are declared, and takes them in any other.
func decodeEvent(b []byte, e *shape.Event) error {
	n, i, err := mapLength(b, 0)
	if err != nil {
		return err
	}
	for k := range n {
		field := -1
		switch k {
		case 0:
			if startsWith(b, i, "\xa4name") {
				field, i = 0, i+5
			}
		case 1:
			if startsWith(b, i, "\xa4time") {
				field, i = 1, i+5
			}
		case 2:
			if startsWith(b, i, "\xa6source") {
				field, i = 2, i+7
			}
		case 3:
			if startsWith(b, i, "\xa5count") {
				field, i = 3, i+6
			}
		case 4:
			if startsWith(b, i, "\xa5final") {
				field, i = 4, i+6
			}
		case 5:
			if startsWith(b, i, "\xa5value") {
				field, i = 5, i+6
			}
		}
		if field < 0 {
			var from int
			if from, i, err = textAt(b, i); err != nil {
				return err
			}
			switch string(b[from:i]) {
			case "name":
				field = 0
			case "time":
				field = 1
			case "source":
				field = 2
			case "count":
				field = 3
			case "final":
				field = 4
			case "value":
				field = 5
			}
		}
		switch field {
		case 0:
			e.Name, i, err = getString(b, i)
		case 1:
			e.Time, i, err = getTime(b, i)
		case 2:
			e.Source, i, err = getString(b, i)
		case 3:
			var count int64
			count, i, err = getInt(b, i)
			if e.Count = int(count); int64(e.Count) != count {
				err = errRange
			}
		case 4:
			e.Final, i, err = getBool(b, i)
		case 5:
			e.Value, i, err = getFloat(b, i)
		default:
			i, err = skip(b, i)
		}
		if err != nil {
			return err
		}
	}
	if i < len(b) {
		return errForm
	}
	return nil
}
