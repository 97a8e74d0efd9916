package errtext

import "testing"

func TestCounted(t *testing.T) {
	if got := Counted(0, "byte") + Counted(int64(-1), "byte") + Counted(uint64(1), "byte") + Counted(uint32(1<<32-1), "more byte"); got != "0 bytes-1 bytes1 byte4294967295 more bytes" {
		t.Error(got)
	}
}
