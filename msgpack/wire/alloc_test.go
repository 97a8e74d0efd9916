package wire

import (
	"bytes"
	"runtime"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
)

// TestNothingAllocates checks that no Append function allocates if dst has room,
// and that no Consume function allocates, even on error.
func TestNothingAllocates(t *testing.T) {
	if heaptest.Sanitized {
		t.Skip("a sanitizer moves variables to the heap")
	}
	room := make([]byte, 0, 512)
	text, data := content(40), []byte(content(40))
	now := time.Unix(1_700_000_000, 5)
	var err error

	appends := []struct {
		name string
		call func()
	}{
		{"AppendNil", func() { room = AppendNil(room[:0]) }},
		{"AppendBool", func() { room = AppendBool(room[:0], true) }},
		{"AppendInt", func() { room = AppendInt(room[:0], -1<<40) }},
		{"AppendUint", func() { room = AppendUint(room[:0], 1<<40) }},
		{"AppendFloat32", func() { room = AppendFloat32(room[:0], 1.5) }},
		{"AppendFloat64", func() { room = AppendFloat64(room[:0], 1.5) }},
		{"AppendString", func() { room = AppendString(room[:0], text) }},
		{"AppendStringHeader", func() { room = AppendStringHeader(room[:0], 1<<20) }},
		{"AppendBin", func() { room = AppendBin(room[:0], data) }},
		{"AppendBinHeader", func() { room = AppendBinHeader(room[:0], 1<<20) }},
		{"AppendArrayHeader", func() { room = AppendArrayHeader(room[:0], 1<<20) }},
		{"AppendMapHeader", func() { room = AppendMapHeader(room[:0], 1<<20) }},
		{"AppendExt", func() { room = AppendExt(room[:0], 1, data) }},
		{"AppendExtHeader", func() { room = AppendExtHeader(room[:0], 1, 1<<20) }},
		{"AppendTime", func() { room = AppendTime(room[:0], now) }},
		{"AppendTimestamp", func() { room = AppendTimestamp(room[:0], -1, 1) }},
	}
	for _, c := range appends {
		if n := testing.AllocsPerRun(100, c.call); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}

	var number int64
	consumes := []struct {
		name string
		src  []byte
		call func(src []byte)
	}{
		{"ConsumeHeader", AppendString(nil, text), func(src []byte) { _, _, err = ConsumeHeader(src) }},
		{"ConsumeNil", AppendNil(nil), func(src []byte) { _, err = ConsumeNil(src) }},
		{"ConsumeBool", AppendBool(nil, true), func(src []byte) { _, _, err = ConsumeBool(src) }},
		{"ConsumeInt", AppendInt(nil, -1<<40), func(src []byte) { number, _, err = ConsumeInt(src) }},
		{"ConsumeUint", AppendUint(nil, 1<<40), func(src []byte) { _, _, err = ConsumeUint(src) }},
		{"ConsumeFloat32", AppendFloat32(nil, 1.5), func(src []byte) { _, _, err = ConsumeFloat32(src) }},
		{"ConsumeFloat64", AppendFloat64(nil, 1.5), func(src []byte) { _, _, err = ConsumeFloat64(src) }},
		{"ConsumeString", AppendString(nil, text), func(src []byte) { data, _, err = ConsumeString(src) }},
		{"ConsumeBin", AppendBin(nil, data), func(src []byte) { data, _, err = ConsumeBin(src) }},
		{"ConsumeExt", AppendExt(nil, 1, data), func(src []byte) { _, data, _, err = ConsumeExt(src) }},
		{"ConsumeArrayHeader", AppendArrayHeader(nil, 1<<20), func(src []byte) { _, _, err = ConsumeArrayHeader(src) }},
		{"ConsumeMapHeader", AppendMapHeader(nil, 1<<20), func(src []byte) { _, _, err = ConsumeMapHeader(src) }},
		{"ConsumeTime", AppendTime(nil, now), func(src []byte) { now, _, err = ConsumeTime(src) }},
		{"ParseTimestamp", []byte{0, 0, 0, 1}, func(src []byte) { number, _, err = ParseTimestamp(src) }},
		{"Skip of 16 levels", append(bytes.Repeat([]byte{0x91}, 16), 0), func(src []byte) { _, err = Skip(src, 16) }},
		{"Skip", []byte("\x93\x01\x81\xa1a\xd9\x01b\xd6\xff\x00\x00\x00\x00"), func(src []byte) { _, err = Skip(src, 2) }},
	}
	for _, c := range consumes {
		if n := testing.AllocsPerRun(100, func() { c.call(c.src) }); n != 0 || err != nil {
			t.Errorf("%s: %v allocations, error %v", c.name, n, err)
		}
		for _, fault := range [][]byte{nil, {0xc1}} {
			if n := testing.AllocsPerRun(100, func() { c.call(fault) }); n != 0 || err == nil {
				t.Errorf("%s of % x: %v allocations, error %v", c.name, fault, n, err)
			}
		}
	}
	_ = number
}

// TestSkipMemory checks that the depth limits the memory that Skip allocates.
func TestSkipMemory(t *testing.T) {
	for _, levels := range []int{usualDepth + 1, 100, MaxDepth, 65_535} {
		for _, head := range []string{"\x91", "\x81\xc0", "\x92"} {
			src := bytes.Repeat([]byte(head), levels)
			src = append(src, make([]byte, levels+1)...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Skip(src, levels)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; err != nil || n > uint64(48*levels) {
				t.Errorf("%d levels of % x: %d bytes, error %v", levels, head, n, err)
			}
		}
	}
}
