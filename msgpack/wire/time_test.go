package wire

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"
)

func TestParseTimestamp(t *testing.T) {
	for _, c := range []struct {
		name string
		data string // hexadecimal
		sec  int64
		nsec uint32
		err  error
	}{
		{"32", "00000001", 1, 0, nil},
		{"32 greatest", "ffffffff", 4294967295, 0, nil},
		{"64", "00000004 00000002", 2, 1, nil},
		// 3b9ac9ff shifted by two bits is ee6b27fc. One more is ee6b2800.
		{"64 greatest", "ee6b27ff ffffffff", 17179869183, 999_999_999, nil},
		{"64 with too many nanoseconds", "ee6b2800 00000000", 0, 0, ErrTimestamp},
		{"64 with all bits", "ffffffff ffffffff", 0, 0, ErrTimestamp},
		{"96", "00000001 0000000000000002", 2, 1, nil},
		{"96 before 1970", "3b9ac9ff fffffffffffffffe", -2, 999_999_999, nil},
		{"96 with too many nanoseconds", "3b9aca00 0000000000000000", 0, 0, ErrTimestamp},
		{"96 with all bits", "ffffffff ffffffffffffffff", 0, 0, ErrTimestamp},
		{"empty", "", 0, 0, ErrTimestamp},
		{"3 bytes", "000000", 0, 0, ErrTimestamp},
		{"5 bytes", "0000000000", 0, 0, ErrTimestamp},
		{"7 bytes", "00000000000000", 0, 0, ErrTimestamp},
		{"9 bytes", "000000000000000000", 0, 0, ErrTimestamp},
		{"11 bytes", "0000000000000000000000", 0, 0, ErrTimestamp},
		{"13 bytes", "00000000000000000000000000", 0, 0, ErrTimestamp},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := hex.DecodeString(strings.ReplaceAll(c.data, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			sec, nsec, err := ParseTimestamp(data)
			if sec != c.sec || nsec != c.nsec || err != c.err {
				t.Errorf("got %d, %d, %v, want %d, %d, %v", sec, nsec, err, c.sec, c.nsec, c.err)
			}
			_, n, err := ConsumeTime(AppendExt(nil, TimestampType, data))
			if (n == 0) != (c.err != nil) || err != c.err {
				t.Errorf("ConsumeTime: got n = %d, %v, want %v", n, err, c.err)
			}
		})
	}
}

// TestAppendTimeZone checks that an instant has the same bytes in every time zone.
func TestAppendTimeZone(t *testing.T) {
	utc := time.Date(2026, time.January, 2, 3, 4, 5, 678, time.UTC)
	there := utc.In(time.FixedZone("", -9*3600-1800))
	if a, b := AppendTime(nil, utc), AppendTime(nil, there); string(a) != string(b) {
		t.Errorf("got % x in UTC, % x elsewhere", a, b)
	}
	got, _, err := ConsumeTime(AppendTime(nil, there))
	if err != nil || got != utc {
		t.Errorf("got %v, %v, want %v", got, err, utc)
	}
}
