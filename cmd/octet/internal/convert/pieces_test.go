package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
)

// randomJSON returns about size bytes of JSON values, some larger than a piece.
func randomJSON(r *rand.Rand, size int) []byte {
	var b bytes.Buffer
	for b.Len() < size {
		switch r.IntN(8) {
		case 0:
			fmt.Fprintf(&b, "%d ", r.Uint64())
		case 1:
			fmt.Fprintf(&b, "%q", strings.Repeat("é\"\\{", r.IntN(20)))
		case 2:
			b.WriteString([]string{"null\n", "true ", " \n\r\n", "[]", "{}"}[r.IntN(5)])
		case 3:
			if r.IntN(40) == 0 {
				fmt.Fprintf(&b, "[%s1]\n", strings.Repeat("[1, \"]\\\"\"],\n", r.IntN(1<<17)))
			}
		default:
			fmt.Fprintf(&b, "{\"id\": %d, \"t\": %q, \"l\": [1, 2.5, {\"x\": \"\\u00e9}\"}]}\n", r.IntN(1000), strings.Repeat("x", r.IntN(300)))
		}
	}
	return b.Bytes()
}

// randomMsgpack does the same in MessagePack, with formats that are not the
// shortest.
func randomMsgpack(r *rand.Rand, size int) []byte {
	var b []byte
	for len(b) < size {
		switch r.IntN(6) {
		case 0:
			b = append(b, 0xcf, 0, 0, 0, 0, 0, 0, 0, byte(r.Uint32()))
		case 1:
			b = wire.AppendBin(b, bytes.Repeat([]byte{0xc1}, r.IntN(2000)))
		case 2:
			if r.IntN(60) == 0 {
				b = wire.AppendString(b, strings.Repeat("y", r.IntN(3<<20)))
			}
		case 3:
			b = append(b, 0xdc, 0, 2, 0xd0, 5, 0xd6, 0xff, 0, 0, 0, byte(r.Uint32()))
		default:
			b = wire.AppendMapHeader(b, 2)
			b = wire.AppendUint(wire.AppendString(b, "id"), r.Uint64()>>r.IntN(64))
			b = wire.AppendString(wire.AppendString(b, "text"), strings.Repeat("z", r.IntN(300)))
		}
	}
	return b
}

// TestPieces compares the conversion in pieces with the one in a single pass, for
// valid input, and for input with a changed byte or a missing end.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	rounds := 60
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		rounds = 30
	}
	for i := range rounds {
		for _, format := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
			make := map[sniff.Format]func(*rand.Rand, int) []byte{sniff.JSON: randomJSON, sniff.MessagePack: randomMsgpack}[format]
			data := make(r, 1+r.IntN(1<<(6+i%16)))
			switch i % 3 {
			case 1:
				data[r.IntN(len(data))] = byte(r.Uint32())
			case 2:
				data = data[:r.IntN(len(data))]
			}
			o := Options{From: format, To: format, Pretty: format == sniff.JSON && i%2 == 0}
			var want, got bytes.Buffer
			good := 0
			wantResult, wantErr := o.pass(&want, bytes.NewReader(data), 0, func(int64) { good = want.Len() })
			want.Truncate(good) // what is written of a bad value depends on its size
			for _, in := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
				got.Reset()
				result, err := o.inPieces(&got, in, 1+i%3)
				same := bytes.Equal(got.Bytes(), want.Bytes()) || wantErr != nil && len(data) > largeValue && bytes.HasPrefix(got.Bytes(), want.Bytes())
				if !same || result != wantResult || fmt.Sprint(input.Brief(err)) != fmt.Sprint(input.Brief(wantErr)) {
					t.Fatalf("round %d, %v, %d bytes: %d bytes written, %+v, %v; want %d, %+v, %v",
						i, format, len(data), got.Len(), result, input.Brief(err), want.Len(), wantResult, input.Brief(wantErr))
				}
			}
		}
	}
}

// TestPiecesFail checks errors of the reader and the writer.
func TestPiecesFail(t *testing.T) {
	broken := errors.New("broken")
	for _, format := range []sniff.Format{sniff.JSON, sniff.MessagePack} {
		o := Options{From: format, To: format}
		one := map[sniff.Format]string{sniff.JSON: "[1]\n", sniff.MessagePack: "\x91\x01"}[format]
		data := strings.Repeat(one, 400_000)
		var out bytes.Buffer
		result, err := o.inPieces(&out, io.MultiReader(strings.NewReader(data), iotest.ErrReader(broken)), 2)
		if err != broken || out.String() != data || result.Values != 400_000 {
			t.Errorf("%v, broken reader: %d bytes, %+v, %v", format, out.Len(), result, err)
		}
		if _, err := o.inPieces(failing{broken}, strings.NewReader(data), 2); err != broken {
			t.Errorf("%v, broken writer: %v", format, err)
		}
		if _, err := o.inPieces(io.Discard, stuck{}, 2); err != io.ErrNoProgress {
			t.Errorf("%v, reader without data: %v", format, err)
		}
	}
	// A byte order mark inside the stream is an error, wherever a piece begins.
	if _, err := (Options{From: sniff.JSON, To: sniff.JSON}).inPieces(io.Discard, strings.NewReader("[1]\n\ufeff[2]\n"), 2); err == nil {
		t.Error("a byte order mark was skipped")
	}
}

type failing struct{ err error }

func (f failing) Write(p []byte) (int, error) { return 0, f.err }

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }
