package messages

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
)

// oscMessage is a message of Open Sound Control with an integer, a float and a string: OSC 1.0 specification, OSC
// Messages. In general, the string of types declares the arguments, which tags cannot express.
type oscMessage struct {
	_       struct{} `layout:"be"`
	Address string   `layout:"cstring"`
	_       struct{} `layout:"align=4"`
	Types   [8]byte  `layout:"magic=\\x2cifs\\x00\\x00\\x00\\x00"`
	Int     int32
	Float   float32
	Text    string   `layout:"cstring"`
	_       struct{} `layout:"align=4"`
}

const oscTypes = ",ifs\x00\x00\x00\x00"

func appendOSC(dst []byte, m *oscMessage) ([]byte, error) {
	if m.Types != [8]byte{} && string(m.Types[:]) != oscTypes {
		return dst, errConstant
	}
	if strings.IndexByte(m.Address, 0) >= 0 || strings.IndexByte(m.Text, 0) >= 0 {
		return dst, errRange
	}
	address, text := (len(m.Address)+4)&^3, (len(m.Text)+4)&^3
	n := len(dst)
	dst = extend(dst, address+16+text)
	b := dst[n:]
	clear(b[copy(b, m.Address):address])
	b = b[address:]
	_ = b[15]
	copy(b, oscTypes)
	be.PutUint32(b[8:], uint32(m.Int))
	be.PutUint32(b[12:], math.Float32bits(m.Float))
	clear(b[16+copy(b[16:], m.Text):])
	return dst, nil
}

func decodeOSC(data []byte, m *oscMessage) error {
	end := bytes.IndexByte(data, 0)
	next := (end + 4) &^ 3
	if end < 0 || len(data) < next+20 {
		return errShort
	}
	m.Address = string(data[:end])
	data = data[next:]
	if string(data[:8]) != oscTypes {
		return errConstant
	}
	m.Types = [8]byte(data)
	m.Int, m.Float = int32(be.Uint32(data[8:])), math.Float32frombits(be.Uint32(data[12:]))
	data = data[16:]
	end = bytes.IndexByte(data, 0)
	if end < 0 {
		return errShort
	}
	if size := (end + 4) &^ 3; len(data) != size {
		return sizeError(len(data), size)
	}
	m.Text = string(data[:end])
	return nil
}

func randomOSC(r *rand.Rand) *oscMessage {
	return &oscMessage{Address: "/" + randomText(r, 3, 10) + "/" + randomText(r, 3, 12), Int: r.Int32(), Float: r.Float32(), Text: randomText(r, 0, 16)}
}
