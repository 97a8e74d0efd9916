package record

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the test vectors in docs/record-format.md")

var vectorMarker = marker{0x82, 0x92, 0xa2, 0xb2, 0xc2, 0xd2, 0xe2, 0xf2, 0x83, 0x93, 0xa3, 0xb3, 0xc3, 0xd3, 0xe3, 0xf3}

// vectors returns the two test vectors, each as the pieces that the page shows.
func vectors(t *testing.T) [2][]piece {
	file := markedFile(t, vectorMarker, Options{}, []byte{1}, []byte{0xa1, 'a'})
	header := len(file) - 53 - 19 - 61 - 41 // what is left is the file header
	whole := []piece{
		{"file header", file[:header]},
		{"block header", file[header:][:53]},
		{"zstd frame", file[header+53:][:19]},
		{"index", file[header+72:][:61]},
		{"seek table", file[header+133:]},
	}
	record := append([]byte{0xc4, 20}, vectorMarker[:]...)
	record = append(record, 0, 0, 0, 0)
	divided := markedFile(t, vectorMarker, Options{}, record)
	return [2][]piece{whole, {
		{"block header", divided[header:][:53]},
		{"zstd frame", divided[header+53:][:9+3+10+3+12+4]},
	}}
}

type piece struct {
	name  string
	bytes []byte
}

// markedFile returns a file with a given marker.
func markedFile(t *testing.T, m marker, o Options, records ...[]byte) []byte {
	t.Helper()
	o, err := checked(&o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := newFileHeader(&o)
	if err != nil {
		t.Fatal(err)
	}
	h.marker = m
	var buf bytes.Buffer
	out := newBlockWriter(&buf, &o, h)
	if err := out.write(h.bytes()); err != nil {
		t.Fatal(err)
	}
	w := newWriter(out, o, nil)
	for _, r := range records {
		if err := w.WriteRaw(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// TestVectors compares the test vectors of docs/record-format.md with what the
// package writes. With -update it writes them.
func TestVectors(t *testing.T) {
	const path = "../docs/record-format.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(page), "## Test vectors\n")
	var b strings.Builder
	b.WriteString(head + "## Test vectors\n")
	for _, pieces := range vectors(t) {
		var text string
		text, rest, _ = strings.Cut(rest, "```\n")
		_, rest, _ = strings.Cut(rest, "```\n")
		b.WriteString(text + "```\n")
		for _, p := range pieces {
			b.WriteString(p.name + "\n")
			for line := range slices.Chunk(p.bytes, 16) {
				b.WriteString("    " + strings.TrimSpace(spaced(line)) + "\n")
			}
		}
		b.WriteString("```\n")
	}
	b.WriteString(rest)
	if b.String() == string(page) {
		return
	}
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Error("the test vectors of docs/record-format.md differ from what the package writes: run go test ./record -update and read the difference")
}

func spaced(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteString(hex.EncodeToString([]byte{c}) + " ")
	}
	return s.String()
}
