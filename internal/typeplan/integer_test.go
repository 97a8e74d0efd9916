package typeplan

import (
	"strconv"
	"testing"
)

// TestInteger compares the usual form of integers with that of strconv.
func TestInteger(t *testing.T) {
	for _, text := range []string{"", "-", "+", "0", "-0", "00", "-00", "7", "-7", "+7", "+-7", "-+7", "+0", "+007", "+9223372036854775807", "+9223372036854775808", "007", "-007", "1a", "a1", "- 1", "1.0", "--1", "１",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "-0009223372036854775808",
		"18446744073709551615", "18446744073709551616", "00018446744073709551615", "99999999999999999999", "184467440737095516150"} {
		want, valid := "", false
		if v, err := strconv.ParseInt(text, 10, 64); err == nil {
			want, valid = strconv.FormatInt(v, 10), true
		} else if v, err := strconv.ParseUint(text, 10, 64); err == nil {
			want, valid = strconv.FormatUint(v, 10), true
		}
		if got, ok := integer(text); ok != valid || got != want {
			t.Errorf("integer(%q) = %q, %v, want %q, %v", text, got, ok, want, valid)
		}
	}
}
