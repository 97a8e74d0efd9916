package sniff

import "testing"

// TestShortCBOR checks short CBOR maps, and MessagePack that begins like one.
func TestShortCBOR(t *testing.T) {
	for data, want := range map[string]string{
		"\xa1\x61a\x01":                  "CBOR",
		"\xa2\x61a\x01\x61b\x82\x02\x03": "CBOR",
		"\x83\x01\x02\x03\x63abc":        "CBOR",
		"\x81\xa1a\x01\x05":              "",
		"\x82\x01\x02\x03\x04\x05":       "",
		"\xa1a":                          "",
		"\xa1a\xa1b":                     "",
		"\xa1a\x01\x02":                  "",
		"\xa3abc\x01":                    "",
		"\xa2id\xcd\x03\xe8":             "",
	} {
		if got := ForeignByBytes([]byte(data), true).Name; got != want {
			t.Errorf("%x: %q, want %q", data, got, want)
		}
	}
}
