package inspect

import (
	"encoding/hex"
	"io"
	"strings"
	"testing"
)

// TestEqualKeys checks which keys are duplicates. Lint must agree.
func TestEqualKeys(t *testing.T) {
	for _, c := range []struct {
		name, keys string
		equal      bool
	}{
		{"str and bin", "a161 c40161", true},
		{"str of two widths", "a161 d90161", true},
		{"other bytes", "a161 c40162", false},
		{"int and uint", "05 cd0005", true},
		{"float32 and float64", "ca3fc00000 cb3ff8000000000000", true},
		{"0 and -0", "ca00000000 cb8000000000000000", true},
		{"int and float", "01 ca3f800000", false},
		{"ext of two types", "d40101 d40201", false},
	} {
		a, b, _ := strings.Cut(c.keys, " ")
		message, err := hex.DecodeString("82" + a + "c0" + b + "c0")
		if err != nil {
			t.Fatal(err)
		}
		result, err := Run(io.Discard, strings.NewReader(string(message)), 0, all)
		if err != nil || (result.Findings == 1) != c.equal {
			t.Errorf("%s: %d findings, %v, want equal %v", c.name, result.Findings, err, c.equal)
		}
	}
}
