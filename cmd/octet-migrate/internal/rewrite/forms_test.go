package rewrite

import (
	"fmt"
	"go/token"
	"go/types"
	"testing"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// TestPromotedNames gives a struct two ways to each of 60 embedded ones, so that there are 2⁶⁰ paths to the field of the
// last one. The name is found on the second.
func TestPromotedNames(t *testing.T) {
	field := func(name string, of types.Type, embedded bool) *types.Var {
		return types.NewField(token.NoPos, nil, name, of, embedded)
	}
	inner := types.NewStruct([]*types.Var{field("ID", types.Typ[types.Int], false)}, nil)
	for i := range 60 {
		var both []*types.Var
		for _, side := range []string{"A", "B"} {
			name := fmt.Sprint(side, i)
			both = append(both, field(name, types.NewNamed(types.NewTypeName(token.NoPos, nil, name, nil), inner, nil), true))
		}
		inner = types.NewStruct(both, nil)
	}
	if name := promotedName(table.Ugorji, inner); name != "ID" {
		t.Errorf("the name is %q", name)
	}
}
