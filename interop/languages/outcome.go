package main

import (
	"bytes"
	"encoding/hex"

	"github.com/octet-go/octet/msgpack"
)

// An outcome is the result of comparing an answer with its vector. The zero outcome means that there is no difference.
type outcome struct {
	kind string // how it differs: one of the kinds below
	text string // what the library did
	same bool   // it wrote the bytes that it had read
}

// The kinds of differences, in the order of tables.
const (
	crashed    = "ended the process"
	notRead    = "not read"
	accepted   = "accepted"
	readOther  = "read differently"
	notWritten = "not written"
	wroteBad   = "written as bytes that Octet refuses"
	wroteOther = "written differently"
)

var kinds = []string{crashed, notRead, accepted, readOther, notWritten, wroteBad, wroteOther}

// compare returns the outcome of an answer. It compares the value that the library described, and the value that Octet reads from
// the message that the library wrote.
func compare(v vector, a answer) outcome {
	switch {
	case a.crashed:
		return outcome{kind: crashed, text: "ends the process"}
	case v.want == "" && a.ReadError != "":
		return outcome{}
	case v.want == "":
		return outcome{kind: accepted, text: "accepted as " + render(a.Read)}
	case a.ReadError != "":
		return outcome{kind: notRead, text: "not read"}
	}
	kind, what, same := compareWritten(v, a)
	if a.Read == v.want {
		return outcome{kind, what, same}
	}
	read := "read as " + render(a.Read)
	switch {
	case kind == wroteOther && what == "written as "+render(a.Read):
		what = "and written as this value"
	case kind == "":
		what = "but written as the original value"
	}
	return outcome{readOther, read + ", " + what, same}
}

// compareWritten returns how the value that the library wrote differs, and whether it wrote the bytes that it had read.
func compareWritten(v vector, a answer) (kind, what string, same bool) {
	if a.WriteError != "" {
		return notWritten, "not written", false
	}
	written, err := hex.DecodeString(a.Write)
	if err != nil {
		return wroteBad, "written as " + abbreviate(a.Write), false
	}
	if bytes.Equal(written, v.message) {
		return "", "", true // Octet may not decode these bytes into any, for example because of a key
	}
	switch got, err := readByOctet(written); {
	case err != nil:
		return wroteBad, "written as " + abbreviate(a.Write) + ", which Octet refuses", false
	case got != v.want:
		return wroteOther, "written as " + render(got), false
	}
	return "", "", false
}

func readByOctet(message []byte) (description, error) {
	var v any
	if err := msgpack.Unmarshal(message, &v); err != nil {
		return "", err
	}
	return describe(v), nil
}

func abbreviate(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// byOctet returns the answer that a filter for Octet would give. The codec sorts keys, so that the bytes are the same on every run.
func byOctet(codec *msgpack.Codec, message []byte) answer {
	var v any
	if err := codec.Unmarshal(message, &v); err != nil {
		return answer{ReadError: err.Error()}
	}
	written, err := codec.Marshal(v)
	if err != nil {
		return answer{Read: describe(v), WriteError: err.Error()}
	}
	return answer{Read: describe(v), Write: hex.EncodeToString(written)}
}
