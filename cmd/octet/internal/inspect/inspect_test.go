package inspect

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/rivo/uniseg"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// all prints everything on lines of 100 columns without colors.
var all = Options{All: true, Depth: -1, Limit: -1, Width: 100, Palette: console.NewPalette(false)}

// random appends a random value with at most depth nested containers.
func random(dst []byte, r *rand.Rand, depth int) []byte {
	kinds := 10
	if depth == 0 {
		kinds = 8
	}
	switch r.IntN(kinds) {
	case 0:
		return wire.AppendNil(dst)
	case 1:
		return wire.AppendBool(dst, r.IntN(2) == 0)
	case 2:
		return wire.AppendInt(dst, int64(r.Uint64())>>r.IntN(64))
	case 3:
		return wire.AppendFloat64(dst, r.NormFloat64())
	case 4:
		return wire.AppendString(dst, strings.Repeat("aé€𝄞\n"[:r.IntN(11)], r.IntN(40)))
	case 5:
		return wire.AppendBin(dst, make([]byte, r.IntN(300)))
	case 6:
		return wire.AppendExt(dst, int8(r.IntN(256)-128), make([]byte, r.IntN(20)))
	case 7:
		return wire.AppendTimestamp(dst, int64(r.Uint64())>>r.IntN(64), uint32(r.IntN(1e9)))
	case 8:
		n := r.IntN(20)
		dst = wire.AppendArrayHeader(dst, uint32(n))
		for range n {
			dst = random(dst, r, depth-1)
		}
		return dst
	default:
		n := r.IntN(20)
		dst = wire.AppendMapHeader(dst, uint32(n))
		for range 2 * n {
			dst = random(dst, r, depth-1)
		}
		return dst
	}
}

// TestLinesAreTheInput checks that the bytes of all JSON objects together equal
// the input. It compares the lengths with wire.Skip.
func TestLinesAreTheInput(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 0))
		var input []byte
		for range 10 {
			input = random(input, r, 4)
		}
		var out bytes.Buffer
		o := all
		o.JSON = true
		result, err := Run(&out, iotest.HalfReader(bytes.NewReader(input)), 0, o)
		if err != nil || result.Values != 10 {
			t.Fatalf("seed %d: %+v, %v", seed, result, err)
		}
		var got []byte
		for line := range strings.Lines(out.String()) {
			var v object
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatal(err)
			}
			if v.Offset != int64(len(got)) || v.Length == nil {
				t.Fatalf("seed %d: after %d bytes: %s", seed, len(got), line)
			}
			if n, err := wire.Skip(input[v.Offset:], wire.MaxDepth); err != wire.ErrTimestamp && (err != nil || int64(n) != *v.Length) {
				t.Fatalf("seed %d: wire.Skip returned %d, %v: %s", seed, n, err, line)
			}
			part, err := hex.DecodeString(v.Hex)
			if err != nil || v.Elided != 0 {
				t.Fatalf("seed %d: %v: %s", seed, err, line)
			}
			got = append(got, part...)
		}
		if !bytes.Equal(got, input) {
			t.Fatalf("seed %d: the lines contain\n%x, the input is\n%x", seed, got, input)
		}
	}
}

// TestWidth prints trees for terminals of many widths and checks that no line
// is wider than the terminal.
func TestWidth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	input := wire.AppendArrayHeader(nil, 200)
	for range 200 {
		input = random(input, r, 2)
	}
	for width := 54; width < 250; width += 7 {
		o := all
		o.Width = width
		var out strings.Builder
		if _, err := Run(&out, bytes.NewReader(input), 0, o); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if width >= narrowWidth && (strings.Contains(line, "←") || strings.Contains(line, "ext") || strings.Contains(line, "not shown")) {
				continue // there, findings and the meanings of exts are never truncated
			}
			if got := uniseg.StringWidth(strings.TrimSuffix(line, "\n")); got > width {
				t.Errorf("width %d: %d columns: %s", width, got, line)
			}
		}
	}
}

// TestLookahead checks that the length of a container is shown if all its
// values fit into the lookahead, and is unknown otherwise. All lines must
// appear in both cases.
func TestLookahead(t *testing.T) {
	for _, c := range []struct {
		count uint32
		known bool
	}{{lookahead - 2, true}, {lookahead, false}, {3 * lookahead, false}} {
		input := wire.AppendArrayHeader(nil, c.count)
		input = append(input, make([]byte, c.count)...)
		var out strings.Builder
		if _, err := Run(&out, bytes.NewReader(input), 0, all); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		if known := !strings.Contains(lines[1], "?"); known != c.known {
			t.Errorf("%d values: length known %v, want %v: %s", c.count, known, c.known, lines[1])
		}
		if got := len(lines) - 3; got != int(c.count) {
			t.Errorf("%d values: %d lines", c.count, got)
		}
	}
}

// TestSlowInput checks that a value is shown when it is complete, before the
// next one arrives.
func TestSlowInput(t *testing.T) {
	in, feed := io.Pipe()
	shown, out := io.Pipe()
	go func() {
		Run(out, in, 0, all)
		out.Close()
	}()
	lines := make([]byte, 1000)
	for _, v := range []string{"\x2a", "\x92\xc0\xc0", "\xa1a"} {
		go feed.Write([]byte(v)) // nothing more follows until the lines have arrived
		for got := ""; !strings.Contains(got, map[string]string{"\x2a": " 42\n", "\x92\xc0\xc0": "[1] nil\n", "\xa1a": "\"a\"\n"}[v]); {
			n, err := shown.Read(lines)
			if err != nil {
				t.Fatal(err)
			}
			got += string(lines[:n])
		}
	}
	feed.Close()
}

func TestFaultAfterAll(t *testing.T) {
	input := append(wire.AppendString([]byte{0x93, 0x01}, "two"), 0xc1)
	for _, asJSON := range []bool{false, true} {
		o := all
		o.JSON = asJSON
		var out strings.Builder
		_, err := Run(&out, bytes.NewReader(input), 100, o)
		var fault *scan.Fault
		if !errors.As(err, &fault) || fault.Offset != 106 || fault.Path != "[2]" {
			t.Errorf("%v", err)
		}
		if !strings.Contains(out.String(), "two") {
			t.Errorf("the values before the fault are not shown: %s", &out)
		}
	}
}

// TestElision checks that every byte is either shown or counted.
func TestElision(t *testing.T) {
	for _, s := range []string{"short", strings.Repeat("0123456789", 30), strings.Repeat("é", 100), strings.Repeat("世界", 50), strings.Repeat("\x00", 60), strings.Repeat("\xff", 60)} {
		for _, kept := range []int{len(s), len(s) / 2, min(len(s), 17)} {
			for room := minRoom; room < 120; room++ {
				rest := int64(len(s) - kept)
				shown, left := quote([]byte(s[:kept]), rest, room)
				note := elided(left)
				if width := uniseg.StringWidth(shown) + len(" ") + len(note); note != "" && width > room || note == "" && uniseg.StringWidth(shown) > room {
					t.Errorf("room %d: %d columns: %s %s", room, width, shown, note)
				}
				if want := s[:len(s)-int(left)]; !strings.HasPrefix(unquote(t, shown), want) || len(unquote(t, shown)) != len(want) {
					t.Errorf("room %d, %d bytes left: %s", room, left, shown)
				}
				shown, left = ascii([]byte(s[:kept]), rest, room)
				if got := len(strings.Trim(shown, "…")) - 2 + int(left); got != len(s) {
					t.Errorf("room %d: %d bytes shown or counted, want %d: %s", room, got, len(s), shown)
				}
			}
		}
	}
}

func unquote(t *testing.T, s string) string {
	t.Helper()
	text, err := strconv.Unquote(strings.TrimSuffix(s, "…"))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return text
}

func TestFloat(t *testing.T) {
	for want, v := range map[string]any{
		"1.0": 1.0, "0.1": float32(0.1), "-0.0": math.Copysign(0, -1), "1e+21": 1e21, "100000000000000000000.0": 1e20,
		"1e-07": 1e-7, "0.000001": 1e-6, "3.4028235e+38": float32(3.4028235e38),
	} {
		if got := float(v); got != want {
			t.Errorf("float(%v) = %s, want %s", v, got, want)
		}
	}
}
