package exts

import (
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
)

// FuzzOf asks for the meaning of any ext. A timestamp has a value or a finding.
func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "\x00\x00\x00\x01", "\x00\x00\x00\x01\x00\x00\x00\x01", "\x3b\x9a\xca\x00\x00\x00\x00\x00\x00\x00\x00\x01", "0123456789abcdef"} {
		for _, typ := range []int8{-1, 0, 1, 2, 3, 4, 5, -2} {
			f.Add(typ, []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, typ int8, payload []byte) {
		m, finding := Of(typ, payload)
		if typ != wire.TimestampType {
			if finding != "" || m.Value != "" && m.Name == "" {
				t.Errorf("ext %d with % x: %+v, %q", typ, payload, m, finding)
			}
			return
		}
		_, _, err := wire.ParseTimestamp(payload)
		if (err == nil) != (finding == "") || (m.Value == "") != (finding != "") {
			t.Errorf("timestamp % x: %+v, %q, %v", payload, m, finding, err)
		}
	})
}
