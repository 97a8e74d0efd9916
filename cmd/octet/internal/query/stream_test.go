package query

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/transcode"
)

// TestStream requires the events that the function tostream returns, on random values in
// both formats.
func TestStream(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	var packed []byte
	values := 200
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		values = 50
	}
	for range values {
		before := text.Len()
		appendRandom(&text, r, 5)
		var err error
		if packed, err = transcode.AppendMsgpack(packed, []byte(text.String()[before:]), nil); err != nil {
			t.Fatal(err)
		}
		text.WriteByte('\n')
	}
	data := []byte(text.String())
	want := strings.SplitAfter(query(t, data, sniff.JSON, Session{Program: "tostream"}), "\n")
	for format, data := range map[sniff.Format][]byte{sniff.JSON: data, sniff.MessagePack: packed} {
		got := strings.SplitAfter(query(t, data, format, Session{Program: ".", Stream: true}), "\n")
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("%v: event %d is %s, want %s", format, i, got[i], want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v: %d events, want %d", format, len(got), len(want))
		}
	}
}

// appendRandom writes a random value as JSON without white space.
func appendRandom(b *strings.Builder, r *rand.Rand, depth int) {
	switch kind := r.IntN(7); {
	case depth == 0 || kind < 2:
		b.WriteString([]string{"null", "true", "17", "-2.5", `"ü"`, `""`, "{}", "[]"}[r.IntN(8)])
	case kind < 5:
		b.WriteByte('[')
		for i := range r.IntN(20) {
			if i > 0 {
				b.WriteByte(',')
			}
			appendRandom(b, r, depth-1)
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i := range r.IntN(4) {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, `"k%d":`, i)
			appendRandom(b, r, depth-1)
		}
		b.WriteByte('}')
	}
}

// query runs a session on data and returns its results.
func query(t *testing.T, data []byte, format sniff.Format, s Session) string {
	t.Helper()
	con, _, _ := consoletest.New(string(data))
	if err := s.Open(t.Context(), &input.Files{Console: con, Options: input.Options{Format: format}}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
