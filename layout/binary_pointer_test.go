package layout_test

import (
	"net/netip"
	"reflect"
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
