package cases

import (
	"bytes"
	stdbinary "encoding/binary"
	"fmt"
	"io"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/messages"
	"github.com/octet-go/octet/layout"
)

// The group layout compares messages that are declared with struct tags with the
// same messages written by hand. The hand-written code is in separate functions that
// are not inlined, because programs call such code as functions.
func layoutContests() []engine.Contest {
	verbs := []string{verbEncode, verbDecode}
	return []engine.Contest{
		{Group: "layout", Shape: "notification", Verbs: verbs, Open: openNotification},
		{Group: "layout", Shape: "fixed", Verbs: verbs, Open: openFixedRun},
		{Group: "layout", Shape: "bits", Verbs: verbs, Open: openBits},
	}
}

func (n *notification) declared() *messages.Notification {
	return &messages.Notification{Token: n.token, Payload: n.payload, Identifier: n.identifier, Expiration: n.expiration, Priority: n.priority}
}

func (n *notification) setDeclared(f *messages.Notification) {
	*n = notification{f.Token, f.Payload, f.Identifier, f.Expiration, f.Priority}
}

// openNotification encodes and decodes the frame of a small notification: a token of 32 bytes and a payload of 23.
// Octet and the code by hand decode a payload that is part of the message.
func openNotification() ([]engine.Peer, error) {
	n := &notification{payload: []byte(`{"aps":{"alert":"Hi!"}}`), identifier: 40_213, expiration: 1_763_683_200, priority: 10}
	for i := range n.token {
		n.token[i] = byte(7 * i)
	}
	want := make([]byte, n.length()+5)
	n.put(want)
	codec, err := layout.New(layout.Options{AliasInput: true})
	if err != nil {
		return nil, err
	}
	typed, err := layout.For[messages.Notification](codec)
	if err != nil {
		return nil, err
	}

	var sink bytes.Buffer
	var target notification
	buf := make([]byte, len(want))
	f, got := n.declared(), new(messages.Notification)
	source := bytes.NewReader(want)
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = typed.Append(buf[:0], f); return err }),
			verbDecode: engine.Attempt(func() error { _, err := typed.UnmarshalPrefix(want, got); return err }),
		}},
		{Library: "octet Marshal", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = layout.Marshal(f); return err }),
			verbDecode: engine.Attempt(func() error { return layout.Unmarshal(want, got) }),
		}},
		{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = messages.AppendNotification(buf[:0], f); return err }),
			verbDecode: engine.Attempt(func() error { return messages.DecodeNotification(want, got, true) }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() error {
				return n.write(&sink, func(w io.Writer, v any) error { return stdbinary.Write(w, stdbinary.BigEndian, v) })
			}),
			verbDecode: engine.Attempt(func() error {
				source.Reset(want)
				return target.read(source, func(r io.Reader, v any) error { return stdbinary.Read(r, stdbinary.BigEndian, v) })
			}),
		}},
	}
	others, err := frameEntries(n, &target, &sink, want)
	if err != nil {
		return nil, err
	}
	for _, e := range others {
		e.Loops[verbEncode], e.Loops[verbDecode] = e.Loops[verbWrite], e.Loops[verbRead]
		entries = append(entries, e)
	}
	for i := range entries {
		e := &entries[i]
		same := e.Size == 0
		if same {
			e.Size = len(want)
		}
		sink.Reset()
		clear(buf)
		if err := e.Loops[verbEncode](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if same && !bytes.Equal(sink.Bytes(), want) && !bytes.Equal(buf, want) {
			return nil, fmt.Errorf("%s: % x, want % x", e.Library, sink.Bytes(), want)
		}
		target, *got = notification{}, messages.Notification{}
		if err := e.Loops[verbDecode](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if got.Command != 0 {
			target.setDeclared(got)
		}
		if !target.equal(n) {
			return nil, fmt.Errorf("%s: %v, want %v", e.Library, target, *n)
		}
	}
	return append(entries, messageLimit(want)), nil
}

// messageLimit is the limit of a message: its bytes are copied.
func messageLimit(want []byte) engine.Peer {
	buf := make([]byte, len(want))
	return engine.Peer{Library: engine.Limit, Size: len(want), Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() { copy(buf, want) }),
		verbDecode: engine.Repeat(func() { copy(buf, want) }),
	}}
}

// openFixedRun encodes and decodes a struct of 64 bytes.
func openFixedRun() ([]engine.Peer, error) {
	q := new(quote)
	q.fill(1)
	want := q.append(nil)
	typed, err := layout.For[quote](nil)
	if err != nil {
		return nil, err
	}
	buf, got := make([]byte, len(want)), new(quote)
	return verifyLayouts(q, got, want, &buf, []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = typed.Append(buf[:0], q); return err }),
			verbDecode: engine.Attempt(func() error { _, err := typed.UnmarshalPrefix(want, got); return err }),
		}},
		{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { buf = quoteByHand(buf[:0], q) }),
			verbDecode: engine.Attempt(func() error { return parseQuoteByHand(want, got) }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = stdbinary.Append(buf[:0], stdbinary.BigEndian, q); return err }),
			verbDecode: engine.Attempt(func() error { _, err := stdbinary.Decode(want, stdbinary.BigEndian, got); return err }),
		}},
	})
}

//go:noinline
func quoteByHand(b []byte, q *quote) []byte { return q.append(b) }

//go:noinline
func parseQuoteByHand(b []byte, q *quote) error {
	_, err := q.get(b)
	return err
}

// ipHeader is the fixed part of an IPv4 header, with the bit fields of RFC 791.
type ipHeader struct {
	_        struct{} `layout:"be"`
	Version  uint8    `layout:"bits=4"`
	IHL      uint8    `layout:"bits=4"`
	DSCP     uint8    `layout:"bits=6"`
	ECN      uint8    `layout:"bits=2"`
	Total    uint16
	ID       uint16
	Reserved bool   `layout:"bits=1"`
	DF       bool   `layout:"bits=1"`
	MF       bool   `layout:"bits=1"`
	Offset   uint16 `layout:"bits=13"`
	TTL      uint8
	Protocol uint8
	Checksum uint16
	Source   [4]byte
	Target   [4]byte
}

// openBits encodes and decodes a header with bit fields.
func openBits() ([]engine.Peer, error) {
	h := &ipHeader{Version: 4, IHL: 5, DSCP: 46, ECN: 1, Total: 1500, ID: 0xBEEF, DF: true, Offset: 0x1234 & 0x1FFF,
		TTL: 64, Protocol: 6, Checksum: 0x1D0F, Source: [4]byte{192, 0, 2, 1}, Target: [4]byte{198, 51, 100, 7}}
	want := h.appendByHand(nil)
	typed, err := layout.For[ipHeader](nil)
	if err != nil {
		return nil, err
	}
	buf, got := make([]byte, len(want)), new(ipHeader)
	return verifyLayouts(h, got, want, &buf, []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = typed.Append(buf[:0], h); return err }),
			verbDecode: engine.Attempt(func() error { _, err := typed.UnmarshalPrefix(want, got); return err }),
		}},
		{Library: "by hand", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { buf = h.appendByHand(buf[:0]) }),
			verbDecode: engine.Attempt(func() error { return got.parseByHand(want) }),
		}},
	})
}

//go:noinline
func (h *ipHeader) appendByHand(b []byte) []byte {
	order := stdbinary.BigEndian
	b = append(b, h.Version<<4|h.IHL&15, h.DSCP<<2|h.ECN&3)
	b = order.AppendUint16(b, h.Total)
	b = order.AppendUint16(b, h.ID)
	flags := h.Offset & 0x1FFF
	if h.Reserved {
		flags |= 1 << 15
	}
	if h.DF {
		flags |= 1 << 14
	}
	if h.MF {
		flags |= 1 << 13
	}
	b = order.AppendUint16(b, flags)
	b = append(b, h.TTL, h.Protocol)
	b = order.AppendUint16(b, h.Checksum)
	b = append(b, h.Source[:]...)
	return append(b, h.Target[:]...)
}

//go:noinline
func (h *ipHeader) parseByHand(b []byte) error {
	if len(b) < 20 {
		return errFrame
	}
	order := stdbinary.BigEndian
	h.Version, h.IHL = b[0]>>4, b[0]&15
	h.DSCP, h.ECN = b[1]>>2, b[1]&3
	h.Total = order.Uint16(b[2:])
	h.ID = order.Uint16(b[4:])
	flags := order.Uint16(b[6:])
	h.Reserved, h.DF, h.MF, h.Offset = flags>>15 != 0, flags>>14&1 != 0, flags>>13&1 != 0, flags&0x1FFF
	h.TTL, h.Protocol = b[8], b[9]
	h.Checksum = order.Uint16(b[10:])
	h.Source, h.Target = [4]byte(b[12:]), [4]byte(b[16:])
	return nil
}

// verifyLayouts checks that each entry encodes v to want and decodes it to got.
func verifyLayouts[T comparable](v, got *T, want []byte, buf *[]byte, entries []engine.Peer) ([]engine.Peer, error) {
	for i := range entries {
		e := &entries[i]
		e.Size = len(want)
		clear(*buf)
		if err := e.Loops[verbEncode](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if !bytes.Equal(*buf, want) {
			return nil, fmt.Errorf("%s: % x, want % x", e.Library, *buf, want)
		}
		*got = *new(T)
		if err := e.Loops[verbDecode](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if *got != *v {
			return nil, fmt.Errorf("%s: %v, want %v", e.Library, *got, *v)
		}
	}
	return append(entries, messageLimit(want)), nil
}
