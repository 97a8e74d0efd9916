package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
)

// A pieces reader returns its data in parts of random size, sometimes empty. It
// returns its error with the last bytes or after them.
type pieces struct {
	data []byte
	err  error
	most int
	rng  *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rng.IntN(4) == 0 {
		return 0, nil
	}
	n := copy(b, p.data[:min(len(p.data), p.rng.IntN(p.most+1))])
	p.data = p.data[n:]
	if len(p.data) == 0 && p.rng.IntN(2) == 0 {
		return n, p.err
	}
	if n == 0 && len(p.data) == 0 {
		return 0, p.err
	}
	return n, nil
}

// A conversion is one direction, for slices and for streams.
type conversion struct {
	name   string
	slice  func(dst, src []byte, o *Options) ([]byte, error)
	stream func(w io.Writer, r io.Reader, o *Options) (Stats, error)
}

var (
	jsonToMsgpack = conversion{"ToMsgpack", AppendMsgpackValues, ToMsgpack}
	msgpackToJSON = conversion{"ToJSON", AppendJSONValues, ToJSON}
)

// checkStream converts src in parts and checks that the result is the same as
// for the whole slice. With a reader that fails, it checks that the values
// before the failure are written.
func checkStream(t *testing.T, c conversion, src []byte, o Options, rng *rand.Rand) {
	t.Helper()
	want, wantErr := c.slice(nil, src, &o)
	var got bytes.Buffer
	stats, err := c.stream(&got, &pieces{src, io.EOF, 8, rng}, &o)
	if !bytes.Equal(got.Bytes(), want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
		t.Errorf("%s(%.100q) in parts: %.100q, %v\nas one slice: %.100q, %v", c.name, src, got.Bytes(), err, want, wantErr)
	}
	if stats.BytesOut != int64(len(want)) || (err == nil && stats.BytesIn != int64(len(src))) {
		t.Errorf("%s(%.100q): %+v for %d and %d bytes", c.name, src, stats, len(src), len(want))
	}
	if e, ok := errors.AsType[*Error](err); ok && (e.Value != stats.Values || e.Offset < stats.BytesIn || e.Offset > int64(len(src))) {
		t.Errorf("%s(%.100q): %+v and %v", c.name, src, stats, err)
	}

	broken := errors.New("broken")
	cut := rng.IntN(len(src) + 1)
	got.Reset()
	stats, err = c.stream(&got, &pieces{src[:cut], broken, 8, rng}, &o)
	if !bytes.HasPrefix(want, got.Bytes()) {
		t.Errorf("%s(%.100q) with read error at %d: wrote %.100q, not the start of %.100q", c.name, src, cut, got.Bytes(), want)
	}
	switch {
	case err == broken:
		if out, err := c.slice(nil, src[:stats.BytesIn], &o); err != nil || !bytes.Equal(out, got.Bytes()) {
			t.Errorf("%s(%.100q) with read error at %d: BytesIn = %d, which convert to %.100q, %v", c.name, src, cut, stats.BytesIn, out, err)
		}
		// If only complete values came before the error, all were written.
		if out, err := c.slice(nil, src[:cut], &o); err == nil && len(out) > got.Len() && !mayContinue(src[:cut]) {
			t.Errorf("%s(%.100q) with read error at %d: lost %.100q", c.name, src, cut, out[got.Len():])
		}
	case fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil:
		t.Errorf("%s(%.100q) with read error at %d: %v, want %v or %v", c.name, src, cut, err, broken, wantErr)
	}
}

// mayContinue reports whether more input could extend the last JSON value.
func mayContinue(src []byte) bool {
	return len(src) > 0 && jsonClasses[src[len(src)-1]] == classOther
}

var jsonStreams = []string{
	"",
	" \n",
	"\xef\xbb\xbf{}",
	"1 \xef\xbb\xbf2",
	`0"0`,
	`"\u00"1 2`,
	`12"3"4[5]6{}`,
	"1\n22\n333\n",
	`{"a":[1,2,{"b":"\"\\\u00e9\\\\"}],"c":-1.5e3} [] "x\"y" true`,
	`"a""b"[][{}]{}null`,
	`[1,2`,
	`1 2 ] 3`,
	`1,2`,
	`tru`,
	`truefalse`,
	"[\"\xff\"]",
	`"\ud800"`,
	`{"a":1,"a":2}`,
	`"a\"`,
	`"a\\"`,
	`{"$bin":"AQI="} {"$map":[[1,2]]} {"$$x":1}`,
	`{"$map":[[1,2],[1]]}`,
	strings.Repeat(`{"id":1,"name":"someone"}`+"\n", 40),
	strings.Repeat("[", 600),
	strings.Repeat("[", 11000),
	strings.Repeat("[", 11000) + "x",
}

var msgpackStreams = []string{
	"",
	"01 02 03",
	"83 a161 01 a162 92 c0 c3 a163 cb 3ff8000000000000 90",
	"a3 616263 c4 03 010203 d6 ff 00000000 c7 00 05",
	"93 01",
	"01 c1 02",
	"01 92 01 c1 02",
	"dd ffffffff 01",
	"c6 ffffffff 01",
	"d9 05 6161",
	"cd",
	"81 01 02 81 a1 ff 03",
	"82 01 02 a131 03",
	"91 cb 7ff8000000000000",
	strings.Repeat("82 a16101 a16202", 40),
	strings.Repeat("91", 600),
}

// TestStreamMatchesSlice checks that random divisions of the input change neither
// values nor errors.
func TestStreamMatchesSlice(t *testing.T) {
	options := []Options{{}, reversible, {MaxValue: 5}, {MaxDepth: 2}, {Indent: " "}}
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, o := range options {
			for _, s := range jsonStreams {
				checkStream(t, jsonToMsgpack, []byte(s), o, rng)
			}
			for _, s := range msgpackStreams {
				checkStream(t, msgpackToJSON, unhex(t, s), o, rng)
			}
		}
	}
}

// records returns n lines of JSON, and the same values as MessagePack.
func records(t testing.TB, n int) (json, msgpack []byte) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("alpha beta gamma delta error warning café request timeout 日本 user session")
	for i := range n {
		json = fmt.Appendf(json, `{"id":%d,"time":"2026-11-21T08:%02d:%02d.%03dZ","level":%q,"latency":%.3f,"ok":%t,"user":{"id":%d,"name":"%s %s","score":%v,"vip":null},"tags":[%q,%q],"text":"%s said \"%s\"\n","size":%d}`+"\n",
			1000000000+i, rng.IntN(60), rng.IntN(60), rng.IntN(1000), words[rng.IntN(6)], rng.Float64()*500, rng.IntN(2) == 0,
			rng.IntN(1e7), words[rng.IntN(12)], words[rng.IntN(12)], rng.Float64()*100, words[rng.IntN(12)], words[rng.IntN(12)],
			words[rng.IntN(12)], words[rng.IntN(12)], rng.IntN(1e9)-100)
	}
	msgpack, err := AppendMsgpackValues(nil, json, nil)
	if err != nil {
		t.Fatal(err)
	}
	return json, msgpack
}

// TestLongStream checks that many batches are written in order.
func TestLongStream(t *testing.T) {
	const n = 10000
	json, msgpack := records(t, n)
	if len(json) < 8*batchSize {
		t.Fatalf("%d bytes are too few to fill the pipeline", len(json))
	}
	for _, most := range []int{100, 5000, 1 << 20} {
		rng := rand.New(rand.NewPCG(3, uint64(most)))
		var out bytes.Buffer
		stats, err := ToMsgpack(&out, &pieces{json, io.EOF, most, rng}, nil)
		if want := (Stats{n, int64(len(json)), int64(len(msgpack)), Changed{}}); err != nil || stats != want || !bytes.Equal(out.Bytes(), msgpack) {
			t.Errorf("reads of up to %d: ToMsgpack = %+v, %v, want %+v", most, stats, err, want)
		}
		back, err := AppendJSONValues(nil, msgpack, nil)
		if err != nil {
			t.Fatal(err)
		}
		out.Reset()
		stats, err = ToJSON(&out, &pieces{msgpack, io.EOF, most, rng}, nil)
		if want := (Stats{n, int64(len(msgpack)), int64(len(back)), Changed{}}); err != nil || stats != want || !bytes.Equal(out.Bytes(), back) {
			t.Errorf("reads of up to %d: ToJSON = %+v, %v, want %+v", most, stats, err, want)
		}
	}
}

// TestFaultFarIntoStream checks that the values before an error are written,
// and that the error holds the offset, value and path for the whole stream.
func TestFaultFarIntoStream(t *testing.T) {
	json, msgpack := records(t, 5000)
	input := append(bytes.Clone(json), `{"a":[1,x]}`+"\n"...)
	input = append(input, json...)
	var out bytes.Buffer
	stats, err := ToMsgpack(&out, bytes.NewReader(input), nil)
	fault{err: ErrSyntax, offset: int64(len(json)) + 8, value: 5000, path: ".a[1]"}.check(t, err)
	if want := (Stats{5000, int64(len(json) - 1), int64(len(msgpack)), Changed{}}); stats != want {
		t.Errorf("stats %+v, want %+v", stats, want)
	}
	if !bytes.Equal(out.Bytes(), msgpack) {
		t.Error("the values before the fault were not written")
	}
}

// TestLargeValues converts values that are larger than a batch.
func TestLargeValues(t *testing.T) {
	large := `{"list":[` + strings.Repeat(`{"a":"`+strings.Repeat("x", 100)+`"},`, 30000) + `1]}`
	json := []byte("1\n" + large + "\n2\n" + `"` + strings.Repeat(`\"`, 1<<20) + `"` + large + "3")
	want, err := AppendMsgpackValues(nil, json, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	var out bytes.Buffer
	if stats, err := ToMsgpack(&out, &pieces{json, io.EOF, 70000, rng}, nil); err != nil || stats.Values != 6 || !bytes.Equal(out.Bytes(), want) {
		t.Errorf("ToMsgpack = %+v, %v", stats, err)
	}
	var back bytes.Buffer
	if stats, err := ToJSON(&back, &pieces{want, io.EOF, 70000, rng}, nil); err != nil || stats.Values != 6 || back.Len() != len(json)+3 {
		t.Errorf("ToJSON = %+v, %v, %d bytes, want %d", stats, err, back.Len(), len(json)+3)
	}
}

// failingWriter accepts some bytes and then fails or writes less than
// requested.
type failingWriter struct {
	room int
	err  error
}

func (w *failingWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.room)
	w.room -= n
	if n < len(b) {
		return n, w.err
	}
	return n, nil
}

// endless repeats its data forever and counts the bytes.
type endless struct {
	data []byte
	n    int64
}

func (e *endless) Read(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		n += copy(b[n:], e.data[int(e.n+int64(n))%len(e.data):])
	}
	e.n += int64(n)
	return n, nil
}

// TestWriteErrors checks that an error of the writer ends a conversion whose input
// does not end.
func TestWriteErrors(t *testing.T) {
	full := errors.New("disk full")
	json, msgpack := records(t, 100)
	for _, c := range []struct {
		conversion
		data []byte
	}{{jsonToMsgpack, json}, {msgpackToJSON, msgpack}} {
		for _, room := range []int{0, 1, 1000, 1 << 20} {
			stats, err := c.stream(&failingWriter{room, full}, &endless{data: c.data}, nil)
			if err != full || stats.BytesOut != int64(room) {
				t.Errorf("%s with room for %d: %+v, %v, want %v", c.name, room, stats, err, full)
			}
		}
		if _, err := c.stream(&failingWriter{10, nil}, &endless{data: c.data}, nil); err != io.ErrShortWrite {
			t.Errorf("%s: short write: %v", c.name, err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestReaderWithoutProgress(t *testing.T) {
	_, err := ToJSON(io.Discard, readerFunc(func([]byte) (int, error) { return 0, nil }), nil)
	if err != io.ErrNoProgress {
		t.Errorf("got %v, want %v", err, io.ErrNoProgress)
	}
}

// TestInvalidCounts checks that invalid counts from readers and writers are
// errors.
func TestInvalidCounts(t *testing.T) {
	for _, n := range []int{-1, 1 << 30} {
		r := readerFunc(func([]byte) (int, error) { return n, nil })
		if _, err := ToMsgpack(io.Discard, r, nil); err != errReadCount {
			t.Errorf("reader returns %d: %v, want %v", n, err, errReadCount)
		}
		for _, r := range []io.Reader{strings.NewReader("[1]"), io.MultiReader(strings.NewReader("[1]"))} {
			stats, err := ToMsgpack(writerFunc(func([]byte) (int, error) { return n, nil }), r, nil)
			if err != errWriteCount || stats.BytesOut != 0 {
				t.Errorf("writer returns %d: %+v, %v, want %v", n, stats, err, errWriteCount)
			}
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestInteractive checks that values are written while the reader waits for
// more, and that all goroutines end with the conversion; synctest fails
// otherwise.
func TestInteractive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, feed := io.Pipe()
		answers, out := io.Pipe()
		done := make(chan error)
		go func() {
			_, err := ToMsgpack(out, in, nil)
			done <- err
		}()
		for i := range 20 {
			fmt.Fprintf(feed, `[%d]`, i)
			got := make([]byte, 2)
			if _, err := io.ReadFull(answers, got); err != nil || got[0] != 0x91 || got[1] != byte(i) {
				t.Fatalf("answer %d is %x, %v", i, got, err)
			}
		}
		broken := errors.New("broken")
		feed.CloseWithError(broken)
		if err := <-done; err != broken {
			t.Errorf("got %v, want %v", err, broken)
		}
	})
}

// TestInteractiveFault checks that an error in the input ends the conversion
// without another Read.
func TestInteractiveFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, feed := io.Pipe()
		go fmt.Fprint(feed, `[1][x]`)
		var out bytes.Buffer
		stats, err := ToMsgpack(&out, in, nil)
		fault{err: ErrSyntax, offset: 4, value: 1, path: "[0]"}.check(t, err)
		if stats.Values != 1 || out.String() != "\x91\x01" {
			t.Errorf("%+v, %x", stats, out.Bytes())
		}
	})
}

// TestPanickingReader checks that a panic of the reader reaches the caller and
// leaves no goroutine behind.
func TestPanickingReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func() {
			if p := recover(); p != "no" {
				t.Errorf("recovered %v", p)
			}
		}()
		ToMsgpack(io.Discard, readerFunc(func([]byte) (int, error) { panic("no") }), nil)
	})
}

// TestGoroutinesEnd checks that a conversion leaves no goroutine behind after success
// and after errors of the input or the writer; synctest fails otherwise.
func TestGoroutinesEnd(t *testing.T) {
	for name, input := range map[string]string{"success": "1 2 3", "fault": "1 2 x 3"} {
		for _, reader := range []func() io.Reader{
			func() io.Reader { return strings.NewReader(input) }, // is read at once
			func() io.Reader { return io.MultiReader(strings.NewReader(input)) },
		} {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				_, err := ToMsgpack(&out, reader(), nil)
				if (err != nil) != (name == "fault") || out.Len() < 2 {
					t.Errorf("%s: %x, %v", name, out.Bytes(), err)
				}
			})
			synctest.Test(t, func(t *testing.T) {
				if _, err := ToMsgpack(&failingWriter{0, io.ErrClosedPipe}, reader(), nil); err != io.ErrClosedPipe {
					t.Errorf("%s: failing writer: %v", name, err)
				}
			})
		}
	}
}

// TestMaxValueOfStream checks that MaxValue stops the conversion of an endless
// value.
func TestMaxValueOfStream(t *testing.T) {
	const most = 1 << 20
	for _, c := range []struct {
		conversion
		name  string
		start string
		data  string
	}{
		{jsonToMsgpack, "string", `1 "`, "x"},
		{jsonToMsgpack, "array", `1 [1`, ",1"},
		{jsonToMsgpack, "number", "1 7", "7"},
		{msgpackToJSON, "str 32", "\x01\x02\xdb\xff\xff\xff\xff", "x"},
		{msgpackToJSON, "array 32", "\x01\x02\xdd\xff\xff\xff\xff", "\x01"},
		{msgpackToJSON, "nested arrays", "\x01\x02\x91", "\x91"},
	} {
		e := &endless{data: []byte(c.data)}
		_, err := c.stream(io.Discard, io.MultiReader(strings.NewReader(c.start), e), &Options{MaxValue: most})
		want := fault{err: ErrLimit, offset: 2, value: 1}
		if c.start[0] == 1 {
			want.value = 2
		}
		want.check(t, err)
		if e.n > 4*most {
			t.Errorf("%s: %d bytes were read for a limit of %d", c.name, e.n, most)
		}
	}
}

// TestMaxValueOfNumber checks that a number without white space after it is too large at
// once exactly if it is so in parts, whatever follows it.
func TestMaxValueOfNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, text := range []string{"1000\"00000", "1000\"0\"", "1000[0,0,0]", "1000[", "1000,1000", "1000]1", "1000 \"000000", "1000\"000", "true\"false\""} {
		for most := 1; most <= 12; most++ {
			for range 20 {
				checkStream(t, jsonToMsgpack, []byte(text), Options{MaxValue: most}, rng)
			}
		}
	}
}

// TestEndlessGarbage checks that the conversion of endless invalid input stops,
// even without MaxValue.
func TestEndlessGarbage(t *testing.T) {
	for _, tt := range []struct {
		conversion
		data string
		err  error
	}{
		{jsonToMsgpack, "[", ErrDepth},
		{jsonToMsgpack, ",", ErrSyntax},
		{jsonToMsgpack, "}", ErrSyntax},
		{jsonToMsgpack, "x ", ErrSyntax},
		{msgpackToJSON, "\xc1", wire.ErrReserved},
	} {
		if _, err := tt.stream(io.Discard, &endless{data: []byte(tt.data)}, nil); !errors.Is(err, tt.err) {
			t.Errorf("%s of %q: %v, want %v", tt.name, tt.data, err, tt.err)
		}
	}
}

// TestStreamMemory checks that memory does not depend on the length of the
// stream: the total allocation is less than half of the input.
func TestStreamMemory(t *testing.T) {
	json, msgpack := records(t, 1000)
	size := 64 << 20
	if heaptest.Race {
		size /= 8 // finds races, but proves nothing about memory
	}
	for _, c := range []struct {
		conversion
		data []byte
	}{{jsonToMsgpack, json}, {msgpackToJSON, msgpack}} {
		long := make([]io.Reader, size/len(c.data))
		for i := range long {
			long[i] = bytes.NewReader(c.data)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		stats, err := c.stream(io.Discard, io.MultiReader(long...), nil)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err != nil || got > 32<<20 {
			t.Errorf("%s: %d bytes allocated for %d of input, %v", c.name, got, stats.BytesIn, err)
		}
	}
}
