package wire

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzSkip compares Skip with a walk that reads one header at a time by the table
// of the specification and has a stack of its own.
func FuzzSkip(f *testing.F) {
	for _, v := range slices.Concat(minimal, wasteful) {
		if v.body < 100 {
			f.Add(v.bytes(f), 3)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, depth int) {
		depth %= 2 * MaxDepth
		n, err := Skip(src, depth)
		wantN, wantErr := walk(src, depth)
		if n != wantN || err != wantErr {
			t.Errorf("depth %d: Skip gave %d, %v, the walk %d, %v", depth, n, err, wantN, wantErr)
		}
	})
}

func walk(src []byte, depth int) (n int, err error) {
	open := []uint64{1} // values to come, by container; at the bottom the one asked for
	for {
		for open[len(open)-1] == 0 {
			if open = open[:len(open)-1]; len(open) == 0 {
				return n, nil
			}
		}
		open[len(open)-1]--
		rest := src[n:]
		if len(rest) == 0 {
			return n, ErrTruncated
		}
		i := slices.IndexFunc(formatRows, func(r formatRow) bool { return r.first <= rest[0] && rest[0] <= r.last })
		row := formatRows[i]
		if row.kind == KindReserved {
			return n, ErrReserved
		}
		if len(rest) < row.header {
			return n, ErrTruncated
		}
		header, rest := rest[:row.header], rest[row.header:]

		written := header[1:]
		if row.kind == KindExt {
			written = header[1 : row.header-1]
		}
		length := uint64(row.payload)
		for _, b := range written {
			length = length<<8 | uint64(b)
		}
		switch row.format {
		case FixStr:
			length = uint64(header[0] - 0xa0)
		case FixArray:
			length = uint64(header[0] - 0x90)
		case FixMap:
			length = uint64(header[0] - 0x80)
		}

		if row.kind == KindArray || row.kind == KindMap {
			if row.kind == KindMap {
				length *= 2
			}
			owed := length
			for _, count := range open {
				owed += count
			}
			if owed > uint64(len(rest)) {
				return n, ErrTruncated
			}
			if len(open) > depth {
				return n, ErrDepth
			}
			open = append(open, length)
			n += row.header
			continue
		}
		if length > uint64(len(rest)) {
			return n, ErrTruncated
		}
		if row.kind == KindExt && header[row.header-1] == 0xff {
			if _, _, err := ParseTimestamp(rest[:length]); err != nil {
				return n, err
			}
		}
		n += row.header + int(length)
	}
}

// FuzzConsume passes any bytes to every Consume function. An accepted value must be
// equal after it is appended and consumed again, and must not become longer.
func FuzzConsume(f *testing.F) {
	for _, v := range slices.Concat(minimal, wasteful) {
		if v.body < 100 {
			f.Add(v.bytes(f))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := bytes.Clone(src)
		for _, c := range consumers {
			value, n, err := c.consume(src)
			if n < 0 || n > len(src) || (n == 0) != (err != nil) {
				t.Fatalf("%s: n = %d of %d, %v", c.name, n, len(src), err)
			}
			if want := headerFault(src, c.kind); want != nil && err != want && c.name != "ConsumeFloat32" && c.name != "ConsumeTime" { // these look at more than the kind
				t.Fatalf("%s: %v, want %v", c.name, err, want)
			}
			if err != nil {
				continue
			}
			longest := n
			if c.name == "ConsumeFloat64" {
				longest = 9 // also for what was a float 32
			}
			for _, again := range appendValue(nil, value) {
				back, size, err := c.consume(again)
				if !same(back, value) || size != len(again) || size > longest || err != nil {
					t.Fatalf("%s: %v became % x, then %v of %d bytes, %v", c.name, value, shortened(again), back, size, err)
				}
			}
		}
		if h, n, err := ConsumeHeader(src); n < 0 || n > len(src) || n != int(h.Size) || (n == 0) != (err != nil) {
			t.Fatalf("ConsumeHeader: %+v, n = %d of %d, %v", h, n, len(src), err)
		}
		if !bytes.Equal(src, before) {
			t.Fatal("the input was changed")
		}
	})
}

// headerFault returns why src cannot begin with a value of the kind, as far as its header
// tells, or nil.
func headerFault(src []byte, k Kind) error {
	h, n, err := ConsumeHeader(src)
	switch {
	case err != nil:
		return err
	case h.Format.Kind() != k:
		return ErrFormat
	case uint64(h.Payload) > uint64(len(src)-n):
		return ErrTruncated
	}
	return nil
}

// FuzzTimestamp parses any payload. An accepted one is equal after it is appended,
// and does not become longer.
func FuzzTimestamp(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x01"))
	f.Add([]byte("\x00\x00\x00\x04\x00\x00\x00\x01"))
	f.Add([]byte("\x3b\x9a\xc9\xff\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("\x3b\x9a\xca\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, payload []byte) {
		sec, nsec, err := ParseTimestamp(payload)
		if err != nil {
			if err != ErrTimestamp {
				t.Error(err)
			}
			return
		}
		if n := len(payload); n != 4 && n != 8 && n != 12 || nsec >= 1e9 {
			t.Fatalf("% x is %d s, %d ns", payload, sec, nsec)
		}
		b := AppendTimestamp(nil, sec, nsec)
		typ, data, n, err := ConsumeExt(b)
		if typ != TimestampType || n != len(b) || len(data) > len(payload) || err != nil {
			t.Fatalf("% x became % x: %v", payload, b, err)
		}
		if s, ns, err := ParseTimestamp(data); s != sec || ns != nsec || err != nil {
			t.Fatalf("% x became %d, %d, %v", payload, s, ns, err)
		}
		v, _, err := ConsumeTime(b)
		if err != nil || v.Unix() != sec || v.Nanosecond() != int(nsec) {
			t.Fatalf("% x is the time %v, %v", b, v, err)
		}
	})
}
