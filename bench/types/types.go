package types

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/trial"
)

// A Set is what one program measures.
type Set struct {
	Kind    string // "random" or "real"
	Seed    uint64
	Menu    trial.Menu
	Types   []Struct // all declarations
	Roots   []string // names of the types that are measured
	Modules []engine.Library
	LeftOut []engine.Reason
}

// A Struct is a declaration.
type Struct struct {
	Name   string
	Fields []Field
}

// A Field is a field of a Struct.
type Field struct {
	Name, Type, Key string
	OmitEmpty       bool // in all libraries
	OctetOnly       bool // msgp's code for omitempty would not compile
}

// String returns the declaration as people write it, with the tag that all libraries but msgp read.
func (s Struct) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", s.Name)
	for _, f := range s.Fields {
		fmt.Fprintf(&b, "\t%s %s `msgpack:%q`\n", f.Name, f.Type, f.tag())
	}
	b.WriteString("}\n")
	return b.String()
}

// tag returns the tag for every library but msgp.
func (f Field) tag() string {
	if f.OmitEmpty {
		return f.Key + ",omitempty"
	}
	return f.Key
}

// source returns the declaration with tags for all libraries.
func (s Struct) source() string {
	var b strings.Builder
	fmt.Fprintf(&b, "type %s struct {\n", s.Name)
	for _, f := range s.Fields {
		msg := f.tag()
		if f.OctetOnly {
			msg = f.Key
		}
		fmt.Fprintf(&b, "\t%s %s `msg:%q msgpack:%q`\n", f.Name, f.Type, msg, f.tag())
	}
	b.WriteString("}\n")
	return b.String()
}
