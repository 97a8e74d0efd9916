package migration

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	library "github.com/vmihailenco/msgpack/v5"
)

// Structs without exported fields of their own, some of which are encoded by promoted methods.
type (
	ownTime    struct{ time.Time } // as in the API of Kubernetes, but for its package
	taggedTime struct {
		time.Time `other:"-"`
	}
	zeroTime  struct{ time.Time }
	secret    struct{ a byte }
	hasSecret struct{ secret }
	hasAddr   struct{ netip.Addr }
	part      struct{ A int }
	hasPart   struct{ part }
)

func (t *ownTime) IsZero() bool    { return t == nil || t.Time.IsZero() }
func (t *taggedTime) IsZero() bool { return t == nil || t.Time.IsZero() }

func (s secret) MarshalBinary() ([]byte, error) { return []byte{s.a}, nil }

// TestEmptyStructs compares which structs omitempty leaves out. That of a library that finds too many of them empty loses
// their values.
func TestEmptyStructs(t *testing.T) {
	now := time.Unix(1, 0).UTC()
	type holder struct {
		Own    ownTime     `msgpack:",omitempty"`
		Tagged taggedTime  `msgpack:",omitempty"`
		Zero   zeroTime    `msgpack:",omitempty"`
		Secret secret      `msgpack:",omitempty"`
		Has    hasSecret   `msgpack:",omitempty"`
		Addr   hasAddr     `msgpack:",omitempty"`
		Part   hasPart     `msgpack:",omitempty"`
		Any    any         `msgpack:",omitempty"`
		None   struct{}    `msgpack:",omitempty"`
		Array  [1]zeroTime `msgpack:",omitempty"`
	}
	ours, err := msgpack.New(profile.Vmihailenco())
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]holder{
		"zero": {},
		"set": {ownTime{now}, taggedTime{now}, zeroTime{now}, secret{1}, hasSecret{secret{1}}, hasAddr{netip.AddrFrom4([4]byte{1})},
			hasPart{part{1}}, hasSecret{secret{1}}, struct{}{}, [1]zeroTime{{now}}},
	} {
		want, err := library.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ours.Marshal(&v); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v, want %x", name, got, err, want)
		}
	}
}
