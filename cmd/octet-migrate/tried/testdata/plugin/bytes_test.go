//go:build go1.21

package tftypes

import (
	"math/big"
	"testing"
)

// TestExchange exchanges values of all types, also those that are null or not yet known.
func TestExchange(t *testing.T) {
	large, _, err := big.ParseFloat("1234567890123456789012345678901234567890", 10, 512, big.ToNearestEven)
	if err != nil {
		t.Fatal(err)
	}
	object := Object{AttributeTypes: map[string]Type{"name": String}}
	for name, v := range map[string]Value{
		"string":  NewValue(String, "a"),
		"integer": NewValue(Number, -1<<40),
		"float":   NewValue(Number, 1.25),
		"large":   NewValue(Number, large),
		"bool":    NewValue(Bool, true),
		"null":    NewValue(String, nil),
		"unknown": NewValue(String, UnknownValue),
		"list":    NewValue(List{ElementType: Bool}, []Value{NewValue(Bool, true), NewValue(Bool, UnknownValue)}),
		"set":     NewValue(Set{ElementType: String}, []Value{NewValue(String, "s")}),
		"map":     NewValue(Map{ElementType: Number}, map[string]Value{"k": NewValue(Number, 300)}),
		"tuple":   NewValue(Tuple{ElementTypes: []Type{String, Bool}}, []Value{NewValue(String, nil), NewValue(Bool, false)}),
		"object":  NewValue(object, map[string]Value{"name": NewValue(String, "n")}),
	} {
		for form, typ := range map[string]Type{"": v.Type(), ".dynamic": DynamicPseudoType} {
			exchange(t, name+form, v.String(), func(string) ([]byte, error) { return v.MarshalMsgPack(typ) }, func(b []byte) (string, error) {
				got, err := ValueFromMsgPack(b, typ)
				return got.String(), err
			})
		}
	}
}
