package sniff

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// refusal returns the format as which a MessagePack stream is refused, or "" if it
// is read as MessagePack.
func refusal(data []byte) string {
	whole := len(data) < MaxHead
	head := data[:min(len(data), MaxHead)]
	if f := ForeignByBytes(head, whole); f.Name != "" {
		return f.Name
	}
	if e := EncodingByBytes(head); e != (Encoding{}) {
		return e.String()
	}
	if f := ByBytes(head); f != MessagePack {
		return f.Title()
	}
	return ""
}

// TestAcceptsRandom checks that random streams of maps, arrays and strings are
// recognized as MessagePack.
func TestAcceptsRandom(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 5000
	}
	r := rand.New(rand.NewPCG(1, 2))
	codec, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]int{}
	for range rounds {
		var data []byte
		for range 1 + r.IntN(4) {
			v := randomValue(r, 3)
			for !isContainerOrString(v) {
				v = randomValue(r, 3)
			}
			if data, err = codec.MarshalAppend(data, v); err != nil {
				t.Fatal(err)
			}
		}
		if why := refusal(data); why != "" {
			if refused[why]++; refused[why] == 1 {
				t.Errorf("refused as %s: %x", why, data)
			}
		}
	}
}

// isContainerOrString reports whether v is a container or a string.
func isContainerOrString(v any) bool {
	switch v.(type) {
	case map[string]any, []any, string, []byte:
		return true
	}
	return false
}

func randomValue(r *rand.Rand, depth int) any {
	kinds := 10
	if depth == 0 {
		kinds = 7
	}
	switch r.IntN(kinds) {
	case 0:
		return r.IntN(300) - 100
	case 1:
		return r.Uint64() >> r.IntN(64)
	case 2:
		return r.IntN(2) == 0
	case 3:
		return nil
	case 4:
		return math.Trunc(r.Float64() * 100)
	case 5, 6:
		return randomText(r)
	case 7:
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	case 8:
		list := []any{}
		for range r.IntN(20) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	default:
		m := map[string]any{}
		for range r.IntN(8) {
			m[randomText(r)] = randomValue(r, depth-1)
		}
		return m
	}
}

// randomText returns text in several scripts. Every length occurs.
func randomText(r *rand.Rand) string {
	letters := []string{"abcdefghijklmnopqrstuvwxyz", "id name 0123456789{}[]\":,", "\x00\x01ab", "éàüß", "кириллица", "مرحبا", "日本語"}
	alphabet := []rune(letters[r.IntN(len(letters))])
	var b strings.Builder
	for range r.IntN(1 << r.IntN(9)) {
		b.WriteRune(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// TestAcceptsFixtures reads the valid MessagePack in the sessions of the tool, if
// its first value is a container or a string.
func TestAcceptsFixtures(t *testing.T) {
	sessions, err := filepath.Glob("../../testdata/*.session")
	if err != nil {
		t.Fatal(err)
	}
	file := regexp.MustCompile(`(?m)^-- (\S+)\.hex --\n([0-9a-f\s]+)`)
	found := 0
	for _, session := range sessions {
		text, err := os.ReadFile(session)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range file.FindAllStringSubmatch(string(text), -1) {
			if extension := filepath.Ext(m[1]); extension == ".npy" || extension == ".cbor" || extension == ".pcap" {
				continue
			}
			data, err := hex.DecodeString(strings.Join(strings.Fields(m[2]), ""))
			if err != nil {
				t.Fatal(err)
			}
			var v any
			if n, err := msgpack.UnmarshalPrefix(data, &v); err != nil || !isContainerOrString(v) || !valid(data[n:]) {
				continue
			}
			found++
			if why := refusal(data); why != "" {
				t.Errorf("%s, %s: refused as %s", filepath.Base(session), m[1], why)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d files", found)
	}
}

func valid(data []byte) bool {
	for len(data) > 0 {
		n, err := wire.Skip(data, wire.MaxDepth)
		if err != nil {
			return false
		}
		data = data[n:]
	}
	return true
}

// TestAcceptsStrings reads single strings of every length, and streams of equal
// strings.
func TestAcceptsStrings(t *testing.T) {
	for n := range 600 {
		for _, letter := range []string{"x", "{", "7", "é", "ب", "日", "\n"} {
			one, _ := msgpack.Marshal(strings.Repeat(letter, n))
			for _, times := range []int{1, 2, 9} {
				if why := refusal(bytes.Repeat(one, times)); why != "" {
					t.Errorf("%d strings of %d %q: refused as %s", times, n, letter, why)
				}
			}
		}
	}
	for n := 600; n < 1<<16; n += 997 {
		one, _ := msgpack.Marshal(strings.Repeat("x", n))
		if why := refusal(one); why != "" {
			t.Errorf("a string of %d: refused as %s", n, why)
		}
	}
}

// TestRefusesText checks that text whose first bytes are also a MessagePack str is
// recognized as text.
func TestRefusesText(t *testing.T) {
	for _, text := range []string{"مرحبا بالعالم ", "و السلام عليكم ورحمة الله وبركاته ", "چشم و گوش ", "écoutez ", "Здравствуй мир ", "שלום עולם ", "日本語 "} {
		for _, n := range []int{2, 5, 20, 100} {
			if got := ByBytes([]byte(strings.Repeat(text, n))); got != Text {
				t.Errorf("%d times %q: %v, want text", n, text, got)
			}
		}
	}
	if got := fmt.Sprint(ByBytes([]byte("\xd9\x85" + strings.Repeat("x", 133)))); got != "msgpack" {
		t.Errorf("one string: %s", got)
	}
}
