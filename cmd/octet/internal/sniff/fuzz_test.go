package sniff

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzByBytes calls every function that examines the first bytes of a file, and
// checks that their results are consistent.
func FuzzByBytes(f *testing.F) {
	for _, s := range []string{
		"", "{}", "\xef\xbb\xbf[1]", "\x81\xa1a\x01", "\x1f\x8b\x08\x00", "\x28\xb5\x2f\xfd", "\xff\xfe{\x00}\x00", "\x00\x00\x00{",
		"hello there", "PK\x03\x04", "\xd9\xd9\xf7\xa1\x61\x61\x01", "\x5d\x2a\x4d\x18\x00\x00\x00\x00\x01octet-rec", "bplist00", "Obj\x01",
		"00000000: 81a2\n", "000000 81 a2\n000002\n",
	} {
		f.Add([]byte(s), strings.HasPrefix(s, "h"))
	}
	f.Fuzz(func(t *testing.T, head []byte, whole bool) {
		format, encoding := ByBytes(head), EncodingByBytes(head)
		if IsJSON(head) && format != JSON {
			t.Errorf("% x is JSON and %v", head, format)
		}
		if c := Compression(head); c != Unknown && c != format {
			t.Errorf("% x is %v and %v", head, c, format)
		}
		if IsRecord(head) && Compression(head) != Zstandard {
			t.Errorf("% x is a record file, but does not begin with a skippable frame", head)
		}
		if IsRecordCut("a", head) && (IsRecord(head) || Compression(head) != Zstandard || !IsRecordCut("a.rec", head)) {
			t.Errorf("% x is the beginning of a record file, but not of its name, or of a skippable frame", head)
		}
		if IsHexDump(string(head)) && json.Valid(head) {
			t.Errorf("% x is a hex dump and JSON", head)
		}
		if encoding != (Encoding{}) && (encoding.Mark > len(head) || encoding.Unit < 1 || encoding.Unit > 4) {
			t.Errorf("% x: encoding %+v", head, encoding)
		}
		if as := EncodingOfJSON(head); as != encoding && (encoding != (Encoding{}) || len(head) != 2) {
			t.Errorf("% x: encoding %+v, and as JSON %+v", head, encoding, as)
		}
		if foreign := ForeignByBytes(head, whole); foreign != (Foreign{}) && foreign.Name == "" {
			t.Errorf("% x: format without a name: %+v", head, foreign)
		}
	})
}
