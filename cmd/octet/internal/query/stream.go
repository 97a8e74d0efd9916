package query

import (
	"context"
	"errors"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// events returns the parts of the values of all inputs in the form of jq --stream: a scalar
// or an empty container is [path, value], and the end of any other container is the path of
// its last element in an array, as in [path].
func events(ctx context.Context, files *input.Files) iter.Seq2[value, error] {
	return each(ctx, files, func(in *input.Input, send func(value) error) error {
		r := in.MessagePack()
		defer r.Close()
		e := streamer{in: in, s: scan.New(r, 0), d: newDecoder(false), send: send}
		return e.run()
	})
}

// A streamer takes the values of an input apart.
type streamer struct {
	in     *input.Input
	s      *scan.Scanner
	path   [][]byte // the encoded indexes and names, from the outside
	number int64    // of the top-level value
	d      decoder
	send   func(value) error
}

// run sends the events up to the end of the input.
func (e *streamer) run() error {
	for {
		t, err := e.s.Next()
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		switch t.Role {
		case scan.Top:
			e.number = int64(t.Index)
		case scan.Element:
			e.path = append(e.path[:t.Depth-1], wire.AppendUint(nil, t.Index))
		case scan.Key:
			name, err := e.name(t)
			if err != nil {
				return err
			}
			e.path = append(e.path[:t.Depth-1], name)
			continue
		}
		kind := t.Format.Kind()
		if t.Count > 0 && (kind == wire.KindArray || kind == wire.KindMap) {
			continue
		}
		if err := e.leaf(t); err != nil {
			return err
		}
		for depth := t.Depth; depth > e.s.Open(); depth-- {
			if err := e.event(e.path[:depth], nil, t.Offset); err != nil {
				return err
			}
		}
	}
}

// name returns the encoded name that the key t has in JSON.
func (e *streamer) name(t scan.Token) ([]byte, error) {
	path := e.s.Path()
	key, err := e.rest(t.Depth)
	if err != nil {
		return nil, err
	}
	if text, _, err := wire.ConsumeString(key); err == nil && utf8.Valid(text) {
		return key, nil
	}
	name, _, err := e.d.name(key)
	if err != nil {
		return nil, e.explain(err, t, path)
	}
	return wire.AppendString(nil, name), nil
}

// leaf sends the event of a scalar or an empty container.
func (e *streamer) leaf(t scan.Token) error {
	path := ""
	kind := t.Format.Kind()
	doubtful := kind == wire.KindStr || kind == wire.KindExt // not all of them can be decoded
	if doubtful {
		path = e.s.Path()
	}
	data, err := e.rest(t.Depth)
	if err != nil {
		return err
	}
	if doubtful {
		if _, err := e.d.decode(data, whole); err != nil {
			return e.explain(err, t, path)
		}
		e.d.reset()
	}
	return e.event(e.path[:t.Depth], data, t.Offset)
}

// event sends the array of a path and, if there is one, of the value at it.
func (e *streamer) event(path [][]byte, leaf []byte, offset int64) error {
	n := uint32(1)
	if leaf != nil {
		n = 2
	}
	data := wire.AppendArrayHeader(nil, n)
	data = wire.AppendArrayHeader(data, uint32(len(path)))
	for _, step := range path {
		data = append(data, step...)
	}
	if e.in.Format == sniff.JSON {
		offset = 0 // it would be one in the converted value
	}
	return e.send(value{e.in, e.number, offset, append(data, leaf...)})
}

// rest returns the value that has begun inside depth containers.
func (e *streamer) rest(depth int) (data []byte, err error) {
	for {
		data = append(data, e.s.Head()...)
		for e.s.Rest() > 0 {
			part, err := e.s.Payload(64 << 10)
			if err != nil {
				return nil, err
			}
			data = append(data, part...)
		}
		if e.s.Open() <= depth {
			return data, nil
		}
		if _, err := e.s.Next(); err != nil {
			return nil, err
		}
	}
}

// explain adds the place of the value t to an error about its content.
func (e *streamer) explain(err error, t scan.Token, path string) error {
	var content *transcode.Error
	if !errors.As(err, &content) {
		return err
	}
	placed := *content
	placed.Path = path
	return e.in.ExplainJSON(&placed, t.Offset, e.number)
}
