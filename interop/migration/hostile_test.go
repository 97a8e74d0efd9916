package migration

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/tinylib/msgp/msgp"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

type tree struct{ A *tree }

// readers decode a message into any, or skip it as the value of an unknown
// field.
var readers = map[string]func([]byte) error{
	"octet":               func(b []byte) error { return msgpack.Unmarshal(b, new(any)) },
	"octet, recursive":    func(b []byte) error { return msgpack.Unmarshal(b, new(tree)) },
	"octet, skip":         func(b []byte) error { return msgpack.Unmarshal(b, new(point)) },
	"shamaton":            func(b []byte) error { return shamaton.Unmarshal(b, new(any)) },
	"vmihailenco":         func(b []byte) error { return vmihailenco.Unmarshal(b, new(any)) },
	"ugorji":              func(b []byte) error { return ugorjiUnmarshal(b, new(any)) },
	"ugorji, skip":        func(b []byte) error { return ugorjiUnmarshal(b, new(point)) },
	"msgp":                func(b []byte) error { _, _, err := msgp.ReadIntfBytes(b); return err },
	"msgp, recursive":     func(b []byte) error { return msgpUnmarshal(b, new(generatedTree)) },
	"octet, stream":       func(b []byte) error { return msgpack.UnmarshalRead(bytes.NewReader(b), new(any)) },
	"shamaton, stream":    func(b []byte) error { return shamaton.UnmarshalRead(bytes.NewReader(b), new(any)) },
	"vmihailenco, stream": func(b []byte) error { return vmihailenco.NewDecoder(bytes.NewReader(b)).Decode(new(any)) },
	"ugorji, stream":      func(b []byte) error { return codec.NewDecoder(bytes.NewReader(b), ugorjiHandle()).Decode(new(any)) },
	"msgp, stream":        func(b []byte) error { _, err := msgp.NewReader(bytes.NewReader(b)).ReadIntf(); return err },
}

const deepEnv = "OCTET_MIGRATE_DEEP"

// deep returns a message of a million levels for the reader.
func deep(reader string) []byte {
	const levels = 1_000_000
	switch {
	case strings.HasSuffix(reader, ", recursive"):
		return []byte(strings.Repeat("\x81\xa1A", levels) + "\xc0")
	case strings.HasSuffix(reader, ", skip"):
		return []byte("\x81\xa1u" + strings.Repeat("\x91", levels) + "\xc0")
	}
	return []byte(strings.Repeat("\x91", levels) + "\xc0")
}

// TestDeep decodes a million levels with each reader in a separate process,
// because a stack overflow ends the process.
func TestDeep(t *testing.T) {
	if reader := os.Getenv(deepEnv); reader != "" {
		debug.SetMaxStack(64 << 20)
		if readers[reader](deep(reader)) == nil {
			t.Fatal("the reader returned no error")
		}
		return
	}
	overflows := map[string]bool{"shamaton": true, "shamaton, stream": true, "vmihailenco": true, "vmihailenco, stream": true, "ugorji, skip": true, "msgp, recursive": true}
	for reader := range readers {
		t.Run(reader, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestDeep$")
			cmd.Env = append(os.Environ(), deepEnv+"="+reader)
			out, err := cmd.CombinedOutput()
			if overflowed := err != nil && bytes.Contains(out, []byte("stack overflow")); overflowed != overflows[reader] || err != nil && !overflowed {
				t.Errorf("stack overflow: %v, want %v: %v\n%.500s", overflowed, overflows[reader], err, out)
			}
		})
	}
}

// TestFalseCounts decodes five bytes with a false count of a million elements,
// and eight kilobytes of nested arrays with false counts.
func TestFalseCounts(t *testing.T) {
	chain := make([]byte, 0, 8000)
	for len(chain)+5 <= cap(chain) {
		left := cap(chain) - len(chain) - 5
		chain = append(chain, 0xdd, 0, 0, byte(left>>8), byte(left))
	}
	const threshold = 5 << 20 // bytes allocated for a false count
	for _, c := range []struct {
		name      string
		data      []byte
		allocates map[string]bool // libraries that allocate 5 MiB or more
	}{
		{"count of a million", []byte{0xdd, 0, 0x0f, 0xff, 0xff}, map[string]bool{"shamaton, stream": true, "vmihailenco": true, "vmihailenco, stream": true, "msgp, stream": true}},
		{"nested false counts", chain, map[string]bool{
			"shamaton": true, "shamaton, stream": true, "vmihailenco": true, "vmihailenco, stream": true,
			"ugorji": true, "ugorji, stream": true, "msgp": true, "msgp, stream": true,
		}},
	} {
		for name, reader := range readers {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := reader(c.data)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; err == nil || used >= threshold != c.allocates[name] {
				t.Errorf("%s, %s: %d bytes allocated, %v", c.name, name, used, err)
			}
		}
	}
}
