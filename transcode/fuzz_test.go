package transcode

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// checkReason checks that err is an Error with one of the given reasons and an
// offset inside the input.
func checkReason(t *testing.T, data []byte, err error, reasons ...error) {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Offset < 0 || e.Offset > int64(len(data)) {
		t.Fatalf("%.200q: %v", data, err)
	}
	for _, reason := range reasons {
		if errors.Is(err, reason) {
			return
		}
	}
	t.Fatalf("%.200q: %v is none of %v", data, err, reasons)
}

// checkJSON converts arbitrary data from JSON and checks the properties that
// every result must have.
func checkJSON(t *testing.T, data []byte) {
	t.Helper()
	msgpack, err := AppendMsgpackValues(nil, data, nil)
	countValues(t, msgpack)
	switch {
	case err == nil:
		json, err := AppendJSONValues(nil, msgpack, nil)
		if err != nil {
			t.Fatalf("%.200q became %.200x, then %v", data, msgpack, err)
		}
		again, err := AppendMsgpackValues(nil, json, nil)
		if err != nil || !bytes.Equal(again, msgpack) {
			t.Fatalf("%.200q became %.200x, then %.200q, then %.200x, %v", data, msgpack, json, again, err)
		}
	case jsontext.Value(bytes.TrimPrefix(data, bom)).IsValid():
		checkReason(t, data, err, ErrNumber, ErrDepth)
	default:
		checkReason(t, data, err, ErrSyntax, ErrUTF8, ErrDuplicateKey, ErrNumber, ErrTruncated, ErrDepth)
	}

	_, oneErr := AppendMsgpack(nil, data, nil)
	if values := countValues(t, msgpack); (oneErr == nil) != (err == nil && values == 1) {
		t.Fatalf("%.200q: %d values, %v; as one value %v", data, values, err, oneErr)
	}
	if valid := jsontext.Value(data).IsValid(); oneErr == nil && !valid && !bytes.HasPrefix(data, bom) {
		t.Fatalf("%.200q was accepted", data)
	}

	msgpack, err = AppendMsgpackValues(nil, data, &reversible)
	countValues(t, msgpack)
	if err != nil {
		checkReason(t, data, err, ErrSyntax, ErrUTF8, ErrDuplicateKey, ErrNumber, ErrEscape, ErrTruncated, ErrDepth)
	}
	json, err := AppendJSONValues(nil, msgpack, &reversible)
	if err != nil {
		t.Fatalf("%.200q became %.200x, then %v", data, msgpack, err)
	}
	again, err := AppendMsgpackValues(nil, json, &reversible)
	if err != nil || !bytes.Equal(again, msgpack) {
		t.Fatalf("%.200q became %.200x, then %.200q, then %.200x, %v", data, msgpack, json, again, err)
	}
}

// checkMsgpack does the same for MessagePack input.
func checkMsgpack(t *testing.T, data []byte) {
	t.Helper()
	var skipErr error
	for rest := data; len(rest) > 0 && skipErr == nil; {
		var n int
		n, skipErr = wire.Skip(rest, wire.MaxDepth)
		rest = rest[n:]
	}
	for _, o := range []Options{{}, reversible} {
		json, err := AppendJSONValues(nil, data, &o)
		checkLines(t, json)
		switch {
		case err == nil && skipErr != nil && !(o.Reversible && skipErr == wire.ErrTimestamp):
			t.Fatalf("%.200x became %.200s, but wire.Skip returned %v", data, json, skipErr)
		case err != nil && skipErr != nil:
			// Skip may find another error first.
			checkReason(t, data, err, ErrDuplicateKey, ErrUTF8, ErrNaN, ErrKey, wire.ErrTimestamp, wire.ErrReserved, ErrTruncated, ErrDepth)
		case err != nil && o.Reversible:
			checkReason(t, data, err, ErrDuplicateKey)
		case err != nil:
			checkReason(t, data, err, ErrDuplicateKey, ErrUTF8, ErrNaN, ErrKey, wire.ErrTimestamp)
		}
		msgpack, err := AppendMsgpackValues(nil, json, &o)
		if err != nil {
			t.Fatalf("%.200x became %.200s, then %v", data, json, err)
		}
		again, err := AppendJSONValues(nil, msgpack, &o)
		if err != nil || !bytes.Equal(again, json) {
			t.Fatalf("%.200x became %.200s, then %.200x, then %.200s, %v", data, json, msgpack, again, err)
		}
	}
}

// FuzzFromJSON converts arbitrary text, at once and as a stream, with several
// Options. Results must be stable and memory bounded.
func FuzzFromJSON(f *testing.F) {
	for i, s := range jsonStreams {
		if len(s) < 2000 {
			f.Add([]byte(s), uint64(i))
		}
	}
	for i, m := range messages(20) {
		if json, err := AppendJSONValues(nil, m, &reversible); err == nil && len(json) < 2000 {
			f.Add(json, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		checkJSON(t, data)
		checkMemory(t, jsonToMsgpack, data)
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, o := range []Options{{}, reversible, {MaxValue: 1 + int(seed%50)}, {MaxDepth: 1 + int(seed%5)}} {
			checkStream(t, jsonToMsgpack, data, o, rng)
		}
	})
}

// FuzzFromMsgpack is FuzzFromJSON for the other direction.
func FuzzFromMsgpack(f *testing.F) {
	for i, s := range msgpackStreams {
		f.Add(unhex(f, s), uint64(i))
	}
	for i, m := range messages(20) {
		if len(m) < 2000 {
			f.Add(m, uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		checkMsgpack(t, data)
		checkMemory(t, msgpackToJSON, data)
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, o := range []Options{{}, reversible, {MaxValue: 1 + int(seed%50)}, {MaxDepth: 1 + int(seed%5)}} {
			checkStream(t, msgpackToJSON, data, o, rng)
		}
	})
}

// checkMemory checks the bound of TestAllocationBound for one input.
func checkMemory(t *testing.T, c conversion, data []byte) {
	t.Helper()
	for _, o := range []Options{{}, reversible} {
		heaptest.AtMost(t, 128*len(data)+1<<20, func() { _, _ = c.slice(nil, data, &o) })
	}
}
