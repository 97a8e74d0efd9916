package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// positions is what a File allocates at most to remember where blocks and joined files begin, as SECURITY.md says, like the
// other bounds of these tests.
const positions = 16 << 20

// perBlock is what Append allocates at most for each block.
const perBlock = 256

// TestMemoryOfSmallPieces reads files of many small blocks, or of many joined files without a block, in all ways. The memory
// does not depend on how many there are, except that headers are kept while they apply, and that a Writer keeps its blocks.
func TestMemoryOfSmallPieces(t *testing.T) {
	n := 150_000
	if few() {
		n = 20_000
	}
	blocks := writeTo(t, Options{}, 1, numbered(n, 0))
	one := withoutTables(t, writeTo(t, Options{}, 1, numbered(1, 0)))
	header := one[:open(t, one).header.size]
	for name, file := range map[string][]byte{
		"blocks": blocks, "blocks without index": withoutTables(t, blocks),
		"joined": bytes.Repeat(header, n), "joined with a block": bytes.Repeat(one, n),
	} {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, file, 0o666); err != nil {
			t.Fatal(err)
		}
		headers := int64(0)
		if strings.HasPrefix(name, "joined") {
			headers = 2 * int64(n*len(header))
		}
		for _, c := range []struct {
			how   string
			bound int64
			read  func() error
		}{
			{"a File", fixed + positions + headers, func() error {
				f, err := NewFile(bytes.NewReader(file), int64(len(file)), nil)
				if err == nil {
					_, err = f.Report()
				}
				return err
			}},
			{"a Scanner", 2*fixed + headers, func() error {
				s := NewScanner(bytes.NewReader(file), nil)
				for s.Scan() {
				}
				return s.Err()
			}},
			{"Recover", fixed + headers, func() error {
				_, err := Recover(path, "", nil)
				return err
			}},
			{"Append", fixed + headers + perBlock*int64(n), func() error {
				w, err := Append(path, nil)
				if err == nil {
					err = w.Close()
				}
				return err
			}},
		} {
			var err error
			used := allocated(func() { err = c.read() })
			t.Logf("%s of %s: %d bytes of memory for %d", c.how, name, used, len(file))
			if err != nil || used > c.bound {
				t.Errorf("%s of %s: %d bytes of memory, more than %d, %v", c.how, name, used, c.bound, err)
			}
		}
	}
}

// TestMemoryOfRecovery recovers a damaged file that has a block with another marker at each place where one can be. The
// clues take memory in proportion to it.
func TestMemoryOfRecovery(t *testing.T) {
	var others []byte
	for i := range 20_000 {
		var m marker
		for k := range m {
			m[k] = byte(i>>(8*(k%3))) | 0x82
		}
		j := job{buf: append(make([]byte, headroom), 1), records: 1}
		j.store(newFinder(m), nil)
		h := blockHeader{raw: j.raw, records: 1, ordinal: int64(i % 7), crc: j.crc, stored: uint32(len(j.buf) - blockHeaderSize)}
		h.put(j.buf, &m)
		others = append(others, j.buf...)
	}
	whole := writeTo(t, Options{}, 4, numbered(40, 0))
	for name, file := range map[string][]byte{
		"no header": append([]byte("damaged"), others...),
		"inside":    append(append(bytes.Clone(whole[:200]), others...), whole[200:]...),
	} {
		var err error
		used := allocated(func() { _, err = recoverFrom(bytes.NewReader(file), int64(len(file))) })
		t.Logf("%s: %d bytes of memory for %d", name, used, len(file))
		const perByte = 12
		if bound := perByte*int64(len(file)) + 2*fixed; used > bound || err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %d bytes of memory for %d of the file, more than %d, %v", name, used, len(file), bound, err)
		}
	}
}
