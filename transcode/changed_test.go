package transcode

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// TestChanged checks Stats.Changed, the number of values that JSON has no form for,
// with values of each kind, alone and in keys.
func TestChanged(t *testing.T) {
	for _, c := range []struct {
		name, hex string
		want      Changed
	}{
		{"nothing", "93 01 a1 61 cb 3f f8 00 00 00 00 00 00", Changed{}},
		{"one of each", "95 c4 01 ff d6 ff 00 00 00 01 d4 05 00 ca 3f 80 00 00 81 05 06", Changed{1, 1, 1, 1, 1}},
		{"two values", "c4 00 c4 00", Changed{Bins: 2}},
		{"bin as a key", "81 c4 01 ff c4 00", Changed{Bins: 1, Keys: 1}},
		{"array of bins as a key", "81 92 c4 00 c4 00 01", Changed{Keys: 1}},
		{"other ext", "d4 05 00", Changed{Exts: 1}},
		{"timestamp outside RFC 3339", "c7 0c ff 00 00 00 00 7f ff ff ff ff ff ff ff", Changed{Exts: 1}},
		{"ext as a key", "81 d4 05 00 01", Changed{Keys: 1}},
		{"before an error", "c4 00 92 c4 00 c1", Changed{Bins: 1}},
	} {
		stats, err := ToJSON(io.Discard, bytes.NewReader(unhex(t, c.hex)), nil)
		if _, bad := errors.AsType[*Error](err); err != nil && !bad || stats.Changed != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, stats.Changed, err, c.want)
		}
		stats, _ = ToJSON(io.Discard, bytes.NewReader(unhex(t, c.hex)), &reversible)
		if stats.Changed != (Changed{}) {
			t.Errorf("%s, reversible: %+v", c.name, stats.Changed)
		}
	}
}
