package wire

import "testing"

// formatRow is one line of the overview in the specification.
type formatRow struct {
	first, last byte
	format      Format
	kind        Kind
	name        string
	header      int // bytes of the format byte, the length and the ext type
	payload     int // bytes that follow where no length is written
}

var formatRows = []formatRow{
	{0x00, 0x7f, PositiveFixint, KindInt, "positive fixint", 1, 0},
	{0x80, 0x8f, FixMap, KindMap, "fixmap", 1, 0},
	{0x90, 0x9f, FixArray, KindArray, "fixarray", 1, 0},
	{0xa0, 0xbf, FixStr, KindStr, "fixstr", 1, 0}, // its payload depends on the byte
	{0xc0, 0xc0, Nil, KindNil, "nil", 1, 0},
	{0xc1, 0xc1, NeverUsed, KindReserved, "never used", 1, 0},
	{0xc2, 0xc2, False, KindBool, "false", 1, 0},
	{0xc3, 0xc3, True, KindBool, "true", 1, 0},
	{0xc4, 0xc4, Bin8, KindBin, "bin 8", 2, 0},
	{0xc5, 0xc5, Bin16, KindBin, "bin 16", 3, 0},
	{0xc6, 0xc6, Bin32, KindBin, "bin 32", 5, 0},
	{0xc7, 0xc7, Ext8, KindExt, "ext 8", 3, 0},
	{0xc8, 0xc8, Ext16, KindExt, "ext 16", 4, 0},
	{0xc9, 0xc9, Ext32, KindExt, "ext 32", 6, 0},
	{0xca, 0xca, Float32, KindFloat, "float 32", 1, 4},
	{0xcb, 0xcb, Float64, KindFloat, "float 64", 1, 8},
	{0xcc, 0xcc, Uint8, KindInt, "uint 8", 1, 1},
	{0xcd, 0xcd, Uint16, KindInt, "uint 16", 1, 2},
	{0xce, 0xce, Uint32, KindInt, "uint 32", 1, 4},
	{0xcf, 0xcf, Uint64, KindInt, "uint 64", 1, 8},
	{0xd0, 0xd0, Int8, KindInt, "int 8", 1, 1},
	{0xd1, 0xd1, Int16, KindInt, "int 16", 1, 2},
	{0xd2, 0xd2, Int32, KindInt, "int 32", 1, 4},
	{0xd3, 0xd3, Int64, KindInt, "int 64", 1, 8},
	{0xd4, 0xd4, FixExt1, KindExt, "fixext 1", 2, 1},
	{0xd5, 0xd5, FixExt2, KindExt, "fixext 2", 2, 2},
	{0xd6, 0xd6, FixExt4, KindExt, "fixext 4", 2, 4},
	{0xd7, 0xd7, FixExt8, KindExt, "fixext 8", 2, 8},
	{0xd8, 0xd8, FixExt16, KindExt, "fixext 16", 2, 16},
	{0xd9, 0xd9, Str8, KindStr, "str 8", 2, 0},
	{0xda, 0xda, Str16, KindStr, "str 16", 3, 0},
	{0xdb, 0xdb, Str32, KindStr, "str 32", 5, 0},
	{0xdc, 0xdc, Array16, KindArray, "array 16", 3, 0},
	{0xdd, 0xdd, Array32, KindArray, "array 32", 5, 0},
	{0xde, 0xde, Map16, KindMap, "map 16", 3, 0},
	{0xdf, 0xdf, Map32, KindMap, "map 32", 5, 0},
	{0xe0, 0xff, NegativeFixint, KindInt, "negative fixint", 1, 0},
}

func headerSize(f Format) int {
	for _, r := range formatRows {
		if r.format == f {
			return r.header
		}
	}
	return 0
}

// TestAllFormatBytes checks the meaning of each of the 256 format bytes. Zeros
// follow the byte, so lengths and numbers are zero.
func TestAllFormatBytes(t *testing.T) {
	next := 0
	for _, r := range formatRows {
		if int(r.first) != next {
			t.Fatalf("the rows leave a gap before %02x", r.first)
		}
		next = int(r.last) + 1
		if got := r.format.String(); got != r.name {
			t.Errorf("%02x: got name %q, want %q", r.first, got, r.name)
		}
		for b := int(r.first); b <= int(r.last); b++ {
			testFormatByte(t, byte(b), r)
		}
	}
	if next != 256 {
		t.Fatalf("the rows end before %02x", next)
	}
}

func testFormatByte(t *testing.T, b byte, r formatRow) {
	src := make([]byte, 64)
	src[0] = b
	if got := FormatOf(b); got != r.format {
		t.Errorf("%02x: got format %v, want %v", b, got, r.format)
	}
	if got := Format(b).Kind(); got != r.kind {
		t.Errorf("%02x: got kind %v, want %v", b, got, r.kind)
	}

	want := Header{Format: r.format, Size: uint8(r.header), Payload: uint32(r.payload)}
	elements := 0
	switch r.format {
	case FixStr:
		want.Payload = uint32(b - 0xa0)
	case FixArray:
		want.Count, elements = uint32(b-0x90), int(b-0x90)
	case FixMap:
		want.Count, elements = uint32(b-0x80), 2*int(b-0x80)
	}
	h, n, err := ConsumeHeader(src)
	skipped, skipErr := Skip(src, MaxDepth)
	if r.kind == KindReserved {
		if h != (Header{}) || n != 0 || err != ErrReserved {
			t.Errorf("%02x: ConsumeHeader gave %+v, %d, %v", b, h, n, err)
		}
		if skipErr != ErrReserved {
			t.Errorf("%02x: Skip gave %d, %v", b, skipped, skipErr)
		}
	} else {
		if h != want || n != r.header || err != nil {
			t.Errorf("%02x: ConsumeHeader gave %+v, %d, %v, want %+v", b, h, n, err, want)
		}
		if end := r.header + int(want.Payload) + elements; skipped != end || skipErr != nil {
			t.Errorf("%02x: Skip gave %d, %v, want %d", b, skipped, skipErr, end)
		}
	}

	for _, c := range consumers {
		wantErr := error(nil)
		switch {
		case r.kind == KindReserved:
			wantErr = ErrReserved
		case c.kind != r.kind,
			c.name == "ConsumeFloat32" && r.format == Float64,
			c.name == "ConsumeTime": // with ext type 0
			wantErr = ErrFormat
		case c.name == "ConsumeUint" && r.format == NegativeFixint:
			wantErr = ErrRange
		}
		if _, _, err := c.consume(src); err != wantErr {
			t.Errorf("%02x: %s gave %v, want %v", b, c.name, err, wantErr)
		}
	}
}

func TestNamesOutsideTheTables(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Format(0x93).String(), "unknown"}, // a fixarray byte, but not the format
		{Format(0x01).String(), "unknown"},
		{Format(0xff).String(), "unknown"},
		{Kind(10).String(), "unknown"},
		{Kind(255).String(), "unknown"},
		{KindReserved.String(), "reserved"},
		{KindExt.String(), "ext"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
