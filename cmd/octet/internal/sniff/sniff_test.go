package sniff

import (
	"strings"
	"testing"
)

func TestByName(t *testing.T) {
	for name, want := range map[string]Format{
		"a.json": JSON, "a.NDJSON": JSON, "dir.msgpack/a.jsonl": JSON,
		"a.msgpack": MessagePack, "a.mp": MessagePack, "a.mpk": MessagePack, "a.json.mpack": MessagePack,
		"a.txt": Unknown, "json": Unknown, "": Unknown, "-": Unknown,
	} {
		if got := ByName(name); got != want {
			t.Errorf("ByName(%q) = %v, want %v", name, got, want)
		}
	}
	if got := len(Endings(JSON)); got != 3 {
		t.Errorf("%d endings of JSON, want 3", got)
	}
}

func TestByBytes(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"nothing", "", Unknown},
		{"object", `{"a":1}`, JSON},
		{"array after white space", " \n\t[1]", JSON},
		{"byte order mark", "\ufeff{}", JSON},
		{"number", "12\n", JSON},
		{"literal", "true", JSON},
		{"half a literal", "nu", JSON},
		{"string with a character cut by the end of the sample", strings.Repeat(" ", Enough-2) + `"é`, JSON},
		{"white space", "\n\n", JSON},
		{"long text", "hello there", Text},
		{"text like a literal", "nil and void", Text},
		{"short text", "hello", MessagePack},
		{"fixmap", "\x81\xa1a\x01", MessagePack},
		{"fixint that is a brace, then a fixmap", "{\x81\xa1a\x01", MessagePack},
		{"fixint that is a digit, then nil", "1\xc0", MessagePack},
		{"small integers", "\x01\x02\x03", MessagePack},
		{"brace, then a control character", "{\x01", MessagePack},
		{"character that is not cut but broken", "[\xc3(", MessagePack},
		{"gzip", "\x1f\x8b\x08\x00", Gzip},
		{"zstd", "\x28\xb5\x2f\xfd\x04", Zstandard},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ByBytes([]byte(c.head)); got != c.want {
				t.Errorf("ByBytes(%q) = %v, want %v", c.head, got, c.want)
			}
		})
	}
}
