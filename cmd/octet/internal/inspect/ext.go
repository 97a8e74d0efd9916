package inspect

import "github.com/octet-go/octet/cmd/octet/internal/exts"

// A meaning is the interpretation of an ext.
type meaning struct {
	name  string // such as "timestamp 32"
	value string // decoded; empty if only the name is known
	guess bool   // applications choose the type freely; this is what one of them uses it for
}

// Known is the help text that lists the exts with known meanings.
const Known = `octet inspect recognizes and decodes these extension types:

  -1            timestamp 32, 64 or 96 of the MessagePack specification
  0, 8 bytes    Fluentd event time
  2, 16 bytes   Tarantool UUID
  3, 8 bytes    complex64 of tinylib/msgp
  4, 16 bytes   complex128 of tinylib/msgp
  5, 12 bytes   time of tinylib/msgp

Negative types are reserved for the specification. Every application may use the
other types as it likes. A name for such a type is therefore a guess, marked
"?". It appears only if the length and the content match.`

// meaningOf returns the meaning of an ext. payload is the whole payload.
// finding describes an error in an ext that the specification defines.
func meaningOf(typ int8, payload []byte) (m meaning, finding string) {
	known, finding := exts.Of(typ, payload)
	return meaning{known.Name, known.Value, known.Guess}, finding
}
