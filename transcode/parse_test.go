package transcode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// checkParse compares parse, which checks and converts JSON in one pass, with check
// and value, which do it in two.
func checkParse(t *testing.T, text []byte, o Options) {
	t.Helper()
	at := spaces(text)
	if at == len(text) {
		return
	}
	var one, two jsonReader
	one.reset(o)
	two.reset(o)
	one.src, two.src = text, text
	got, end, fault := one.parse(nil, at, o.MaxDepth)
	wantEnd := two.check(at)
	switch {
	case wantEnd == 0:
		if fault == nil {
			t.Errorf("%.200q: accepted up to %d", text, end)
		}
		return
	case fault == malformed:
		t.Errorf("%.200q: not accepted", text)
		return
	case fault == escaped:
		if !bytes.ContainsAny(text, `$\`) {
			t.Errorf("%.200q: found an escape object", text)
		}
		return
	}
	if wantEnd < len(text) && jsonClasses[text[at]] == classOther && jsonClasses[text[wantEnd]] == classOther {
		return // a number with invalid characters: an error in both cases, with different ends
	}
	want, _, wantFault := two.value(nil, at, o.MaxDepth)
	if fault != nil || wantFault != nil {
		// Both must report the first fault, with the same reason and offset.
		if fmt.Sprint(fault) != fmt.Sprint(wantFault) {
			t.Errorf("%.200q: %v, want %v", text, fault, wantFault)
		}
		return
	}
	got, want = one.heads.expand(got, 0), two.heads.expand(want, 0)
	if !bytes.Equal(got, want) || end != wantEnd {
		t.Errorf("%.200q: %.100x up to %d, want %.100x up to %d", text, got, end, want, wantEnd)
	}
}

// TestParse compares both conversions on texts, and on the same texts with a few
// bytes changed, inserted and removed.
func TestParse(t *testing.T) {
	texts := slices.Clone(jsonStreams)
	json, _ := records(t, 20)
	texts = append(texts, strings.Split(string(json), "\n")...)
	for _, n := range []int{7, 8, 9, 15, 16, 17, 31, 32, 255, 256, 65536} {
		texts = append(texts, `["`+strings.Repeat("x", n)+`"]`, `["`+strings.Repeat("x", n-1)+`é","`+strings.Repeat("y", n)+`\n"]`)
	}
	for _, number := range []string{"0", "-0", "-0.0", "0.0", "1.5", "-1.5", "123456789012345678", "1234567890123456789", "9223372036854775807",
		"9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1e400", "1e-400", "0.1e1", "1E+2",
		"9007199254740993.0", "0.3", "123456.789012", "0.000000000000000001", "0.0000000000000000001", "01", "-", "1.", ".5", "1e", "1e+", "+1", "--1", "-01", "00.5"} {
		texts = append(texts, number, "["+number+"]", "["+number+" ,"+number+"]", `{"a":`+number+`}`)
	}
	rng, changes := rand.New(rand.NewPCG(3, 4)), 40
	if testing.Short() {
		changes = 5
	}
	odd := []byte("\"\\{}[]:,0123456789eE+-.tfnu \n\t\x00\x1f\x7f\x80\xc3\xff$")
	for _, text := range texts {
		for _, o := range []Options{{MaxDepth: 512}, {MaxDepth: 2}, {MaxDepth: 512, Reversible: true}, {MaxDepth: 512, RoundNumbers: true}} {
			checkParse(t, []byte(text), o)
			if len(text) > 10_000 {
				continue
			}
			for range changes {
				b := []byte(text)
				for range 1 + rng.IntN(3) {
					if len(b) == 0 {
						break
					}
					i := rng.IntN(len(b))
					switch c := odd[rng.IntN(len(odd))]; rng.IntN(4) {
					case 0:
						b[i] = c
					case 1:
						b = slices.Insert(b, i, c)
					case 2:
						b = slices.Delete(b, i, i+1)
					case 3:
						b = b[:i]
					}
				}
				checkParse(t, b, o)
			}
		}
	}
}

// FuzzParse compares the conversion in one pass with the conversion in two for
// arbitrary text.
func FuzzParse(f *testing.F) {
	for _, s := range jsonStreams {
		if len(s) < 2000 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		checkParse(t, data, Options{MaxDepth: 512})
		checkParse(t, data, Options{MaxDepth: 3, Reversible: true})
	})
}
