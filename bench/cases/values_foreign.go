package cases

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
)

// A pair is an encoded key and its encoded value.
type pair struct{ key, value []byte }

// foreignContests returns the contests on messages of other programs: written in other languages, or with an older
// or newer version of the struct. Each message is a shape.Reading. "octet usual" decodes the same values from
// Octet's own messages.
func foreignContests() []engine.Contest {
	none := func(*rand.Rand, *shape.Reading) {}
	return []engine.Contest{
		foreign("reversed", none, func(_ *rand.Rand, _ *shape.Reading, list []pair) []pair {
			slices.Reverse(list)
			return list
		}),
		foreign("sorted", none, func(_ *rand.Rand, _ *shape.Reading, list []pair) []pair {
			slices.SortFunc(list, func(a, b pair) int { return strings.Compare(string(a.key[1:]), string(b.key[1:])) })
			return list
		}),
		foreign("random", none, func(r *rand.Rand, _ *shape.Reading, list []pair) []pair {
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			return list
		}),
		foreign("unknown", none, func(r *rand.Rand, _ *shape.Reading, list []pair) []pair {
			list = slices.Insert(list, 1, pair{putString(nil, "unit"), putString(nil, lowercase(r, 1+r.IntN(6)))})
			list = slices.Insert(list, 3, pair{putString(nil, "revision"), putInt(nil, integer(r, 31))})
			return slices.Insert(list, 6, pair{putString(nil, "window"), putInt(putInt([]byte{0x92}, r.Int64N(100)), r.Int64N(1000))})
		}),
		foreign("long", func(r *rand.Rand, v *shape.Reading) { v.Sensor = lowercase(r, 60) }, nil),
		foreign("float32", func(_ *rand.Rand, v *shape.Reading) { v.Value = float64(float32(v.Value)) }, func(_ *rand.Rand, v *shape.Reading, list []pair) []pair {
			list[2].value = binary.BigEndian.AppendUint32([]byte{0xca}, math.Float32bits(float32(v.Value)))
			return list
		}),
		foreign("integer", func(_ *rand.Rand, v *shape.Reading) { v.Value = math.Round(v.Value) }, func(_ *rand.Rand, v *shape.Reading, list []pair) []pair {
			list[2].value = putInt(nil, int64(v.Value))
			return list
		}),
	}
}

// foreign returns a contest on readings that value modifies. arrange reorders the pairs of their messages; if it is
// nil, the order does not change.
func foreign(name string, value func(*rand.Rand, *shape.Reading), arrange func(*rand.Rand, *shape.Reading, []pair) []pair) engine.Contest {
	return engine.Contest{Group: "values", Shape: "foreign/" + name, Verbs: []string{verbUnmarshal}, Open: func() ([]engine.Peer, error) {
		r := rand.New(rand.NewPCG(23, 24))
		values := readings(varied)
		for i := range values {
			value(r, &values[i])
		}
		usual, err := judged(values)
		if err != nil {
			return nil, err
		}
		list := append(named[shape.Reading](engine.Ours, "octet For", "shamaton", "vmihailenco"), msgpReading.competitor(), buildLimit(nil, copyValue[shape.Reading]))
		if name == "integer" {
			list = leaveOut(list, "msgp", "it does not decode an integer into a float64")
		}
		s := samples[shape.Reading]{values: values}
		for i := range values {
			pairs := pairsOf(&values[i])
			if arrange != nil {
				pairs = arrange(r, &values[i], pairs)
			}
			message := []byte{0x80 | byte(len(pairs))}
			for _, p := range pairs {
				message = append(append(message, p.key...), p.value...)
			}
			s.messages = append(s.messages, message)
		}
		if arrange != nil {
			list = append(list, competitor[shape.Reading]{name: "octet usual", enter: func(samples[shape.Reading]) (engine.Peer, error) {
				l := octet[shape.Reading]()
				l.name = "octet usual"
				return l.enter(usual)
			}})
		}
		entries, err := s.enter(list)
		for i := range entries {
			if e := &entries[i]; e.Loops != nil && e.Library != "octet usual" {
				e.Size = meanSize(s.messages)
			}
		}
		return entries, err
	}}
}

// pairsOf returns the pairs of a reading in the order of its fields.
func pairsOf(v *shape.Reading) []pair {
	return []pair{
		{putString(nil, "id"), putInt(nil, v.ID)},
		{putString(nil, "sensor"), putString(nil, v.Sensor)},
		{putString(nil, "value"), putFloat(nil, v.Value)},
		{putString(nil, "count"), putInt(nil, int64(v.Count))},
		{putString(nil, "level"), putUint(nil, uint64(v.Level))},
		{putString(nil, "valid"), putBool(nil, v.Valid)},
	}
}
