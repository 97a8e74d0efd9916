package record

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// This file finds the headers that follow a place where the file is damaged or torn. A walk
// asks it whether the place was synced, and Recover where the file goes on.

// A sign is a text that scanSigns searches for.
type sign struct {
	text  []byte
	at    int64 // none begins before; one begins here if found is set
	found bool
}

// magicSign returns the sign with which all frames of this package begin.
func magicSign() []sign {
	return []sign{{text: binary.LittleEndian.AppendUint32(nil, magicRecord)}}
}

// signSize is the number of bytes that scanSigns has of each sign, except at the end of the file.
const signSize = 64

// scanSigns searches for signs that begin at from or later, and before limit. It calls look for
// each, with its index, its offset and bytes that begin with it, until this says that it is
// done. It goes on where look says. scanSigns returns where it ended.
func scanSigns(src source, from, limit int64, signs []sign, look func(k int, at int64, b []byte) (next int64, done bool, err error)) (int64, error) {
	var chunk []byte
	for from < limit {
		n := int(min(largeRead, limit-from+signSize))
		b, err := src.at(from, n)
		if err != nil && err != errAgain { // what is there of a file that is followed may be enough
			return from, err
		}
		chunk = append(chunk[:0], b...) // another call of at changes b
		start, end := from, from+int64(len(b))
		if len(b) == n {
			end -= signSize
		}
		for end = min(end, limit); from < end; {
			k := earliest(signs, chunk, start, from)
			if k < 0 || signs[k].at >= end {
				break
			}
			at := signs[k].at
			var done bool
			var failed error
			if from, done, failed = look(k, at, chunk[at-start:]); done || failed != nil {
				return from, failed
			}
		}
		if err != nil {
			return from, err
		}
		if from = max(from, end); len(b) < n {
			break
		}
	}
	return from, nil
}

// earliest returns which of the signs is next in b, whose offset is start, at or after
// from, or -1.
func earliest(signs []sign, b []byte, start, from int64) int {
	next := -1
	for k := range signs {
		g := &signs[k]
		if !g.found || g.at < from {
			g.at = max(g.at, from)
			i := -1
			if g.at-start < int64(len(b)) {
				i = bytes.Index(b[g.at-start:], g.text)
			}
			if g.found = i >= 0; g.found {
				g.at += int64(i)
			} else {
				g.at = max(g.at, start+int64(len(b)-len(g.text)+1))
			}
		}
		if g.found && (next < 0 || g.at < signs[next].at) {
			next = k
		}
	}
	return next
}

// A header is what begins with magicRecord and is valid. An index is only known by its kind.
type header struct {
	kind   byte // 0 if there is none
	marker marker
	block  blockHeader
	synced int64 // of a sync mark
}

// headerAt returns the header at an offset, where the bytes b are, which begin with
// magicRecord. budget limits the bytes that are read of file headers that are not valid.
func headerAt(src source, at int64, b []byte, budget *int64) (h header, err error) {
	if len(b) <= skippableHeader {
		return h, nil
	}
	ok := false
	switch b[8] {
	case kindFile:
		ok, err = isFileHeaderAt(src, at, b, budget)
	case kindBlock:
		if len(b) >= blockHeaderSize {
			h.block, h.marker, ok = parseBlockHeader(b)
		}
	case kindMark:
		if len(b) >= markSize {
			h.marker = marker(b[blockMarkerAt:])
			h.synced, ok = parseMark(b, &h.marker)
		}
	case kindIndex:
		ok = true
	}
	if ok {
		h.kind = b[8]
	}
	return h, err
}

// isFileHeaderAt reports whether a valid file header, of any version, begins at an offset.
func isFileHeaderAt(src source, at int64, b []byte, budget *int64) (bool, error) {
	size := skippableHeader + int64(binary.LittleEndian.Uint32(b[4:]))
	if len(b) < minFileHeader || string(b[fileNameAt:fileVersionAt]) != name || size > maxFileHeader {
		return false, nil
	}
	if *budget -= size; *budget < 0 {
		return false, nil
	}
	b, err := src.at(at, int(size))
	if err != nil || int64(len(b)) < size {
		return false, err
	}
	_, err = parseFileHeader(b)
	return err == nil || errors.Is(err, ErrVersion), nil
}
