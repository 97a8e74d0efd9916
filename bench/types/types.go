package types

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/trial"
)

// A Menu says what values are made of.
type Menu = trial.Menu

// RandomMenu is the menu for random types.
func RandomMenu() Menu { return trial.RandomMenu() }

// RealMenu is the menu for types of public modules, with a share of their optional parts.
func RealMenu(present float64) Menu { return trial.RealMenu(present) }

// A Set is what one program measures.
type Set struct {
	Kind    string // "random" or "real"
	Seed    uint64
	Types   []Struct // all declarations
	Roots   []string // names of the types that are measured
	Modules []engine.Library
	LeftOut []engine.Reason
	Arrays  bool // also measure the types as arrays
}

// A Struct is a declaration.
type Struct struct {
	Name   string
	Fields []Field
}

// A Field is a field of a Struct.
type Field struct {
	Name, Type, Key string
	OmitEmpty       bool
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
		fmt.Fprintf(&b, "\t%s %s `msg:%q msgpack:%q`\n", f.Name, f.Type, f.tag(), f.tag())
	}
	b.WriteString("}\n")
	return b.String()
}
