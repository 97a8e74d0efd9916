package cases

import (
	"bufio"
	"bytes"
	stdbinary "encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/bytebuf"
	"github.com/valyala/bytebufferpool"
)

// verbBuild collects contents in a new buffer and returns them as a string.
const verbBuild = "Build"

func bufferContests() []engine.Contest {
	var list []engine.Contest
	for _, n := range []int{0, 5, 64, 128, 1024} {
		list = append(list,
			engine.Contest{Group: "buffers", Shape: "once/" + strconv.Itoa(n), Verbs: []string{verbBuild}, Open: func() ([]engine.Peer, error) { return openBuffer(n, n) }},
			engine.Contest{Group: "buffers", Shape: "pieces/" + strconv.Itoa(n), Verbs: []string{verbBuild}, Open: func() ([]engine.Peer, error) { return openBuffer(n, 8) }})
	}
	for _, c := range []struct {
		name    string
		records int
	}{{"small", 0}, {"medium", 1}, {"long", 100}} {
		list = append(list, engine.Contest{Group: "buffers", Shape: "chain/" + c.name, Verbs: []string{verbWrite, verbRead}, Open: func() ([]engine.Peer, error) { return openChain(c.records) }})
	}
	return list
}

// openBuffer writes n bytes, piece bytes at a time. Each library begins with an empty
// buffer and ends with a string, as a program does that builds one.
func openBuffer(n, piece int) ([]engine.Peer, error) {
	contents := bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n]
	var pieces [][]byte
	for rest := contents; len(rest) > 0; rest = rest[len(pieces[len(pieces)-1]):] {
		pieces = append(pieces, rest[:min(piece, len(rest))])
	}
	var s string
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{verbBuild: engine.Repeat(func() {
			var b bytebuf.Buffer
			for _, p := range pieces {
				b.Write(p)
			}
			s = b.String()
		})}},
		{Library: "bytes.Buffer", Loops: map[string]engine.Loop{verbBuild: engine.Repeat(func() {
			var b bytes.Buffer
			for _, p := range pieces {
				b.Write(p)
			}
			s = b.String()
		})}},
		{Library: "bytebufferpool", Note: "reuses a buffer", Loops: map[string]engine.Loop{verbBuild: engine.Attempt(func() error {
			b := bytebufferpool.Get()
			for _, p := range pieces {
				if _, err := b.Write(p); err != nil {
					return err
				}
			}
			s = b.String()
			bytebufferpool.Put(b)
			return nil
		})}},
		{Library: "bufio.Writer", Note: "in front of a strings.Builder", Loops: map[string]engine.Loop{verbBuild: engine.Attempt(func() error {
			var to strings.Builder
			b := bufio.NewWriter(&to)
			for _, p := range pieces {
				if _, err := b.Write(p); err != nil {
					return err
				}
			}
			if err := b.Flush(); err != nil {
				return err
			}
			s = to.String()
			return nil
		})}},
	}
	for i := range entries {
		e := &entries[i]
		e.Size, s = n, "nothing" // a loop must replace this text, also if n is 0
		if err := e.Loops[verbBuild](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if s != string(contents) {
			return nil, fmt.Errorf("%s built %q, want %q", e.Library, s, contents)
		}
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: n, Loops: map[string]engine.Loop{
		verbBuild: engine.Repeat(func() { s = string(contents) }),
	}}), nil
}

// record is the message of the chained calls: eleven values, of which two are byte slices.
type record struct {
	kind     uint8
	id, time uint32
	token    []byte
	payload  []byte
	priority uint8
	offset   int64
	score    float64
	done     bool
}

// openChain writes and reads a number of consecutive records; 0 means only the first three values of one record.
func openChain(records int) ([]engine.Peer, error) {
	x := record{kind: 1, id: 7, time: 3600, priority: 10, offset: -1, score: 0.5, done: true}
	x.token, x.payload = bytes.Repeat([]byte{0xa5}, 32), bytes.Repeat([]byte("payload "), 12)
	all := records > 0
	times := max(1, records)
	var want []byte
	for range times {
		want = x.append(want, all)
	}
	var sink bytes.Buffer
	source := bytes.NewReader(want)
	buf := make([]byte, 0, len(want))
	var got record
	writer, reader := binary.NewWriter(&sink, binary.BigEndian), binary.NewReader(source, binary.BigEndian)
	buffered, unbuffered := bufio.NewWriter(&sink), bufio.NewReader(source)
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error {
				sink.Reset()
				writer.Reset(&sink, binary.BigEndian)
				for range times {
					x.writeChain(writer, all)
				}
				_, err := writer.End()
				return err
			}),
			verbRead: engine.Attempt(func() error {
				source.Reset(want)
				reader.Reset(source, binary.BigEndian)
				for range times {
					got.readChain(reader, all)
				}
				_, err := reader.End()
				return err
			}),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error { sink.Reset(); return x.write(&sink, times, all) }),
			verbRead:  engine.Attempt(func() error { source.Reset(want); return got.read(source, times, all) }),
		}},
		{Library: "bufio", Note: "in front of encoding/binary", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error {
				sink.Reset()
				buffered.Reset(&sink)
				if err := x.write(buffered, times, all); err != nil {
					return err
				}
				return buffered.Flush()
			}),
			verbRead: engine.Attempt(func() error {
				source.Reset(want)
				unbuffered.Reset(source)
				return got.read(unbuffered, times, all)
			}),
		}},
		{Library: "by hand", Note: "AppendUint32 and its like into a slice", Loops: map[string]engine.Loop{
			verbWrite: engine.Repeat(func() {
				buf = buf[:0]
				for range times {
					buf = x.append(buf, all)
				}
			}),
		}},
	}
	for i := range entries {
		e := &entries[i]
		e.Size = len(want)
		sink.Reset()
		buf = buf[:0]
		if err := e.Loops[verbWrite](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		// Each library writes to one of the two.
		if !bytes.Equal(sink.Bytes(), want) && !bytes.Equal(buf, want) {
			return nil, fmt.Errorf("%s wrote % x, want % x", e.Library, sink.Bytes(), want)
		}
		if e.Loops[verbRead] == nil {
			continue // code by hand is compared for writing only
		}
		got = record{}
		if err := e.Loops[verbRead](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		// A record has byte slices, so its encoded form is compared.
		if got.id != x.id || all && !bytes.Equal(got.append(nil, true), x.append(nil, true)) {
			return nil, fmt.Errorf("%s read %v, want %v", e.Library, got, x)
		}
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(want), Loops: map[string]engine.Loop{
		verbWrite: engine.Repeat(func() { buf = append(buf[:0], want...) }),
		verbRead:  engine.Repeat(func() { buf = append(buf[:0], want...) }),
	}}), nil
}

// In the methods of a record, all selects every value, or the first three.

func (x *record) writeChain(w *binary.Writer, all bool) {
	w.Uint8(x.kind).Uint32(x.id).Uint32(x.time)
	if all {
		w.Uint16ByteSlice(x.token).Uint16ByteSlice(x.payload).Uint8(x.priority).Int64(x.offset).Float64(x.score).Bool(x.done)
	}
}

func (x *record) readChain(r *binary.Reader, all bool) {
	x.kind, x.id, x.time = r.Uint8(), r.Uint32(), r.Uint32()
	if all {
		x.token, x.payload = r.Uint16ByteSlice(), r.Uint16ByteSlice()
		x.priority, x.offset, x.score, x.done = r.Uint8(), r.Int64(), r.Float64(), r.Bool()
	}
}

func (x *record) write(w io.Writer, times int, all bool) error {
	for range times {
		values := []any{x.kind, x.id, x.time}
		if all {
			values = []any{x.kind, x.id, x.time, uint16(len(x.token)), x.token, uint16(len(x.payload)), x.payload, x.priority, x.offset, x.score, x.done}
		}
		for _, v := range values {
			if err := stdbinary.Write(w, stdbinary.BigEndian, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *record) read(r io.Reader, times int, all bool) error {
	read := func(list ...any) error {
		for _, v := range list {
			if err := stdbinary.Read(r, stdbinary.BigEndian, v); err != nil {
				return err
			}
		}
		return nil
	}
	for range times {
		if err := read(&x.kind, &x.id, &x.time); err != nil {
			return err
		}
		if !all {
			continue
		}
		for _, to := range []*[]byte{&x.token, &x.payload} {
			var length uint16
			if err := read(&length); err != nil {
				return err
			}
			*to = make([]byte, length)
			if err := read(*to); err != nil {
				return err
			}
		}
		if err := read(&x.priority, &x.offset, &x.score, &x.done); err != nil {
			return err
		}
	}
	return nil
}

func (x *record) append(b []byte, all bool) []byte {
	order := stdbinary.BigEndian
	b = append(b, x.kind)
	b = order.AppendUint32(b, x.id)
	b = order.AppendUint32(b, x.time)
	if !all {
		return b
	}
	b = append(order.AppendUint16(b, uint16(len(x.token))), x.token...)
	b = append(order.AppendUint16(b, uint16(len(x.payload))), x.payload...)
	b = append(b, x.priority)
	b = order.AppendUint64(b, uint64(x.offset))
	b = order.AppendUint64(b, math.Float64bits(x.score))
	if x.done {
		return append(b, 1)
	}
	return append(b, 0)
}
