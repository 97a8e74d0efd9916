// Package trial measures struct types that nobody chose. It runs in programs that package types writes: they declare
// the types, have the code that msgp generates for them, and call [Main]. Their results are an [engine.Distribution].
package trial
