package transcode

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestLastRecord checks where a batch of text ends: after the last line that ends with
// a bracket and is followed by a line that begins with one. In valid JSON, no value
// spans that place, so another goroutine can convert the rest.
func TestLastRecord(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"{}\n{}\n", 3}, {"{}\n{}\n{", 6}, {"[1]\r\n[2]", 5}, {"{}\n", 0}, {"", 0}, {"\n{", 0}, {"1\n2\n3", 0},
		{"[{\"a\":1},\n{\"a\":2},\n", 0}, {"{\n \"a\": []\n}\n{\n \"a\"", 13}, {"{}\n[1,\n2", 3}, {"{}\n\n{}", 0},
	} {
		if got := lastRecord([]byte(c.text), 0); got != c.want {
			t.Errorf("lastRecord(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

// TestLastRecordOfGrowingText searches text that arrives in pieces of every length. The result must be that of a search
// of the whole text.
func TestLastRecordOfGrowingText(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	found := 0
	for range 2000 {
		text := make([]byte, rng.IntN(40))
		for i := range text {
			text[i] = "{}[]\n\r1"[rng.IntN(7)]
		}
		from := 0
		for end := range len(text) + 1 {
			if rng.IntN(3) == 0 {
				continue
			}
			got, want := lastRecord(text[:end], from), lastRecord(text[:end], 0)
			if got != want {
				t.Fatalf("lastRecord(%q, %d) = %d, want %d", text[:end], from, got, want)
			}
			if got > 0 {
				found++
				break
			}
			from = searched(text[:end])
		}
	}
	if found < 200 {
		t.Errorf("found only %d records", found)
	}
}

// A dripReader returns at most n bytes at once.
type dripReader struct {
	io.Reader
	n int
}

func (r dripReader) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(r.n, len(b))]) }

// TestLongLineInPieces converts a long line that arrives in small pieces. The time must be linear: if it grew with the
// square of the length, the test would take hours.
func TestLongLineInPieces(t *testing.T) {
	text := "[" + strings.Repeat("1234567,", 1<<19) + "1]"
	stats, err := ToMsgpack(io.Discard, dripReader{strings.NewReader(text), 8}, nil)
	if err != nil || stats.BytesIn != int64(len(text)) {
		t.Errorf("%+v of %d bytes, %v", stats, len(text), err)
	}
}

// TestRecordFaults converts streams of lines with a changed byte, cut at lines,
// and compares the result with that of the whole.
func TestRecordFaults(t *testing.T) {
	json, _ := records(t, 1200)
	indented := bytes.ReplaceAll(json, []byte(`,"user":`), []byte(",\n\"user\":\n"))
	rng := rand.New(rand.NewPCG(5, 6))
	rounds := 60
	if testing.Short() {
		rounds = 18
	}
	for i := range rounds {
		text := bytes.Clone(json)
		if i%2 == 1 {
			text = bytes.Clone(indented)
		}
		at := rng.IntN(len(text))
		if i%3 > 0 {
			at = bytes.IndexAny(text[at:], "{}[]\"")%1000 + at // change structural characters more often than others
		}
		text[at] = " {}[]\",\n"[rng.IntN(8)]
		checkStream(t, jsonToMsgpack, text, Options{}, rng)
		var got bytes.Buffer
		stats, err := ToMsgpack(&got, bytes.NewReader(text), nil)
		want, wantErr := AppendMsgpackValues(nil, text, nil)
		if !bytes.Equal(got.Bytes(), want) || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("byte %d as %q: %d bytes, %v; as one slice %d bytes, %v", at, text[at], stats.BytesOut, err, len(want), wantErr)
		}
	}
}

// TestLostBracket removes the bracket at the end of lines around the ends of
// batches, so that a batch ends inside a value.
func TestLostBracket(t *testing.T) {
	line := `{"a":{"b":"` + strings.Repeat("x", 200) + "\"}}\n"
	text := []byte(strings.Repeat(line, 500))
	for i := 100; i < 500; i++ {
		bad := bytes.Clone(text)
		bad[i*len(line)+len(line)-2] = ' '
		bad[i*len(line)+len(line)-3], bad[i*len(line)+len(line)-2] = ' ', '}'
		_, err := ToMsgpack(io.Discard, bytes.NewReader(bad), nil)
		_, want := AppendMsgpackValues(nil, bad, nil)
		if err == nil || err.Error() != want.Error() {
			t.Fatalf("line %d: %v, want %v", i, err, want)
		}
	}
}

// TestReadErrorAfterValue lets the input end with a read error right after a value
// that no line end follows. The value must be converted.
func TestReadErrorAfterValue(t *testing.T) {
	broken := errors.New("broken")
	text := bytes.Repeat([]byte("{\"a\":[1,2,3]}\n"), 5*batchSize/28) // the last read returns about half of a batch
	text = text[:len(text)-1]
	want, err := AppendMsgpackValues(nil, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	_, err = ToMsgpack(&got, &endingReader{text, broken}, nil)
	if err != broken || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d bytes, %v; want %d bytes and the error of the reader", got.Len(), err, len(want))
	}
}

// An endingReader returns its error together with the last bytes.
type endingReader struct {
	text []byte
	err  error
}

func (r *endingReader) Read(p []byte) (int, error) {
	n := copy(p, r.text)
	if r.text = r.text[n:]; len(r.text) > 0 {
		return n, nil
	}
	return n, r.err
}
