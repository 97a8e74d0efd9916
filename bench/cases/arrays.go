package cases

import (
	"bufio"
	"bytes"
	stdbinary "encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/binary"
)

// huge is a number of elements that takes 800 MB. Some contests need several times as much.
const huge = 100_000_000

// arrayContests returns the contests on 64-bit big-endian integers: to and from a byte slice, and to and from a
// file.
func arrayContests() []engine.Contest {
	var list []engine.Contest
	sizes := []int{100, 10_000, 1_000_000, huge}
	if strconv.IntSize == 32 {
		sizes = sizes[:3] // larger slices do not fit in memory
	}
	for _, n := range sizes {
		list = append(list, engine.Contest{Group: "arrays", Shape: "bytes", N: n, Verbs: []string{verbEncode, verbDecode}, Open: func() ([]engine.Peer, error) {
			return openBytes(n)
		}})
	}
	for _, n := range sizes {
		list = append(list, engine.Contest{Group: "arrays", Shape: "file", N: n, Verbs: []string{verbWrite, verbRead}, Wall: []string{verbWrite, verbRead}, Open: func() ([]engine.Peer, error) {
			return openFile(n)
		}})
	}
	return list
}

// sequence returns integers whose bytes are all different, so that a change of byte order changes every one.
func sequence(n int) []uint64 {
	s := make([]uint64, n)
	for i := range s {
		s[i] = uint64(i+1) * 0x9e3779b97f4a7c15
	}
	return s
}

func openBytes(n int) ([]engine.Peer, error) {
	numbers, target := sequence(n), make([]uint64, n)
	buf := make([]byte, 8*n)
	order := stdbinary.BigEndian
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() { buf = binary.AppendSlice(buf[:0], binary.BigEndian, numbers) }),
			verbDecode: engine.Attempt(func() error { _, err := binary.GetSlice(buf, binary.BigEndian, target); return err }),
		}},
		{Library: "octet Append", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = binary.Append(buf[:0], binary.BigEndian, numbers); return err }),
			verbDecode: engine.Attempt(func() error { _, err := binary.Decode(buf, binary.BigEndian, target); return err }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbEncode: engine.Attempt(func() (err error) { buf, err = stdbinary.Append(buf[:0], order, numbers); return err }),
			verbDecode: engine.Attempt(func() error { _, err := stdbinary.Decode(buf, order, target); return err }),
		}},
		{Library: "one by one", Loops: map[string]engine.Loop{
			verbEncode: engine.Repeat(func() {
				for i, x := range numbers {
					order.PutUint64(buf[8*i:], x)
				}
			}),
			verbDecode: engine.Repeat(func() {
				for i := range target {
					target[i] = order.Uint64(buf[8*i:])
				}
			}),
		}},
	}
	for i := range entries {
		e := &entries[i]
		e.Size = len(buf)
		clear(buf)
		clear(target)
		if err := e.Loops[verbEncode](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		for i, x := range numbers {
			if order.Uint64(buf[8*i:]) != x {
				return nil, fmt.Errorf("%s: element %d is % x", e.Library, i, buf[8*i:8*i+8])
			}
		}
		if err := e.Loops[verbDecode](1); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Library, err)
		}
		if !slices.Equal(target, numbers) {
			return nil, fmt.Errorf("%s decoded a different value", e.Library)
		}
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(buf), Loops: map[string]engine.Loop{
		verbEncode: engine.Repeat(func() { copy(target, numbers) }),
		verbDecode: engine.Repeat(func() { copy(target, numbers) }),
	}}), nil
}

// openFile uses a file without a name, which the system removes when it is closed.
func openFile(n int) ([]engine.Peer, error) {
	f, err := os.CreateTemp("", "octet-bench-*")
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	numbers, target := sequence(n), make([]uint64, n)
	raw := make([]byte, 8*n)
	order := stdbinary.BigEndian
	rewound := func(do func() error) engine.Loop {
		return engine.Attempt(func() error {
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				return err
			}
			return do()
		})
	}
	entries := []engine.Peer{
		{Library: engine.Ours, Loops: map[string]engine.Loop{
			verbWrite: rewound(func() error { return binary.WriteSlice(f, binary.BigEndian, numbers) }),
			verbRead:  rewound(func() error { return binary.ReadSlice(f, binary.BigEndian, target) }),
		}},
		{Library: "octet Write", Loops: map[string]engine.Loop{
			verbWrite: rewound(func() error { return binary.Write(f, binary.BigEndian, numbers) }),
			verbRead:  rewound(func() error { return binary.Read(f, binary.BigEndian, target) }),
		}},
		{Library: "encoding/binary", Loops: map[string]engine.Loop{
			verbWrite: rewound(func() error { return stdbinary.Write(f, order, numbers) }),
			verbRead:  rewound(func() error { return stdbinary.Read(f, order, target) }),
		}},
		{Library: "bufio", Loops: map[string]engine.Loop{
			verbWrite: rewound(func() error {
				w := bufio.NewWriter(f)
				if err := writeOneByOne(w, numbers); err != nil {
					return err
				}
				return w.Flush()
			}),
			verbRead: rewound(func() error { return readOneByOne(bufio.NewReader(f), target) }),
		}},
		{Library: "one by one", Note: manyCalls, Loops: map[string]engine.Loop{
			verbWrite: rewound(func() error { return writeOneByOne(f, numbers) }),
			verbRead:  rewound(func() error { return readOneByOne(f, target) }),
		}},
	}
	// The last entry would take too long for a large slice. Its note then says why it has
	// no result.
	if n > 10_000 {
		entries[len(entries)-1].Loops = nil
	} else {
		entries[len(entries)-1].Note = ""
	}
	for i, x := range numbers {
		order.PutUint64(raw[8*i:], x)
	}
	if err := verifyFile(f, entries, raw, target, numbers); err != nil {
		return nil, err
	}
	return append(entries, engine.Peer{Library: engine.Limit, Size: len(raw), Loops: map[string]engine.Loop{
		verbWrite: rewound(func() error { _, err := f.Write(raw); return err }),
		verbRead:  rewound(func() error { _, err := io.ReadFull(f, raw); return err }),
	}}), nil
}

const manyCalls = "one system call per element"

// verifyFile lets every entry write and read once, and compares the results. It reads
// the file in parts, because a second copy of the largest one would need 800 MB.
func verifyFile(f *os.File, entries []engine.Peer, raw []byte, target, numbers []uint64) error {
	compare := make([]byte, min(len(raw), 1<<20))
	for i := range entries {
		e := &entries[i]
		if e.Loops == nil {
			continue
		}
		e.Size = len(raw)
		if err := f.Truncate(0); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
		if err := e.Loops[verbWrite](1); err != nil {
			return fmt.Errorf("%s: %w", e.Library, err)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
		for rest := raw; len(rest) > 0; {
			n, err := io.ReadFull(f, compare[:min(len(compare), len(rest))])
			if err != nil || !bytes.Equal(compare[:n], rest[:n]) {
				return fmt.Errorf("%s wrote different numbers: %w", e.Library, err)
			}
			rest = rest[n:]
		}
		clear(target)
		if err := e.Loops[verbRead](1); err != nil {
			return fmt.Errorf("%s: %w", e.Library, err)
		}
		if !slices.Equal(target, numbers) {
			return fmt.Errorf("%s read different numbers", e.Library)
		}
	}
	return nil
}

func writeOneByOne(w io.Writer, numbers []uint64) error {
	b := make([]byte, 8)
	for _, x := range numbers {
		stdbinary.BigEndian.PutUint64(b, x)
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func readOneByOne(r io.Reader, numbers []uint64) error {
	b := make([]byte, 8)
	for i := range numbers {
		if _, err := io.ReadFull(r, b); err != nil {
			return err
		}
		numbers[i] = stdbinary.BigEndian.Uint64(b)
	}
	return nil
}
