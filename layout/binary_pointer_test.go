package layout_test

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// TestBinaryPointers has pointers to types with MarshalBinary in fields with a length.
func TestBinaryPointers(t *testing.T) {
	type message struct {
		Has  bool
		N    uint8      `layout:"len=Addr"`
		Time *time.Time `layout:"prefix=u16,if=Has"`
		Addr *netip.Addr
		Tail uint8
	}
	now, addr := time.Unix(1, 2).UTC(), netip.MustParseAddr("1.2.3.4")
	for _, v := range []any{message{true, 0, &now, &addr, 1}, message{false, 0, nil, &addr, 1}, message{false, 0, nil, new(netip.Addr), 1}} {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) { compareForms(t, codec(t), reference.Config{}, v) })
	}
	refuse(t, codec(t), &message{}, layout.ErrRange, "message.Addr at offset 2: nil pointer")
	refuse(t, codec(t), &struct{ A *netip.Addr }{}, layout.ErrTag, "type netip.Addr encodes itself only in a field with a length")
	for _, v := range []any{
		&struct {
			A []netip.Addr `layout:"prefix=u8"`
		}{},
		&struct{ A [2]*netip.Addr }{},
	} {
		refuse(t, codec(t), v, layout.ErrTag, "the elements of "+reflect.TypeOf(v).Elem().Field(0).Type.String()+" have no length; put the netip.Addr into a struct with a prefix")
	}
}

// wantsMore is a type whose methods need more bytes than there are.
type wantsMore struct{}

func (wantsMore) AppendLayout(b []byte) ([]byte, error) { return b, nil }

func (wantsMore) DecodeLayout(b []byte) (int, error) {
	switch b[0] {
	case 1:
		return 0, fmt.Errorf("too short: %w", layout.ErrTruncated)
	case 2:
		return 0, io.ErrUnexpectedEOF
	}
	_, err := layout.UnmarshalPrefix(b, new(uint64))
	return 0, err
}

// TestMethodsThatNeedMore has methods that need more bytes. If a length says where these end, more input would not help,
// so the reason is ErrLength, as for other fields; otherwise it is that of the method.
func TestMethodsThatNeedMore(t *testing.T) {
	type prefixed struct {
		V []struct{ V wantsMore } `layout:"prefix=u8"`
	}
	type ranged struct {
		N uint8 `layout:"len=N..V"`
		V wantsMore
	}
	type open struct {
		N uint8
		V wantsMore
	}
	for b, text := range map[string]string{"\x01": "too short: truncated input", "\x02": "unexpected EOF", "\x03": "8 bytes are needed, but 1 byte is left in the message"} {
		for _, v := range []any{&prefixed{}, &ranged{}, &open{}} {
			data, want := []byte("\x01"+b), layout.ErrLength
			if _, ok := v.(*ranged); ok {
				data[0] = 2
			} else if _, ok := v.(*open); ok {
				want = io.ErrUnexpectedEOF
			}
			err := codec(t).Unmarshal(data, v)
			if !errors.Is(err, want) || errors.Is(err, io.ErrUnexpectedEOF) != (want == io.ErrUnexpectedEOF) || !strings.HasSuffix(err.Error(), " at offset 1: "+text) {
				t.Errorf("%T of % x: %v, want %v", v, data, err, want)
			}
		}
	}
}
