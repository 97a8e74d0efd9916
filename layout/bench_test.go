package layout_test

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/octet-go/octet/layout"
)

// fixedRun has fields of every width, big-endian, in one cache line.
type fixedRun struct {
	A uint64
	B uint32
	C uint16
	D uint16
	E uint64
	F float64
	G int32
	H uint32
	I [8]uint8
	J uint64
	K int16
	L uint16
	M uint32
}

//go:noinline
func appendFixedByHand(dst []byte, v *fixedRun) []byte {
	n := len(dst)
	if cap(dst)-n < 64 {
		dst = slices.Grow(dst, 64)
	}
	dst = dst[:n+64]
	b := dst[n : n+64]
	binary.BigEndian.PutUint64(b[0:], v.A)
	binary.BigEndian.PutUint32(b[8:], v.B)
	binary.BigEndian.PutUint16(b[12:], v.C)
	binary.BigEndian.PutUint16(b[14:], v.D)
	binary.BigEndian.PutUint64(b[16:], v.E)
	binary.BigEndian.PutUint64(b[24:], math.Float64bits(v.F))
	binary.BigEndian.PutUint32(b[32:], uint32(v.G))
	binary.BigEndian.PutUint32(b[36:], v.H)
	copy(b[40:48], v.I[:])
	binary.BigEndian.PutUint64(b[48:], v.J)
	binary.BigEndian.PutUint16(b[56:], uint16(v.K))
	binary.BigEndian.PutUint16(b[58:], v.L)
	binary.BigEndian.PutUint32(b[60:], v.M)
	return dst
}

var errShort = errors.New("short")

//go:noinline
func decodeFixedByHand(b []byte, v *fixedRun) (int, error) {
	if len(b) < 64 {
		return 0, errShort
	}
	v.A = binary.BigEndian.Uint64(b[0:])
	v.B = binary.BigEndian.Uint32(b[8:])
	v.C = binary.BigEndian.Uint16(b[12:])
	v.D = binary.BigEndian.Uint16(b[14:])
	v.E = binary.BigEndian.Uint64(b[16:])
	v.F = math.Float64frombits(binary.BigEndian.Uint64(b[24:]))
	v.G = int32(binary.BigEndian.Uint32(b[32:]))
	v.H = binary.BigEndian.Uint32(b[36:])
	copy(v.I[:], b[40:48])
	v.J = binary.BigEndian.Uint64(b[48:])
	v.K = int16(binary.BigEndian.Uint16(b[56:]))
	v.L = binary.BigEndian.Uint16(b[58:])
	v.M = binary.BigEndian.Uint32(b[60:])
	return 64, nil
}

var fixedValue = fixedRun{1, 2, 3, 4, 5, 6, 7, 8, [8]uint8{1, 2, 3, 4, 5, 6, 7, 8}, 10, 11, 12, 13}

// notification is the frame of command 2 of APNs. Its items have fixed numbers and
// are declared one by one.
type notification struct {
	Command  uint8  `layout:"const=2"`
	Length   uint32 `layout:"len=Token..Priority"`
	Token    tokenItem
	Payload  payloadItem
	ID       numberItem `layout:""`
	Expiry   expiryItem
	Priority priorityItem
}

type tokenItem struct {
	Item   uint8  `layout:"const=1"`
	Length uint16 `layout:"len=Token"`
	Token  []byte
}

type payloadItem struct {
	Item    uint8  `layout:"const=2"`
	Length  uint16 `layout:"len=Payload"`
	Payload []byte `layout:"max=2048"`
}

type numberItem struct {
	Item   uint8  `layout:"const=3"`
	Length uint16 `layout:"const=4"`
	Value  uint32
}

type expiryItem struct {
	Item   uint8  `layout:"const=4"`
	Length uint16 `layout:"const=4"`
	Value  uint32
}

type priorityItem struct {
	Item   uint8  `layout:"const=5"`
	Length uint16 `layout:"const=1"`
	Value  uint8
}

func notificationValue() *notification {
	return &notification{
		Token: tokenItem{Token: make([]byte, 32)}, Payload: payloadItem{Payload: []byte(`{"aps":{"alert":"Hi!"}}`)},
		ID: numberItem{Value: 7}, Expiry: expiryItem{Value: 1700000000}, Priority: priorityItem{Value: 10},
	}
}

func framesValue() *frame {
	return &frame{Items: []apnsItem{
		{1, 0, make([]byte, 32)}, {2, 0, []byte(`{"aps":{"alert":"Hi!"}}`)}, {3, 0, []byte{0, 0, 0, 7}}, {4, 0, []byte{0x65, 0x53, 0xf1, 0}}, {5, 0, []byte{10}},
	}}
}

//go:noinline
func appendNotificationByHand(dst []byte, v *notification) ([]byte, error) {
	if len(v.Token.Token) > 0xffff || len(v.Payload.Payload) > 2048 {
		return dst, errShort
	}
	start := len(dst)
	dst = append(dst, 2, 0, 0, 0, 0, 1)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(v.Token.Token)))
	dst = append(dst, v.Token.Token...)
	dst = append(dst, 2)
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(v.Payload.Payload)))
	dst = append(dst, v.Payload.Payload...)
	dst = append(dst, 3, 0, 4)
	dst = binary.BigEndian.AppendUint32(dst, v.ID.Value)
	dst = append(dst, 4, 0, 4)
	dst = binary.BigEndian.AppendUint32(dst, v.Expiry.Value)
	dst = append(dst, 5, 0, 1, v.Priority.Value)
	binary.BigEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-5))
	return dst, nil
}

//go:noinline
func decodeNotificationByHand(b []byte, v *notification) (int, error) {
	if len(b) < 5 || b[0] != 2 {
		return 0, errShort
	}
	n := int(binary.BigEndian.Uint32(b[1:]))
	if n > len(b)-5 {
		return 0, errShort
	}
	v.Command, v.Length = 2, uint32(n)
	all := b[5 : 5+n]
	if len(all) < 3 || all[0] != 1 {
		return 0, errShort
	}
	k := int(binary.BigEndian.Uint16(all[1:]))
	all = all[3:]
	if k > len(all) {
		return 0, errShort
	}
	v.Token = tokenItem{1, uint16(k), all[:k:k]}
	all = all[k:]
	if len(all) < 3 || all[0] != 2 {
		return 0, errShort
	}
	k = int(binary.BigEndian.Uint16(all[1:]))
	all = all[3:]
	if k > len(all) || k > 2048 {
		return 0, errShort
	}
	v.Payload = payloadItem{2, uint16(k), all[:k:k]}
	all = all[k:]
	if len(all) != 18 || all[0] != 3 || binary.BigEndian.Uint16(all[1:]) != 4 || all[7] != 4 || binary.BigEndian.Uint16(all[8:]) != 4 ||
		all[14] != 5 || binary.BigEndian.Uint16(all[15:]) != 1 {
		return 0, errShort
	}
	v.ID = numberItem{3, 4, binary.BigEndian.Uint32(all[3:])}
	v.Expiry = expiryItem{4, 4, binary.BigEndian.Uint32(all[10:])}
	v.Priority = priorityItem{5, 1, all[17]}
	return 5 + n, nil
}

//go:noinline
func appendFrameByHand(dst []byte, v *frame) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 2, 0, 0, 0, 0)
	for i := range v.Items {
		m := &v.Items[i]
		if len(m.Data) > 0xffff {
			return dst[:start], errShort
		}
		dst = append(dst, m.ID)
		dst = binary.BigEndian.AppendUint16(dst, uint16(len(m.Data)))
		dst = append(dst, m.Data...)
	}
	binary.BigEndian.PutUint32(dst[start+1:], uint32(len(dst)-start-5))
	return dst, nil
}

//go:noinline
func decodeFrameByHand(b []byte, v *frame) (int, error) {
	if len(b) < 5 || b[0] != 2 {
		return 0, errShort
	}
	n := int(binary.BigEndian.Uint32(b[1:]))
	if n > len(b)-5 {
		return 0, errShort
	}
	v.Command, v.Length = 2, uint32(n)
	all := b[5 : 5+n]
	v.Items = v.Items[:0]
	for len(all) > 0 {
		if len(all) < 3 {
			return 0, errShort
		}
		k := int(binary.BigEndian.Uint16(all[1:]))
		if k > len(all)-3 {
			return 0, errShort
		}
		v.Items = append(v.Items, apnsItem{all[0], uint16(k), all[3 : 3+k : 3+k]})
		all = all[3+k:]
	}
	return 5 + n, nil
}

// bitRun is the first eight bytes of an IPv6 header and those of HTTP/2 frames.
type bitRun struct {
	Version uint8  `layout:"bits=4"`
	Class   uint8  `layout:"bits=8"`
	Label   uint32 `layout:"bits=20"`
	Flag    bool   `layout:"bits=1"`
	Stream  uint32 `layout:"bits=31"`
}

//go:noinline
func appendBitsByHand(dst []byte, v *bitRun) ([]byte, error) {
	if v.Version > 15 || v.Label >= 1<<20 || v.Stream >= 1<<31 {
		return dst, errShort
	}
	n := uint64(v.Version)<<60 | uint64(v.Class)<<52 | uint64(v.Label)<<32 | uint64(v.Stream)
	if v.Flag {
		n |= 1 << 31
	}
	return binary.BigEndian.AppendUint64(dst, n), nil
}

//go:noinline
func decodeBitsByHand(b []byte, v *bitRun) (int, error) {
	if len(b) < 8 {
		return 0, errShort
	}
	n := binary.BigEndian.Uint64(b)
	v.Version, v.Class, v.Label = uint8(n>>60), uint8(n>>52), uint32(n>>32)&(1<<20-1)
	v.Flag, v.Stream = n>>31&1 == 1, uint32(n)&(1<<31-1)
	return 8, nil
}

func typed[T any](b *testing.B) layout.Typed[T] {
	c, err := layout.New(layout.Options{AliasInput: true})
	if err != nil {
		b.Fatal(err)
	}
	t, err := layout.For[T](c)
	if err != nil {
		b.Fatal(err)
	}
	return t
}

func benchmarkAppend[T any](b *testing.B, v *T, byHand func([]byte, *T) ([]byte, error)) {
	t := typed[T](b)
	buf, err := t.Append(nil, v)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, f func([]byte, *T) ([]byte, error)) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(buf)))
			for b.Loop() {
				if _, err := f(buf[:0], v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("layout", t.Append)
	run("by_hand", byHand)
}

func benchmarkDecode[T any](b *testing.B, v *T, byHand func([]byte, *T) (int, error)) {
	t := typed[T](b)
	buf, err := t.Append(nil, v)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, f func([]byte, *T) (int, error)) {
		b.Run(name, func(b *testing.B) {
			target := new(T)
			b.ReportAllocs()
			b.SetBytes(int64(len(buf)))
			for b.Loop() {
				if _, err := f(buf, target); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	run("layout", t.UnmarshalPrefix)
	run("by_hand", byHand)
}

func noError[T any](f func([]byte, *T) []byte) func([]byte, *T) ([]byte, error) {
	return func(b []byte, v *T) ([]byte, error) { return f(b, v), nil }
}

func BenchmarkAppendFixed(b *testing.B) { benchmarkAppend(b, &fixedValue, noError(appendFixedByHand)) }
func BenchmarkDecodeFixed(b *testing.B) { benchmarkDecode(b, &fixedValue, decodeFixedByHand) }
func BenchmarkAppendNotification(b *testing.B) {
	benchmarkAppend(b, notificationValue(), appendNotificationByHand)
}
func BenchmarkDecodeNotification(b *testing.B) {
	benchmarkDecode(b, notificationValue(), decodeNotificationByHand)
}
func BenchmarkAppendItems(b *testing.B) { benchmarkAppend(b, framesValue(), appendFrameByHand) }
func BenchmarkDecodeItems(b *testing.B) { benchmarkDecode(b, framesValue(), decodeFrameByHand) }
func BenchmarkAppendBits(b *testing.B) {
	benchmarkAppend(b, &bitRun{6, 1, 77, true, 1000}, appendBitsByHand)
}
func BenchmarkDecodeBits(b *testing.B) {
	benchmarkDecode(b, &bitRun{6, 1, 77, true, 1000}, decodeBitsByHand)
}
