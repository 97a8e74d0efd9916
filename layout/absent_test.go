package layout_test

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// TestAbsentFieldWithValue verifies that the error names the field that has a value
// although the struct around it is absent.
func TestAbsentFieldWithValue(t *testing.T) {
	type point struct {
		X, Y uint8
	}
	type inner struct {
		A uint8
		P point
	}
	v := &struct {
		F uint8
		P inner `layout:"if=F"`
	}{}
	v.P.P.Y = 3
	_, err := layout.Marshal(v)
	if err == nil || !strings.Contains(err.Error(), ".P.P.Y at offset 1: the field has a value, but if=F says that it is absent") {
		t.Error(err)
	}
}
