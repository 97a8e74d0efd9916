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
	if got := len(Extensions(JSON)); got != 3 {
		t.Errorf("%d extensions of JSON, want 3", got)
	}
}

func TestByBytes(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"empty", "", Unknown},
		{"object", `{"a":1}`, JSON},
		{"array after white space", " \n\t[1]", JSON},
		{"byte order mark", "\ufeff{}", JSON},
		{"number", "12\n", JSON},
		{"literal", "true", JSON},
		{"incomplete literal", "nu", JSON},
		{"string with a character cut by the end of the sample", strings.Repeat(" ", MaxHead-2) + `"é`, JSON},
		{"white space", "\n\n", JSON},
		{"long text", "hello there", Text},
		{"text like a literal", "nil and void", Text},
		{"short text", "hello", Text},
		{"short text with a line end", "hi\n", Text},
		{"text in Latin-1", "Voici un caf\xe9 au lait", Text},
		{"object with a byte that is not UTF-8", "{\"a\":\"x\xffy\",\"b\":1}", JSON},
		{"object in Latin-1", "{\"name\":\"caf\xe9\"}", JSON},
		{"object with a control character", "{\"a\":\"x\x01y\"}", JSON},
		{"object, indented, in Latin-1", "{\n  \"name\": \"caf\xe9\"\n}", JSON},
		{"array in Latin-1", "[\"\xe9t\xe9\"]", JSON},
		{"array of numbers with a control character", "[1, 2, \x00]", JSON},
		{"string in Latin-1", "\"\xe9t\xe9 2024\"", JSON},
		{"byte order mark, then Latin-1", "\ufeff{\"name\":\"caf\xe9\"}", JSON},
		{"number, then a control character", "12 34\x00", JSON},
		{"literal, then a control character", "true \x00", JSON},
		{"fixmap", "\x81\xa1a\x01", MessagePack},
		{"fixint equal to a brace, then a fixmap", "{\x81\xa1a\x01", MessagePack},
		{"fixint equal to a digit, then nil", "1\xc0", MessagePack},
		{"small integers", "\x01\x02\x03", MessagePack},
		{"integers that start with the digits", "0123456789:;<=>?@\x7f", MessagePack},
		{"integers that start with the letters", "abcdefghijklmnopqrstuvwxyz{|}~\x7f\xcc\x80", MessagePack},
		{"fixint equal to a letter, then a string", "a\xafsome characters", MessagePack},
		{"fixints equal to digits, then a string", "12\xa3abc", MessagePack},
		{"fixint equal to a bracket, then a string", "[\xafsome characters", MessagePack},
		{"fixint equal to a quote, then containers", "\"\x81\x01\xc0\x92\x02\x03", MessagePack},
		{"short strings", "\xa2hi\xa5there", MessagePack},
		{"true, then a short string", "\xc3\xa2hi", MessagePack},
		{"str 8, then a fixmap", "\xd9\x80" + strings.Repeat("x", 128) + "\x80", MessagePack},
		{"brace, then a control character", "{\x01", MessagePack},
		{"invalid character, not truncated", "[\xc3(", MessagePack},
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
