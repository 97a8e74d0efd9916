package cases

import (
	"math/rand/v2"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/tinylib/msgp/msgp"
)

// singleContests returns the contests on values so small that a call costs more than the encoding.
func singleContests() []engine.Contest {
	return []engine.Contest{
		single("int64", func(r *rand.Rand) int64 { return integer(r, 62) }, library[int64]{
			name:    "msgp",
			marshal: func(v *int64) ([]byte, error) { return msgp.AppendInt64(nil, *v), nil },
			append:  func(v *int64, dst []byte) ([]byte, error) { return msgp.AppendInt64(dst, *v), nil },
			unmarshal: func(v *int64, data []byte) (err error) {
				*v, _, err = msgp.ReadInt64Bytes(data)
				return err
			},
		}.competitor(), buildLimit(nil, copyValue[int64])),
		single("string", func(r *rand.Rand) string { return lowercase(r, 4+r.IntN(12)) }, msgpString(), buildLimit(nil, copyValue[string])),
		single("map", func(r *rand.Rand) map[string]string {
			return map[string]string{lowercase(r, 6): lowercase(r, 4+r.IntN(12))}
		},
			msgpStrings(), buildLimit(walkOneMap[string, string], buildOneMap[string, string])),
		single("counts", func(r *rand.Rand) map[string]int { return map[string]int{lowercase(r, 6): int(integer(r, 31))} },
			msgpCounts(), buildLimit(walkOneMap[string, int], buildOneMap[string, int])),
	}
}

func single[T any](shape string, value func(r *rand.Rand) T, others ...competitor[T]) engine.Contest {
	return variedContest("single/"+shape, func() []T { return some(varied, value) }, func() []competitor[T] {
		return append(named[T](engine.Ours, "octet For", "shamaton", "vmihailenco", "json"), others...)
	})
}

func msgpCounts() competitor[map[string]int] {
	type T = map[string]int
	return msgpLarge(
		func(v *T, b []byte) ([]byte, error) { return (*shape.Counts)(v).MarshalMsg(b) },
		func(v *T, b []byte) ([]byte, error) { return (*shape.Counts)(v).UnmarshalMsg(b) },
	)
}
