package cases

import (
	"bytes"
	stdbinary "encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/go-restruct/restruct"
	kelindar "github.com/kelindar/binary"
	"github.com/lunixbochs/struc"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/binary"
)

// The operations on fixed-size structs: to and from a byte slice, and to and from a stream.
const (
	verbEncode = "Append"
	verbDecode = "Decode"
	verbWrite  = "Write"
	verbRead   = "Read"
)

const structsSingly = "it processes one struct at a time"

const ownFormat = "own format: variable-length integers, little-endian floats"

var fixedVerbs = []string{verbEncode, verbDecode, verbWrite, verbRead}

func fixedContests() []engine.Contest {
	return []engine.Contest{
		{Group: "fixed", Shape: "number", Verbs: fixedVerbs, Open: openNumber},
		{Group: "fixed", Shape: "quote", Verbs: fixedVerbs, Open: openQuote},
		{Group: "fixed", Shape: "packet", Verbs: fixedVerbs, Open: openPacket},
		{Group: "fixed", Shape: "quotes", Verbs: []string{verbEncode, verbDecode}, N: 100, Open: openQuotes},
		{Group: "fixed", Shape: "apns", Verbs: []string{verbWrite, verbRead}, Open: openFrame},
	}
}

// openNumber times single numbers, as of a message that a program writes field by field. The libraries for structs
// do not take part.
func openNumber() ([]engine.Peer, error) {
	v, target := uint32(0x01020304), new(uint32)
	buf := make([]byte, 4)
	want := stdbinary.BigEndian.AppendUint32(nil, v)
	var sink bytes.Buffer
	source := bytes.NewReader(want)
	entries := append(binaryEntries(v, target, buf, want, &sink),
		engine.Peer{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { buf = stdbinary.BigEndian.AppendUint32(buf[:0], v) }),
			verbDecode: engine.Repeat(func() { *target = stdbinary.BigEndian.Uint32(buf) }),
		}})
	if err := verifyFixed(entries, want, buf, &sink, func() { *target = 0 }, func() bool { return *target == v }); err != nil {
		return nil, err
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(want), Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() { copy(buf, want) }),
		verbDecode: engine.Repeat(func() { *target = v }),
		verbWrite:  engine.Repeat(func() { sink.Reset(); sink.Write(want) }),
		verbRead:   engine.Attempt(func() error { source.Reset(want); _, err := io.ReadFull(source, buf); return err }),
	}}), nil
}

// The loops of openQuote, openPacket and openQuotes name the types directly, as programs do, because calls through
// type parameters are slower and are not inlined.

func openQuote() ([]engine.Peer, error) {
	q := new(quote)
	q.fill(1)
	buf, target := make([]byte, onWire), new(quote)
	dst := buf[:0]
	codec, err := binary.For[quote](binary.BigEndian)
	if err != nil {
		return nil, err
	}
	return enterFixed(q, target, buf,
		engine.Peer{Library: "octet Typed", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { dst = codec.Append(dst[:0], q) }),
			verbDecode: engine.Attempt(func() error { _, err := codec.Get(buf, target); return err }),
		}},
		engine.Peer{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { dst = q.append(dst[:0]) }),
			verbDecode: engine.Attempt(func() error { _, err := target.get(buf); return err }),
		}},
		quoteInPlace(q, target, buf))
}

func openPacket() ([]engine.Peer, error) {
	p := new(packet)
	p.fill(1)
	buf, target := make([]byte, onWire), new(packet)
	dst := buf[:0]
	codec, err := binary.For[packet](binary.BigEndian)
	if err != nil {
		return nil, err
	}
	return enterFixed(p, target, buf,
		engine.Peer{Library: "octet Typed", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { dst = codec.Append(dst[:0], p) }),
			verbDecode: engine.Attempt(func() error { _, err := codec.Get(buf, target); return err }),
		}},
		engine.Peer{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { dst = p.append(dst[:0]) }),
			verbDecode: engine.Attempt(func() error { _, err := target.get(buf); return err }),
		}},
		packetInPlace(p, target, buf))
}

// binaryEntries returns Octet and encoding/binary. They encode v, a value or a pointer, into buf and sink, and decode
// buf and want into *target.
func binaryEntries[V, T any](v V, target *T, buf, want []byte, sink *bytes.Buffer) []engine.Peer {
	source := bytes.NewReader(want)
	return []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = binary.Append(buf[:0], binary.BigEndian, v); return err }),
			verbDecode: engine.Attempt(func() error { _, err := binary.Decode(buf, binary.BigEndian, target); return err }),
			verbWrite:  engine.Attempt(func() error { sink.Reset(); return binary.Write(sink, binary.BigEndian, v) }),
			verbRead:   engine.Attempt(func() error { source.Reset(want); return binary.Read(source, binary.BigEndian, target) }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = stdbinary.Append(buf[:0], stdbinary.BigEndian, v); return err }),
			verbDecode: engine.Attempt(func() error { _, err := stdbinary.Decode(buf, stdbinary.BigEndian, target); return err }),
			verbWrite:  engine.Attempt(func() error { sink.Reset(); return stdbinary.Write(sink, stdbinary.BigEndian, v) }),
			verbRead:   engine.Attempt(func() error { source.Reset(want); return stdbinary.Read(source, stdbinary.BigEndian, target) }),
		}},
	}
}

// enterFixed returns the verified entries for one struct. All entries encode *v into buf and decode buf into
// *target. typed contains the entries that use the type directly.
func enterFixed[T any](v, target *T, buf []byte, typed ...engine.Peer) ([]engine.Peer, error) {
	want, err := stdbinary.Append(nil, stdbinary.BigEndian, v)
	if err != nil {
		return nil, err
	}
	var sink bytes.Buffer
	source := bytes.NewReader(want)
	own, err := kelindar.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("kelindar: %w", err)
	}
	memory := new(T)
	entries := append(binaryEntries(v, target, buf, want, &sink), []engine.Peer{
		{Library: "kelindar", Size: len(own), Note: ownFormat, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() error { _, err := kelindar.Marshal(v); return err }),
			verbDecode: engine.Attempt(func() error { return kelindar.Unmarshal(own, target) }),
			verbWrite:  engine.Attempt(func() error { sink.Reset(); return kelindar.MarshalTo(v, &sink) }),
			verbRead:   engine.Attempt(func() error { source.Reset(own); return kelindar.NewDecoder(source).Decode(target) }),
		}},
		{Library: "struc", Loops: map[string]engine.Loop{
			verbWrite: engine.Attempt(func() error { sink.Reset(); return struc.Pack(&sink, v) }),
			verbRead:  engine.Attempt(func() error { source.Reset(want); return struc.Unpack(source, target) }),
		}},
		{Library: "restruct", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() error { b, err := restruct.Pack(stdbinary.BigEndian, v); copy(buf, b); return err }),
			verbDecode: engine.Attempt(func() error { return restruct.Unpack(buf, stdbinary.BigEndian, target) }),
		}},
	}...)
	entries = append(entries, typed...)
	if err := verifyFixed(entries, want, buf, &sink, func() { *target = *new(T) }, func() bool { return reflect.DeepEqual(target, v) }); err != nil {
		return nil, err
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(want), Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() { copy(buf, want) }),
		verbDecode: engine.Repeat(func() { *target = *memory }),
		verbWrite:  engine.Repeat(func() { sink.Reset(); sink.Write(want) }),
		verbRead:   engine.Attempt(func() error { source.Reset(want); _, err := io.ReadFull(source, buf); return err }),
	}}), nil
}

// verifyFixed runs every loop once and checks its result. An entry without a size must write the bytes of want.
// decoded reports whether the target, which wipe clears, equals the encoded value.
func verifyFixed(entries []engine.Peer, want, buf []byte, sink *bytes.Buffer, wipe func(), decoded func() bool) error {
	for i := range entries {
		e := &entries[i]
		same := e.Size == 0
		if same {
			e.Size = len(want)
		}
		for _, verb := range fixedVerbs {
			if e.Loops[verb] == nil {
				continue
			}
			encodes := verb == verbEncode || verb == verbWrite
			if encodes {
				clear(buf)
			} else {
				copy(buf, want)
			}
			sink.Reset()
			wipe()
			if err := e.Loops[verb](1); err != nil {
				return fmt.Errorf("%s: %s: %w", e.Library, verb, err)
			}
			got := buf
			if verb == verbWrite {
				got = sink.Bytes()
			}
			if encodes && same && !bytes.Equal(got, want) {
				return fmt.Errorf("%s: %s: % x, want % x", e.Library, verb, got, want)
			}
			if !encodes && !decoded() {
				return fmt.Errorf("%s: %s: decoded a different value", e.Library, verb)
			}
		}
	}
	return nil
}

// openQuotes uses a slice of a hundred structs.
func openQuotes() ([]engine.Peer, error) {
	const n = 100
	v, target := make([]quote, n), make([]quote, n)
	for i := range v {
		v[i].fill(i)
	}
	want, err := stdbinary.Append(nil, stdbinary.BigEndian, v)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, len(want))
	codec, err := binary.For[quote](binary.BigEndian)
	if err != nil {
		return nil, err
	}
	own, err := kelindar.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("kelindar: %w", err)
	}
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = binary.Append(buf[:0], binary.BigEndian, v); return err }),
			verbDecode: engine.Attempt(func() error { _, err := binary.Decode(buf, binary.BigEndian, target); return err }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = stdbinary.Append(buf[:0], stdbinary.BigEndian, v); return err }),
			verbDecode: engine.Attempt(func() error { _, err := stdbinary.Decode(buf, stdbinary.BigEndian, target); return err }),
		}},
		{Library: "kelindar", Size: len(own), Note: ownFormat, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() error { _, err := kelindar.Marshal(v); return err }),
			verbDecode: engine.Attempt(func() error { return kelindar.Unmarshal(own, &target) }),
		}},
		{Library: "struc", Note: structsSingly},
		{Library: "restruct", Note: structsSingly},
		{Library: "octet Typed", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { buf = codec.AppendSlice(buf[:0], v) }),
			verbDecode: engine.Attempt(func() error { _, err := codec.GetSlice(buf, target); return err }),
		}},
		{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() {
				for i := range v {
					v[i].put(buf[i*onWire:])
				}
			}),
			verbDecode: engine.Attempt(func() error {
				for i := range target {
					if _, err := target[i].get(buf[i*onWire:]); err != nil {
						return err
					}
				}
				return nil
			}),
		}},
	}
	err = verifyFixed(entries, want, buf, new(bytes.Buffer), func() { clear(target) }, func() bool { return slices.Equal(target, v) })
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(want), Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() { copy(buf, want) }),
		verbDecode: engine.Repeat(func() { copy(target, v) }),
	}}), err
}
