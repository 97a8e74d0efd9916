package zstd_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// FuzzDecompress decompresses any bytes into a block of a given size, and
// compresses them. A frame cannot take more memory than the block has.
func FuzzDecompress(f *testing.F) {
	c := newCodec(f, zstd.Default)
	for _, s := range []string{"", "text", string(bytes.Repeat([]byte("abc"), 1000))} {
		frame, err := c.Compress(nil, []byte(s))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame, uint16(len(s)))
	}
	f.Add([]byte("\x28\xb5\x2f\xfd\xa4\xff\xff\xff\x7f\x03\x00\x10\x00\x00\x00\x00\x00"), uint16(100)) // claims 2 GiB
	f.Fuzz(func(t *testing.T, frame []byte, room uint16) {
		content, err := c.Decompress(make([]byte, 0, room), frame)
		if err == nil && len(content) > int(room) {
			t.Fatalf("%d bytes in a block of %d", len(content), room)
		}
		compressed, err := c.Compress(nil, frame)
		if err != nil {
			t.Fatal(err)
		}
		back, err := c.Decompress(make([]byte, 0, len(frame)), compressed)
		if err != nil || !bytes.Equal(back, frame) {
			t.Fatalf("% x became % x, %v", frame, back, err)
		}
	})
}

// FuzzFile replaces the frame of a block of a record file, with matching checksums,
// and reads the file. The memory stays within that of two blocks.
func FuzzFile(f *testing.F) {
	const maxBlock = 64 << 10
	c := newCodec(f, zstd.Default)
	o := record.Options{BlockSize: 1 << 10, MaxBlock: maxBlock, Compressor: c, Decompressor: c}
	file := write(f, o, mixed(3)) // one block
	in, err := record.NewFile(bytes.NewReader(file), int64(len(file)), &o)
	if err != nil {
		f.Fatal(err)
	}
	var block record.Block
	for b, err := range in.Blocks(in.Range()) {
		if err != nil {
			f.Fatal(err)
		}
		block = b
		break
	}
	const headerSize = 53
	start := int(block.Offset) + headerSize
	frame := file[start : start+block.Stored]
	f.Add(frame, uint32(block.Raw), uint32(block.Records))
	same := bytes.Clone(file[block.Offset:start])
	if putHeader(same, frame, uint32(block.Raw), uint32(block.Records)); !bytes.Equal(same, file[block.Offset:start]) {
		f.Fatalf("% x, want % x", same, file[block.Offset:start])
	}
	f.Add(frame, uint32(maxBlock), uint32(1))
	f.Add(frame[:len(frame)/2], uint32(block.Raw), uint32(block.Records))
	f.Fuzz(func(t *testing.T, frame []byte, raw, records uint32) {
		header := bytes.Clone(file[block.Offset:start])
		putHeader(header, frame, raw, records)
		damaged := bytes.Join([][]byte{file[:block.Offset], header, frame}, nil)
		var list []string
		var err error
		heaptest.AtMost(t, 4*maxBlock+4<<20, func() { list, err = read(damaged, o) })
		if err == nil && uint32(len(list)) != records && len(list) > 0 {
			t.Errorf("%d records of %d", len(list), records)
		}
	})
}

// putHeader changes the header of a block as docs/record-format.md describes it.
func putHeader(header, frame []byte, raw, records uint32) {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	put := binary.LittleEndian.PutUint32
	put(header[25:], uint32(len(frame)))
	put(header[29:], raw)
	put(header[33:], records)
	put(header[45:], crc32.Checksum(frame, castagnoli))
	put(header[49:], crc32.Checksum(header[:49], castagnoli))
}
