package binary

import (
	"reflect"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// inPlace has what a *bytebuf.Buffer is written and read by where its bytes lie.
// It is known by name: importing that package, whose Chain writes to connections,
// would link package net into every program that imports this one.
type inPlace interface {
	Len() int
	Next(n int) []byte
	Reserve(n int) []byte
	Commit(n int)
}

// bufferWord is the type word of *bytebuf.Buffer, once one has been seen.
var bufferWord atomic.Pointer[mem.TypeWord]

// isBuffer reports whether v is a *bytebuf.Buffer itself. A type that embeds one
// has its methods as well, but may have a Write or Read of its own, which is the
// one to be called.
func isBuffer(v inPlace) bool {
	word := mem.TypeWordOf(v)
	if known := bufferWord.Load(); known != nil {
		return word == *known
	}
	return isNamedBuffer(reflect.TypeOf(v), word)
}

func isNamedBuffer(t reflect.Type, word mem.TypeWord) bool {
	if t.Kind() != reflect.Pointer || t.Elem().Name() != "Buffer" || t.Elem().PkgPath() != "github.com/octet-go/octet/bytebuf" {
		return false
	}
	bufferWord.Store(&word)
	return true
}
