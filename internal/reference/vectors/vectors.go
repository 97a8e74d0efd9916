// Package vectors compares the results of a package for hostile input with a file. The tests of all platforms read the same file, so
// that results, texts of errors and offsets are the same on every platform.
//
// A file has the inputs and the results. The line
//
//	message 82a1610102
//
// defines an input by its bytes in hexadecimal. Its result, and those of changed inputs, follow:
//
//	message → {"a": 1}
//	message[:2] → error at 2: truncated
//	message[1]^80 → …
//
// message[:2] is the first two bytes. In message[1]^80 the bits of 80 (hexadecimal) are inverted in the byte at index 1.
package vectors

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Variable is the environment variable that makes [Check] rewrite the file.
const Variable = "OCTET_UPDATE_VECTORS"

// An Input is a message, its name, and how many of its bytes are changed, one at a time. The name contains no space or bracket.
type Input struct {
	Name    string
	Bytes   []byte
	Changes int
}

// Check compares the result of every input in the file with the file. It calls result with the name of the message and its bytes. If
// [Variable] is 1, it first writes the file, with the results of each of inputs, of all prefixes and of some changes. Otherwise it
// only uses the number of inputs, which must be that of the file; their bytes may differ from run to run.
func Check(t *testing.T, file string, inputs []Input, result func(name string, b []byte) string) {
	t.Helper()
	if os.Getenv(Variable) == "1" {
		if err := os.WriteFile(file, []byte(write(inputs, result)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	bases, err := compare(string(text), result, t.Errorf)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if bases != len(inputs) {
		t.Errorf("%s has %d inputs, want %d: set %s=1 to write it", file, bases, len(inputs), Variable)
	}
}

// compare calls result for every line of the text and errorf for every difference. It returns the number of inputs.
func compare(text string, result func(name string, b []byte) string, errorf func(string, ...any)) (bases int, err error) {
	base := map[string][]byte{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		name, want, isResult := strings.Cut(lines.Text(), " → ")
		if !isResult {
			name, bytes, _ := strings.Cut(lines.Text(), " ")
			if base[name], err = hex.DecodeString(bytes); err != nil {
				return 0, fmt.Errorf("line %d: %w", n, err)
			}
			continue
		}
		message, _, _ := strings.Cut(name, "[")
		b, err := change(base, name)
		if err != nil {
			return 0, fmt.Errorf("line %d: %w", n, err)
		}
		if got := result(message, b); got != want {
			errorf("%s (%x):\n got %s\nwant %s", name, b, got, want)
		}
	}
	return len(base), lines.Err()
}

// change returns the bytes of an input by its name, such as message[:2].
func change(base map[string][]byte, name string) ([]byte, error) {
	name, edit, edited := strings.Cut(name, "[")
	b, ok := base[name]
	if !ok {
		return nil, fmt.Errorf("no input %q", name)
	} else if !edited {
		return b, nil
	}
	if digits, ok := strings.CutPrefix(edit, ":"); ok {
		n, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
		if err != nil || n < 0 || n > len(b) {
			return nil, fmt.Errorf("invalid prefix %q", edit)
		}
		return b[:n:n], nil
	}
	index, bits, _ := strings.Cut(edit, "]^")
	i, err := strconv.Atoi(index)
	x, err2 := strconv.ParseUint(bits, 16, 8)
	if err != nil || err2 != nil || i < 0 || i >= len(b) {
		return nil, fmt.Errorf("invalid change %q", edit)
	}
	b = append([]byte{}, b...)
	b[i] ^= byte(x)
	return b, nil
}

// write returns the content of the file.
func write(inputs []Input, result func(name string, b []byte) string) string {
	var out strings.Builder
	for _, in := range inputs {
		fmt.Fprintf(&out, "%s %x\n%s → %s\n", in.Name, in.Bytes, in.Name, result(in.Name, in.Bytes))
		for n := range in.Bytes {
			fmt.Fprintf(&out, "%s[:%d] → %s\n", in.Name, n, result(in.Name, in.Bytes[:n:n]))
		}
		r := rand.New(rand.NewPCG(uint64(len(in.Bytes)), 1))
		for k := range in.Changes {
			i, x := k%len(in.Bytes), byte(1)<<r.IntN(8)
			if r.IntN(4) == 0 {
				x = byte(1 + r.IntN(255))
			}
			b := append([]byte{}, in.Bytes...)
			b[i] ^= x
			fmt.Fprintf(&out, "%s[%d]^%02x → %s\n", in.Name, i, x, result(in.Name, b))
		}
	}
	return out.String()
}
