package cases

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
)

// eventByHand is the limit for a small struct: the code that a program would contain for this one type.
var eventByHand = library[shape.Event]{
	name: engine.Limit,
	marshal: func(v *shape.Event) ([]byte, error) {
		return appendEvent(nil, v), nil
	},
	append:    func(v *shape.Event, dst []byte) ([]byte, error) { return appendEvent(dst, v), nil },
	unmarshal: func(v *shape.Event, data []byte) error { return decodeEvent(data, v) },
}

// eventRoom is the maximum size of an Event without the bytes of its strings.
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

// decodeEvent expects the keys in the order of declaration but accepts any order.
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

// accountsByHand encodes and decodes slices of accounts with as many allocations as Octet: one for a message, and
// for a decoded slice one plus one per chunk of strings.
func accountsByHand() competitor[[]shape.Account] {
	var scratch []byte
	var d accountDecoder
	return library[[]shape.Account]{
		name: "by hand",
		marshal: func(v *[]shape.Account) ([]byte, error) {
			scratch = appendAccounts(scratch[:0], *v)
			return bytes.Clone(scratch), nil
		},
		append:    func(v *[]shape.Account, dst []byte) ([]byte, error) { return appendAccounts(dst, *v), nil },
		unmarshal: func(v *[]shape.Account, data []byte) error { return d.decode(data, v) },
	}.competitor()
}

func appendAccounts(b []byte, list []shape.Account) []byte {
	switch n := len(list); {
	case n < 16:
		b = append(b, 0x90|byte(n))
	case n < 1<<16:
		b = append(b, 0xdc, byte(n>>8), byte(n))
	default:
		b = binary.BigEndian.AppendUint32(append(b, 0xdd), uint32(n))
	}
	for i := range list {
		a := &list[i]
		b = append(b, "\x86\xa2id"...)
		b = putInt(b, a.ID)
		b = append(b, "\xa4name"...)
		b = putString(b, a.Name)
		b = append(b, "\xa5email"...)
		b = putString(b, a.Email)
		b = append(b, "\xa3age"...)
		b = putInt(b, int64(a.Age))
		b = append(b, "\xa5score"...)
		b = putFloat(b, a.Score)
		b = append(b, "\xa6active"...)
		b = putBool(b, a.Active)
	}
	return b
}

// accountDecoder decodes slices of accounts. Their strings share chunks of memory: it collects the bytes of the
// strings, and sets the fields when a chunk is full.
type accountDecoder struct {
	chunk []byte
	parts []part
}

// part is the end of a string in a chunk, and the field that gets it.
type part struct {
	end    int
	target *string
}

const chunkSize = 1400

// add adds a string for target to the chunk.
func (d *accountDecoder) add(text []byte, target *string) {
	if len(d.chunk)+len(text) > chunkSize {
		d.flush()
	}
	d.chunk = append(d.chunk, text...)
	d.parts = append(d.parts, part{len(d.chunk), target})
}

func (d *accountDecoder) flush() {
	chunk, from := string(d.chunk), 0
	for _, p := range d.parts {
		*p.target = chunk[from:p.end]
		from = p.end
	}
	d.chunk, d.parts = d.chunk[:0], d.parts[:0]
}

func (d *accountDecoder) decode(b []byte, list *[]shape.Account) error {
	d.chunk, d.parts = d.chunk[:0], d.parts[:0]
	n, i, err := arrayLength(b, 0)
	if err != nil {
		return err
	}
	if n < 0 || n > len(b)-i {
		return errShort
	}
	*list = make([]shape.Account, n)
	for k := range *list {
		if i, err = d.account(b, i, &(*list)[k]); err != nil {
			return err
		}
	}
	d.flush()
	if i < len(b) {
		return errForm
	}
	return nil
}

// account expects the keys in the order of declaration but accepts any order.
func (d *accountDecoder) account(b []byte, i int, a *shape.Account) (next int, err error) {
	n, i, err := mapLength(b, i)
	if err != nil {
		return 0, err
	}
	for range n {
		var from int
		if from, i, err = textAt(b, i); err != nil {
			return 0, err
		}
		var v int64
		switch string(b[from:i]) {
		case "id":
			a.ID, i, err = getInt(b, i)
		case "name":
			if from, i, err = textAt(b, i); err == nil {
				d.add(b[from:i], &a.Name)
			}
		case "email":
			if from, i, err = textAt(b, i); err == nil {
				d.add(b[from:i], &a.Email)
			}
		case "age":
			v, i, err = getInt(b, i)
			if a.Age = int(v); int64(a.Age) != v {
				err = errRange
			}
		case "score":
			a.Score, i, err = getFloat(b, i)
		case "active":
			a.Active, i, err = getBool(b, i)
		default:
			i, err = skip(b, i)
		}
		if err != nil {
			return 0, err
		}
	}
	return i, nil
}
