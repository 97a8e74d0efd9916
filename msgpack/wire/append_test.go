package wire

import (
	"bytes"
	"math"
	"testing"
	"time"
)

// appendValue calls the Append functions for the value of a vector. All of them
// must append the same bytes.
func appendValue(dst []byte, value any) [][]byte {
	switch v := value.(type) {
	case nil:
		return [][]byte{AppendNil(dst)}
	case bool:
		return [][]byte{AppendBool(dst, v)}
	case int64:
		if v >= 0 {
			return [][]byte{AppendInt(dst, v), AppendUint(dst, uint64(v))}
		}
		return [][]byte{AppendInt(dst, v)}
	case uint64:
		return [][]byte{AppendUint(dst, v)}
	case float32:
		return [][]byte{AppendFloat32(dst, v)}
	case float64:
		return [][]byte{AppendFloat64(dst, v)}
	case string:
		return [][]byte{AppendString(dst, v), append(AppendStringHeader(dst, uint32(len(v))), v...)}
	case []byte:
		return [][]byte{AppendBin(dst, v), append(AppendBinHeader(dst, uint32(len(v))), v...)}
	case arrayHeader:
		return [][]byte{AppendArrayHeader(dst, uint32(v))}
	case mapHeader:
		return [][]byte{AppendMapHeader(dst, uint32(v))}
	case ext:
		header := AppendExtHeader(dst, v.typ, uint32(len(v.data)))
		return [][]byte{AppendExt(dst, v.typ, []byte(v.data)), append(header, v.data...)}
	case time.Time:
		return [][]byte{AppendTime(dst, v), AppendTimestamp(dst, v.Unix(), uint32(v.Nanosecond()))}
	}
	panic("no Append function for the vector")
}

func TestAppendWritesTheShortestFormat(t *testing.T) {
	for _, v := range minimal {
		t.Run(v.name, func(t *testing.T) {
			want := v.bytes(t)
			for _, got := range appendValue(nil, v.value) {
				if !bytes.Equal(got, want) {
					t.Errorf("got % x, want % x", shortened(got), shortened(want))
				}
			}
			prefix := []byte("before")
			for _, got := range appendValue(bytes.Clone(prefix), v.value) {
				if !bytes.Equal(got, append(bytes.Clone(prefix), want...)) {
					t.Errorf("after a prefix: got % x", shortened(got))
				}
			}
		})
	}
}

// TestAppendHeaderClaims appends headers with lengths that a test cannot fill with
// bytes.
func TestAppendHeaderClaims(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want []byte
	}{
		{"str 32 greatest", AppendStringHeader(nil, math.MaxUint32), []byte{0xdb, 0xff, 0xff, 0xff, 0xff}},
		{"bin 32 greatest", AppendBinHeader(nil, math.MaxUint32), []byte{0xc6, 0xff, 0xff, 0xff, 0xff}},
		{"ext 32 greatest", AppendExtHeader(nil, -1, math.MaxUint32), []byte{0xc9, 0xff, 0xff, 0xff, 0xff, 0xff}},
	} {
		if !bytes.Equal(c.got, c.want) {
			t.Errorf("%s: got % x, want % x", c.name, c.got, c.want)
		}
	}
}

func TestAppendPanics(t *testing.T) {
	for _, c := range []struct {
		name string
		call func()
	}{
		{"nanoseconds of a whole second", func() { AppendTimestamp(nil, 0, 1_000_000_000) }},
		{"a length of 4 GiB", func() {
			var n uint64 = 1 << 32
			if uint64(int(n)) != n {
				panic("no int of this platform is that large")
			}
			length(int(n))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			c.call()
		})
	}
}

// shortened returns the beginning of long bytes, for readable messages.
func shortened(b []byte) []byte { return b[:min(len(b), 24)] }

// TestAppendStringRoom appends strings to buffers with too little, just enough and more room. What is in front of them and
// behind them stays.
func TestAppendStringRoom(t *testing.T) {
	text := make([]byte, 300)
	for i := range text {
		text[i] = byte(i%251) + 1
	}
	for n := range len(text) {
		want := append(AppendStringHeader(nil, uint32(n)), text[:n]...)
		for room := range len(want) + 20 {
			buf := bytes.Repeat([]byte{0xee}, 3+room)
			got := AppendString(buf[:3], string(text[:n]))
			if !bytes.Equal(got[3:], want) || !bytes.Equal(got[:3], []byte{0xee, 0xee, 0xee}) {
				t.Fatalf("%d bytes, room for %d: got % x", n, room, got)
			}
			if rest := buf[min(len(got), len(buf)):]; bytes.Count(rest, []byte{0xee}) != len(rest) {
				t.Fatalf("%d bytes, room for %d: changed what follows", n, room)
			}
		}
	}
}
