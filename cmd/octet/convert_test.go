package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/msgpack/wire"
)

// octet runs the tool. None of its standard streams is a terminal.
func octet(stdin io.Reader, stdout io.Writer, args ...string) (stderr string, code failure.Code) {
	c, _, errs := consoletest.New("")
	c.Stdin, c.Stdout = stdin, stdout
	code = failure.Code(run(context.Background(), args, c))
	return errs.String(), code
}

// message returns one value that contains a value of every kind.
func message() []byte {
	b := wire.AppendMapHeader(nil, 3)
	b = wire.AppendString(b, "list")
	b = wire.AppendArrayHeader(b, 6)
	b = wire.AppendNil(b)
	b = wire.AppendBool(b, true)
	b = wire.AppendInt(b, -300)
	b = wire.AppendFloat64(b, 0.5)
	b = wire.AppendBin(b, []byte{1, 2, 3})
	b = wire.AppendTimestamp(b, 1e9, 1)
	b = wire.AppendString(b, "text")
	b = wire.AppendString(b, strings.Repeat("€", 40))
	b = wire.AppendInt(b, 7)
	return wire.AppendExt(b, 9, []byte{0xff})
}

// TestTruncations cuts a message at every offset. The tool must report each cut
// and leave the old output unchanged.
func TestTruncations(t *testing.T) {
	whole := message()
	for _, to := range []string{"json", "msgpack"} {
		t.Run("to "+to, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "out", "old")
			for cut := range len(whole) + 1 {
				write(t, "in.msgpack", string(whole[:cut]))
				stderr, code := octet(nil, nil, "convert", "-i", "in.msgpack", "-o", "out", "--to", to)
				if cut == len(whole) {
					if code != failure.OK || read(t, "out") == "old" {
						t.Errorf("complete message: exit %d, %s", code, stderr)
					}
					continue
				}
				if cut == 0 { // an empty file has no values
					if code != failure.OK || read(t, "out") != "" {
						t.Errorf("empty file: exit %d, %s", code, stderr)
					}
					write(t, "out", "old")
					continue
				}
				if code != failure.Data || !strings.HasPrefix(stderr, "octet: convert: in.msgpack: ") {
					t.Errorf("cut at %d: exit %d, %s", cut, code, stderr)
				}
				if read(t, "out") != "old" {
					t.Fatalf("cut at %d: the old output changed", cut)
				}
				wantFiles(t, "in.msgpack", "out")
				if to == "json" { // inspect is tried once
					continue
				}
				var stdout bytes.Buffer
				stderr, code = octet(bytes.NewReader(whole[:cut]), &stdout, "inspect", "--json")
				if code != failure.Data || stderr == "" {
					t.Errorf("inspect, cut at %d: exit %d, %s", cut, code, stderr)
				}
			}
		})
	}
}

// TestDeepNesting passes a million nested arrays or maps to each mode of the
// tool.
func TestDeepNesting(t *testing.T) {
	const depth = 1_000_000
	for _, c := range []struct {
		name, input string
		args        []string
	}{
		{"MessagePack to JSON", strings.Repeat("\x91", depth), []string{"convert", "--from=msgpack"}},
		{"MessagePack to MessagePack", strings.Repeat("\x91", depth), []string{"convert", "--from=msgpack", "--to=msgpack"}},
		{"JSON to MessagePack", strings.Repeat("[", depth), []string{"convert", "--from=json"}},
		{"JSON to JSON", strings.Repeat("[", depth), []string{"convert", "--from=json", "--to=json"}},
		{"inspect", strings.Repeat("\x91", depth), []string{"inspect"}},
		{"inspect --json", strings.Repeat("\x81", depth), []string{"inspect", "--json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stderr, code := octet(strings.NewReader(c.input), io.Discard, c.args...)
			if code != failure.Data || !strings.Contains(stderr, "offset 512 ") && !strings.Contains(stderr, "line 1, column 513 ") || !strings.Contains(stderr, "nested too deeply") {
				t.Errorf("exit %d, %s", code, stderr)
			}
			if first, _, _ := strings.Cut(stderr, "\n"); len(first) > 400 {
				t.Errorf("the message has %d bytes: %s", len(first), first)
			}
		})
	}
}

// TestMemory passes long inputs through the tool and measures the heap while
// the tool runs.
func TestMemory(t *testing.T) {
	const size, most = 16 << 20, 8 << 20
	line := []byte(`{"id":12345,"name":"somebody","tags":["a","b","c"],"score":1.25,"note":"` + strings.Repeat("x", 400) + "\"}\n")
	long := wire.AppendString(nil, strings.Repeat("x", 1000))
	huge := wire.AppendBinHeader(nil, size)
	// A few hundred thousand values show a leak as well as millions, which take a
	// minute.
	nested := append(append(wire.AppendArrayHeader(nil, 2), message()...), long...)
	bad := append([]byte("{\"a\":\n"), bytes.Repeat(line, 4)...)
	for _, c := range []struct {
		name       string
		head, body []byte
		args       []string
	}{
		{"JSON to MessagePack", nil, line, []string{"convert", "--from=json"}},
		{"MessagePack to JSON", nil, message(), []string{"convert", "--from=msgpack"}},
		{"JSON to JSON", nil, line, []string{"convert", "--from=json", "--to=json"}},
		{"one array of JSON to JSON", []byte("["), append(line[:len(line)-1:len(line)-1], ','), []string{"convert", "--from=json", "--to=json"}},
		{"MessagePack to MessagePack", nil, message(), []string{"convert", "--from=msgpack", "--to=msgpack"}},
		{"one bin to MessagePack", huge, make([]byte, 1<<20), []string{"convert", "--from=msgpack", "--to=msgpack"}},
		{"inspect one bin", huge, make([]byte, 1<<20), []string{"inspect", "--json"}},
		{"inspect one array", []byte{0xdd, 0xff, 0xff, 0xff, 0xff}, huge[:1], []string{"inspect", "--depth=0"}},
		{"inspect a part of one array", []byte{0xdd, 0xff, 0xff, 0xff, 0xff}, long, []string{"inspect"}},
		{"inspect all of one map with different keys", []byte{0xdf, 0xff, 0xff, 0xff, 0xff}, numbered(1 << 19), []string{"inspect", "--all"}},
		{"inspect --path", nil, message(), []string{"inspect", "--path", "list[5]"}},
		{"inspect --nested", nil, wire.AppendBin(nil, nested), []string{"inspect", "--nested"}},
		{"--skip-bad", nil, bad, []string{"convert", "--from=json", "--skip-bad"}},
		{"--skip-bad to JSON", nil, bad, []string{"convert", "--from=json", "--to=json", "--skip-bad"}},
		{"inspect many strings", nil, long, []string{"inspect"}},
		{"inspect a map of many strings", []byte{0xdf, 0xff, 0xff, 0xff, 0xff}, long, []string{"inspect", "--json"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("skipping in short mode: large inputs")
			}
			body := bytes.Repeat(c.body, 1+(1<<20)/len(c.body))
			meter := &heapMeter{left: size / len(body), body: body}
			before := heap()
			octet(io.MultiReader(bytes.NewReader(c.head), meter), io.Discard, c.args...)
			if meter.left > 0 {
				t.Fatalf("the tool stopped with %d MB unread", meter.left)
			}
			if meter.peak > before+most {
				t.Errorf("%d MiB on the heap, want at most %d", (meter.peak-before)>>20, most>>20)
			}
		})
	}
}

// numbered returns n pairs of a map with keys that differ.
func numbered(n int) (b []byte) {
	text := strings.Repeat("x", 60)
	for i := range n {
		b = wire.AppendString(wire.AppendUint(b, uint64(i)), text)
	}
	return b
}

// A heapMeter is a reader that repeats its body. It measures the heap after
// every eighth repetition.
type heapMeter struct {
	body []byte
	at   int
	left int
	peak uint64
}

func (m *heapMeter) Read(p []byte) (int, error) {
	if m.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, m.body[m.at:])
	if m.at += n; m.at == len(m.body) {
		m.at = 0
		m.left--
		if m.left%8 == 0 {
			m.peak = max(m.peak, heap())
		}
	}
	return n, nil
}

// heap returns the number of bytes that are in use on the heap.
func heap() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// TestInterrupted cancels a conversion whose input never ends.
func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "out.msgpack", "old")
	input, feed := io.Pipe()
	defer feed.Close()
	ctx, cancel := context.WithCancel(context.Background())
	c, _, stderr := consoletest.New("")
	c.Stdin = input
	done := make(chan int)
	go func() { done <- run(ctx, []string{"convert", "-o", "out.msgpack"}, c) }()
	fmt.Fprintln(feed, `{"a":1}`)
	fmt.Fprintln(feed, `{"a":2}`) // when this write returns, the tool has read the first value and created the output
	cancel()
	if code := <-done; code != 130 || !strings.HasPrefix(stderr.String(), "octet: convert: interrupted after ") || !strings.HasSuffix(stderr.String(), "; nothing was written to out.msgpack\n") {
		t.Errorf("exit %d, %s", code, stderr.String())
	}
	if read(t, "out.msgpack") != "old" {
		t.Error("the old output changed")
	}
	wantFiles(t, "out.msgpack")
}

// TestInterruptedWaiting cancels a command that waits for its first input.
func TestInterruptedWaiting(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, args := range [][]string{{"convert"}, {"inspect"}, {"inspect", "--offset=5"}} {
		input, feed := io.Pipe()
		c, _, stderr := consoletest.New("")
		c.Stdin = input
		if code := run(ctx, args, c); code != 130 || stderr.String() != "octet: "+args[0]+": interrupted\n" {
			t.Errorf("%v: exit %d, %s", args, code, stderr)
		}
		feed.Close()
	}
}

// TestBrokenStreams runs the tool with a reader that fails and with writers
// that fail.
func TestBrokenStreams(t *testing.T) {
	for _, command := range [][]string{{"convert", "--from=msgpack"}, {"convert", "--from=msgpack", "--to=msgpack"}, {"inspect"}} {
		t.Run(strings.Join(command, " "), func(t *testing.T) {
			broken := io.MultiReader(bytes.NewReader(message()), iotest.ErrReader(syscall.EIO))
			stderr, code := octet(broken, io.Discard, command...)
			if code != failure.Access || !strings.HasSuffix(stderr, ": standard input: input/output error\n") {
				t.Errorf("broken input: exit %d, %s", code, stderr)
			}
			stderr, code = octet(bytes.NewReader(message()), failing{syscall.ENOSPC}, command...)
			if code != failure.Access || !strings.HasSuffix(stderr, ": standard output: no space left on device\n") {
				t.Errorf("full output: exit %d, %s", code, stderr)
			}
			stderr, code = octet(bytes.NewReader(message()), failing{&fs.PathError{Op: "write", Path: "x", Err: syscall.EPIPE}}, command...)
			if code != failure.OK || stderr != "" {
				t.Errorf("closed pipe: exit %d, %s", code, stderr)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// TestStandardLibrary runs the first command of the README and converts the
// result back to JSON. The input is a recorded output of go list, and then the
// output of the installed go command.
func TestStandardLibrary(t *testing.T) {
	recorded, err := os.ReadFile("testdata/packages.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("recorded", func(t *testing.T) { roundTrip(t, recorded) })
	t.Run("installed", func(t *testing.T) { roundTrip(t, goList(t)) })
}

func roundTrip(t *testing.T, input []byte) {
	t.Chdir(t.TempDir())
	if stderr, code := octet(bytes.NewReader(input), nil, "convert", "-o", "std.msgpack"); code != failure.OK {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	var output bytes.Buffer
	if stderr, code := octet(nil, &output, "convert", "-i", "std.msgpack"); code != failure.OK {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	want, got := values(t, input), values(t, output.Bytes())
	if len(want) < 2 || !reflect.DeepEqual(got, want) {
		t.Errorf("round trip of %d values returned %d values, or different ones", len(want), len(got))
	}
	if stderr, code := octet(nil, io.Discard, "inspect", "std.msgpack"); code != failure.OK {
		t.Errorf("inspect: exit %d, %s", code, stderr)
	}
}

// values decodes all values of a JSON text. It keeps the digits of numbers.
func values(t *testing.T, text []byte) (list []any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// wantFiles fails if the directory contains any other file, such as a temporary
// file that was not removed.
func wantFiles(t *testing.T, names ...string) {
	t.Helper()
	got, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	hidden, _ := filepath.Glob(".*")
	if got = append(got, hidden...); !reflect.DeepEqual(got, names) {
		t.Errorf("files %q, want %q", got, names)
	}
}
