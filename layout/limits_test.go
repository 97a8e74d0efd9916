package layout

import (
	"errors"
	"testing"
)

// TestSignedLimits encodes every value of two signed bit fields with limits, which negative numbers never exceed.
func TestSignedLimits(t *testing.T) {
	for a := -40; a <= 40; a++ {
		for _, b := range []int{-1025, -1024, -1, 0, 1, 1023, 1024} {
			v := listSignedLimit{int8(a), int16(b)}
			data, err := Marshal(&v)
			want := error(nil)
			switch {
			case a > 9:
				want = ErrLimit
			case a < -16 || b < -1024 || b > 1023: // the limit of B is beyond its bits
				want = ErrRange
			}
			var got listSignedLimit
			switch {
			case !errors.Is(err, want):
				t.Errorf("%d, %d: %v, want %v", a, b, err, want)
			case want == nil && (Unmarshal(data, &got) != nil || got != v):
				t.Errorf("%d, %d: % x was decoded as %v", a, b, data, got)
			}
		}
	}
}
