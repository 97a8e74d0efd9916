package record

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/octet-go/octet/msgpack"
)

// The file header, a skippable frame of kind 1:
//
//	 0  u32  magicRecord
//	 4  u32  number of bytes that follow
//	 8  u8   kindFile
//	 9       name
//	18  u16  version
//	20       marker
//	36       MessagePack map
//	    u32  crc32c of the bytes before
const (
	fileNameAt    = 9
	fileVersionAt = 18
	fileMarkerAt  = 20
	fileMapAt     = 36
	minFileHeader = fileMapAt + 1 + 4
	maxFileHeader = fileMapAt + maxHeaderBytes + 4
)

// A fileHeader is the header of a file, or of a part of a file that was joined by
// a command such as cat.
type fileHeader struct {
	marker marker
	info   msgpack.Raw // the map
	size   int         // of the whole frame
	crc    uint32      // its end, if it was read
}

// headerInfo is the map in a file header. Readers ignore other keys.
type headerInfo struct {
	Writer   string         `msgpack:"writer"`
	Codec    string         `msgpack:"codec"` // how blocks are usually compressed: "none" or "zstd"
	Metadata map[string]any `msgpack:"metadata,omitempty"`
	Schema   string         `msgpack:"schema,omitempty"`
}

// newFileHeader returns a header for a new file.
func newFileHeader(o *Options) (fileHeader, error) {
	info := headerInfo{Writer: "octet", Codec: "none", Metadata: o.Metadata}
	if o.Compressor != nil {
		info.Codec = "zstd"
	}
	if o.Schema != nil {
		info.Schema = string(o.Schema.Compact())
	}
	codec, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		return fileHeader{}, err
	}
	h := fileHeader{marker: newMarker()}
	if h.info, err = codec.Marshal(&info); err != nil {
		return h, fault(fmt.Errorf("%w: %w", ErrOptions, err), "Metadata")
	}
	if len(h.info) > maxHeaderBytes {
		return h, fault(ErrLimit, fmt.Sprintf("Metadata and Schema of %d bytes", len(h.info)))
	}
	if bytes.Contains(h.info, []byte(name)) {
		// A search for the next file header would find it. Unlike a block, a header
		// cannot be written in pieces.
		return h, fault(ErrOptions, "Metadata or Schema that contains the text "+name)
	}
	for bytes.Contains(h.info, h.marker[:]) {
		h.marker = newMarker()
	}
	return h, nil
}

// bytes returns the frame.
func (h *fileHeader) bytes() []byte {
	n := fileMapAt + len(h.info) + 4
	b := make([]byte, 0, n)
	b = binary.LittleEndian.AppendUint32(b, magicRecord)
	b = binary.LittleEndian.AppendUint32(b, uint32(n-skippableHeader))
	b = append(b, kindFile)
	b = append(b, name...)
	b = binary.LittleEndian.AppendUint16(b, version)
	b = append(b, h.marker[:]...)
	b = append(b, h.info...)
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

// parseFileHeader reads the header that is all of b.
func parseFileHeader(b []byte) (h fileHeader, err error) {
	if len(b) < minFileHeader || !bytes.HasPrefix(b[fileNameAt:], []byte(name)) || b[8] != kindFile {
		return h, fault(ErrCorrupt, "no file header")
	}
	if checksum(b[:len(b)-4]) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return h, fault(ErrCorrupt, "file header with a wrong checksum")
	}
	if v := binary.LittleEndian.Uint16(b[fileVersionAt:]); v != version {
		return h, fault(ErrVersion, fmt.Sprintf("version %d", v))
	}
	h = fileHeader{marker: marker(b[fileMarkerAt:]), info: bytes.Clone(b[fileMapAt : len(b)-4]), size: len(b)}
	h.crc = binary.LittleEndian.Uint32(b[len(b)-4:])
	if err := msgpack.Valid(h.info); err != nil {
		return h, fault(ErrCorrupt, "file header without a valid map")
	}
	return h, nil
}

// fileHeaderStart returns how a file header begins, with a size of 0.
func fileHeaderStart() (b [fileMarkerAt]byte) {
	binary.LittleEndian.PutUint32(b[:], magicRecord)
	b[8] = kindFile
	copy(b[fileNameAt:], name)
	b[fileVersionAt] = version
	return b
}

// isCutHeader reports whether b, which is not empty, is the beginning of a file
// header that ends too soon.
func isCutHeader(b []byte) bool {
	want := fileHeaderStart()
	b = b[:min(len(b), len(want))]
	if len(b) > 4 {
		copy(want[4:skippableHeader], b[4:]) // any size
	}
	return bytes.HasPrefix(want[:], b)
}

// metadata returns the user's part of the map. Values that cannot be decoded as any, such as maps with keys that Go does
// not compare, stay as they are.
func (h *fileHeader) metadata() map[string]any {
	m := h.sameMetadata()
	for k, raw := range m {
		var v any
		if msgpack.Unmarshal(raw.(msgpack.Raw), &v) == nil {
			m[k] = v
		}
	}
	return m
}

// sameMetadata returns metadata for another header, whose values are encoded as they are in this one. Values that are
// decoded and encoded can be longer, so that they exceed the limit.
func (h *fileHeader) sameMetadata() map[string]any {
	raw, err := msgpack.Get(h.info, "metadata")
	var values map[string]msgpack.Raw
	if err != nil || msgpack.Unmarshal(raw, &values) != nil || values == nil {
		return nil
	}
	m := make(map[string]any, len(values))
	for k, v := range values {
		m[k] = v
	}
	return m
}
