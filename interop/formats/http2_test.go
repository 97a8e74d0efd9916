package formats

import (
	"bytes"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"

	"golang.org/x/net/http2"

	"github.com/octet-go/octet/layout/formats"
)

// TestHTTP2 writes random frames with the Framer and decodes them, and gives frames
// of package formats to the Framer.
func TestHTTP2(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var written bytes.Buffer
	f := http2.NewFramer(&written, nil)
	f.AllowIllegalWrites = true
	text := func(n int) []byte {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	const frames = 2000
	for range frames {
		stream := 1 + r.Uint32N(1<<31-1)
		var err error
		switch r.IntN(11) {
		case 0:
			err = f.WriteData(stream, r.IntN(2) == 0, text(300))
		case 1:
			err = f.WriteDataPadded(stream, r.IntN(2) == 0, text(300), make([]byte, r.IntN(256)))
		case 2:
			err = f.WriteHeaders(http2.HeadersFrameParam{StreamID: stream, BlockFragment: text(100), EndStream: r.IntN(2) == 0, EndHeaders: r.IntN(2) == 0,
				PadLength: uint8(r.IntN(256)), Priority: http2.PriorityParam{StreamDep: r.Uint32N(2) * r.Uint32N(1<<31), Exclusive: r.IntN(2) == 0, Weight: uint8(r.IntN(256))}})
		case 3:
			err = f.WritePriority(stream, http2.PriorityParam{StreamDep: r.Uint32N(1 << 31), Exclusive: r.IntN(2) == 0, Weight: uint8(r.IntN(256))})
		case 4:
			err = f.WriteRSTStream(stream, http2.ErrCode(r.Uint32()))
		case 5:
			err = f.WriteSettings(http2.Setting{ID: http2.SettingID(r.Uint32N(1 << 16)), Val: r.Uint32()}, http2.Setting{ID: 1, Val: 2})
		case 6:
			err = f.WritePushPromise(http2.PushPromiseParam{StreamID: stream, PromiseID: 1 + r.Uint32N(1<<31-1), BlockFragment: text(100), EndHeaders: true, PadLength: uint8(r.IntN(256))})
		case 7:
			err = f.WritePing(r.IntN(2) == 0, [8]byte(append(text(8), make([]byte, 8)...)))
		case 8:
			err = f.WriteGoAway(r.Uint32N(1<<31), http2.ErrCode(r.Uint32()), text(40))
		case 9:
			err = f.WriteWindowUpdate(stream, r.Uint32N(1<<31))
		case 10:
			err = f.WriteContinuation(stream, r.IntN(2) == 0, text(100))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	data := written.Bytes()
	list := messages(t, "frames of the Framer", formats.HTTP2(), data)
	if len(list) != frames {
		t.Fatalf("%d frames, want %d", len(list), frames)
	}

	// The same frames, encoded from their values, go back to the Framer.
	c := codec(t)
	var encoded bytes.Buffer
	for _, m := range list {
		encoded.Write(marshal(t, c, m.Value))
	}
	back := http2.NewFramer(io.Discard, &encoded)
	back.AllowIllegalReads = true
	back.SetMaxReadFrameSize(1 << 20)
	kinds := map[string]int{}
	compared := 0
	for i, m := range list {
		want, err := back.ReadFrame()
		if err != nil {
			t.Fatalf("frame %d: Framer: %v", i, err)
		}
		got := m.Value.(*formats.HTTP2Frame)
		h := want.Header()
		if got.Length != h.Length || got.Type != uint8(h.Type) || got.Flags != uint8(h.Flags) || got.Stream != h.StreamID {
			t.Errorf("frame %d: %+v, Framer: %v", i, got, h)
		}
		kinds[m.Name]++
		compared++
		if a, b := contents(got), framerContents(t, want); !reflect.DeepEqual(a, b) {
			t.Errorf("frame %d: %v, Framer: %v", i, a, b)
		}
	}
	t.Logf("%d frames agree with the Framer in both directions: %v", compared, kinds)
}

// contents returns the values of a frame.
func contents(f *formats.HTTP2Frame) []any {
	text := func(b []byte) string { return string(b) }
	switch p := f.Payload.(type) {
	case *formats.HTTP2Data:
		return []any{text(p.Data)}
	case *formats.HTTP2Headers:
		list := []any{text(p.Fragment)}
		if q := p.Priority; q != nil {
			list = append(list, q.DependsOn, q.Exclusive, q.Weight)
		}
		return list
	case *formats.HTTP2Priority:
		return []any{p.DependsOn, p.Exclusive, p.Weight}
	case *formats.HTTP2Reset:
		return []any{p.Code}
	case *formats.HTTP2Settings:
		var list []any
		for _, s := range p.List {
			list = append(list, s.ID, s.Value)
		}
		return list
	case *formats.HTTP2Promise:
		return []any{p.Stream, text(p.Fragment)}
	case *formats.HTTP2Ping:
		return []any{text(p.Data[:])}
	case *formats.HTTP2GoAway:
		return []any{p.LastStream, p.Code, text(p.Debug)}
	case *formats.HTTP2Window:
		return []any{p.Increment}
	case *formats.HTTP2Continuation:
		return []any{text(p.Fragment)}
	}
	return nil
}

// framerContents returns the same of a frame of the Framer.
func framerContents(t *testing.T, f http2.Frame) []any {
	switch f := f.(type) {
	case *http2.DataFrame:
		return []any{string(f.Data())}
	case *http2.HeadersFrame:
		list := []any{string(f.HeaderBlockFragment())}
		if f.HasPriority() {
			list = append(list, f.Priority.StreamDep, f.Priority.Exclusive, f.Priority.Weight)
		}
		return list
	case *http2.PriorityFrame:
		return []any{f.StreamDep, f.Exclusive, f.Weight}
	case *http2.RSTStreamFrame:
		return []any{uint32(f.ErrCode)}
	case *http2.SettingsFrame:
		var list []any
		f.ForeachSetting(func(s http2.Setting) error {
			list = append(list, uint16(s.ID), s.Val)
			return nil
		})
		return list
	case *http2.PushPromiseFrame:
		return []any{f.PromiseID, string(f.HeaderBlockFragment())}
	case *http2.PingFrame:
		return []any{string(f.Data[:])}
	case *http2.GoAwayFrame:
		return []any{f.LastStreamID, uint32(f.ErrCode), string(f.DebugData())}
	case *http2.WindowUpdateFrame:
		return []any{f.Increment}
	case *http2.ContinuationFrame:
		return []any{string(f.HeaderBlockFragment())}
	}
	t.Errorf("%T", f)
	return nil
}
