package migration

import (
	"encoding/json"
	"time"
)

//go:generate go tool msgp -file msgp_types_test.go -o msgp_types_gen_test.go -io=false -tests=false -unexported

// Types for which msgp generates code. Most have a single field V of the kind
// under test.

type (
	generatedNumbers struct {
		I   int
		I8  int8
		I16 int16
		I32 int32
		I64 int64
		U   uint
		U8  uint8
		U16 uint16
		U32 uint32
		U64 uint64
	}
	generatedInt64   struct{ V int64 }
	generatedUint8   struct{ V uint8 }
	generatedUint    struct{ V uint }
	generatedFloat   struct{ V float64 }
	generatedFloat32 struct{ V float32 }
	generatedComplex struct{ V complex128 }
	generatedString  struct{ V string }
	generatedBytes   struct{ V []byte }
	generatedOctets  struct{ V [2]byte }
	generatedInts    struct{ V []int }
	generatedPair    struct{ V [2]int }
	generatedMap     struct{ V map[string]int }
	generatedPointer struct{ V *int }
	generatedTime    struct{ V time.Time }
	generatedAny     struct{ V any }
	generatedPoint   struct{ X, Y int }
	generatedPoints  struct{ V []generatedPoint }
	generatedTagged  struct {
		A int `msg:"m" msgpack:"a"`
	}
	generatedFallback struct {
		A int `msgpack:"a"`
	}
	generatedOptional struct {
		S []int          `msg:"s,omitempty" msgpack:"s,omitempty"`
		M map[string]int `msg:"m,omitempty" msgpack:"m,omitempty"`
		P generatedPoint `msg:"p,omitempty" msgpack:"p,omitempty"`
		T time.Time      `msg:"t,omitempty" msgpack:"t,omitempty"`
	}
	generatedEmpty struct {
		T time.Time          `msg:",omitempty"`
		F float64            `msg:",omitempty"`
		G float32            `msg:",omitempty"`
		A [2]int             `msg:",omitempty"`
		U struct{ X int }    `msg:",omitempty"`
		P *generatedPoint    `msg:",omitempty"`
		Q *time.Time         `msg:",omitempty"`
		C complex128         `msg:",omitempty"`
		V any                `msg:",omitempty"`
		B []byte             `msg:",omitempty"`
		D time.Duration      `msg:",omitempty"`
		L []generatedPoint   `msg:",omitempty"`
		M map[string]float32 `msg:",omitempty"`
		N int
	}
	generatedAllow struct {
		S []int `msg:"s,allownil" msgpack:"s"`
	}
	generatedAll struct {
		Numbers  generatedNumbers
		F32      float32
		F64      float64
		B        bool
		S        string
		Bytes    []byte
		Octets   [4]byte
		Strings  []string
		Floats   []float64
		Lists    [][]int64
		Pair     [2]string
		Counts   map[string]uint64
		Points   map[string]generatedPoint
		Lines    map[string][]generatedPoint
		Pointer  *int32
		Point    *generatedPoint
		Pointers []*generatedPoint
		Tagged   generatedFallback
	}
	generatedElsewhere struct {
		T generatedNewTime `msg:",omitempty"` // of another file
		N int
	}
	generatedNumber struct {
		N json.Number
		O json.Number `msg:"o,omitempty"`
	}
	generatedOctetSlice struct {
		V []uint8
		A [2]uint8
	}
	generatedIntKeys struct {
		M map[int]int
		N int
	}
	generatedHidden struct {
		generatedInts
		N int
	}
	generatedTree     struct{ A *generatedTree }
	GeneratedBase     struct{ ID int }
	generatedEmbedder struct {
		GeneratedBase
		Name string
	}
	generatedFlat struct {
		GeneratedBase `msg:",flatten"`
		Name          string
	}
)

//msgp:tuple generatedTuple

type generatedTuple struct {
	A int
	B string
}
