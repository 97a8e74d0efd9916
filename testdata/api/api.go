// Package api has a declaration of every kind. TestDescribe describes it.
package api

import (
	"errors"
	other "example.org/other/v2"
	"io"
	"iter"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

const (
	Untyped       = 1 << 10
	Text          = "a\n"
	Typed   Color = iota
	hidden        = 5
)

const Kind wire.Kind = wire.KindNil

var (
	ErrAny                       = errors.New("any")
	Inferred                     = []byte{hidden}
	Explicit time.Duration       = 5
	Table    map[string][]*Color = nil
	secret   int
)

func Plain()                                                        {}
func Named(dst []byte, v any) (out []byte, err error)               { return nil, nil }
func Variadic(first int, rest ...string)                            {}
func Nested(f func(name string, n int) (err error), c chan<- Color) {}
func Generic[K comparable, V ~int | ~string, S ~[]V](m map[K]V, s S) iter.Seq2[K, V] {
	return nil
}
func Imported(c *msgpack.Codec, o other.Options, l other.List[int]) io.Reader { return nil }
func unexported()                                                             {}

// A Color is an integer with methods.
type Color uint8

func (c Color) Name() string      { return "" }
func (c *Color) Set(name string)  {}
func (c Color) unexported() error { return nil }

// A Struct has fields of all kinds.
type Struct struct {
	First, Second int
	Func          func(n int) error
	Inner         struct{ X, y int }
	hidden        bool
	io.Reader
	*Color
	base
	empty
	other.Options
}

type base struct{ Promoted string }

func (b base) Value() int     { return 0 }
func (b *base) Pointer(n int) {}
func (b *base) hidden()       {}
func (Struct) Value() string  { return "" } // hides base.Value

type empty struct{ x int }

// An Interface has methods, an unexported one, and embeds another.
type Interface interface {
	io.Writer
	Do(n int) error
	hidden()
}

// A Constraint is a union.
type Constraint interface{ ~int | ~string }

// A Pair has type parameters.
type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

func NewPair[K comparable, V any](k K, v V) *Pair[K, V] { return nil }
func (p *Pair[K, V]) Swap(with Pair[K, V])              {}

type (
	Alias    = wire.Kind
	Function func(name string) (n int, err error)
	private  struct{ Exported int }
)

func (private) Method() {}
