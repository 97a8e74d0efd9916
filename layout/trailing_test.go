package layout

import "testing"

// TestTrailingText checks the number of bytes in the error.
func TestTrailingText(t *testing.T) {
	type message struct{ A uint8 }
	for data, want := range map[string]string{
		"\x01\x02":     "layout: message at offset 1: 1 byte follows the message",
		"\x01\x02\x03": "layout: message at offset 1: 2 bytes follow the message",
	} {
		if err := Unmarshal([]byte(data), new(message)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
