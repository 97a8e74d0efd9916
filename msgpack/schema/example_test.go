package schema_test

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// User is the type of the examples.
type User struct {
	Name string `msgpack:"name,required"`
	Age  uint8  `msgpack:"age,omitempty"`
}

func ExampleOf() {
	s, err := schema.Of[User](nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(s)
	// Output:
	// {
	//   "$schema": "https://json-schema.org/draft/2020-12/schema",
	//   "$ref": "#/$defs/User",
	//   "$defs": {
	//     "User": {
	//       "type": "object",
	//       "properties": {
	//         "name": {
	//           "type": "string",
	//           "msgpack": {
	//             "kind": "str"
	//           },
	//           "msgpack-field": {
	//             "required": true
	//           }
	//         },
	//         "age": {
	//           "type": "integer",
	//           "minimum": 0,
	//           "maximum": 255,
	//           "msgpack": {
	//             "kind": "uint",
	//             "bits": 8
	//           },
	//           "msgpack-field": {
	//             "omitempty": true
	//           }
	//         }
	//       },
	//       "required": [
	//         "name"
	//       ],
	//       "msgpack": {
	//         "kind": "struct"
	//       }
	//     }
	//   }
	// }
}

func ExampleOfType() {
	s, err := schema.OfType(reflect.TypeFor[map[string]bool](), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Root.Type, "from", s.Root.Type.Key.Type, "to", s.Root.Type.Elem.Type)
	// Output: map from str to bool
}

func ExampleParse() {
	s, err := schema.Parse([]byte(`{"type": "array", "items": {"msgpack": {"kind": "str"}}, "msgpack": {"kind": "array"}}`))
	fmt.Println(s.Root.Type, "of", s.Root.Type.Elem.Type, err)
	_, err = schema.Parse([]byte(`{"type": "array"}`))
	fmt.Println(err)
	// Output:
	// array of str <nil>
	// schema: invalid schema: / has no keyword "msgpack"
}

func ExampleSchema_String() {
	s, _ := schema.Of[bool](nil)
	fmt.Print(s)
	// Output:
	// {
	//   "$schema": "https://json-schema.org/draft/2020-12/schema",
	//   "type": "boolean",
	//   "msgpack": {
	//     "kind": "bool"
	//   }
	// }
}

func ExampleSchema_Compact() {
	s, _ := schema.Of[bool](nil)
	fmt.Printf("%s\n", s.Compact())
	// Output: {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"boolean","msgpack":{"kind":"bool"}}
}

func ExampleSchema_Check() {
	s, _ := schema.Of[[]User](nil)
	message, _ := msgpack.Marshal([]msgpack.Pairs{{{Key: "name", Value: "Ada"}}, {{Key: "name", Value: "Bob"}, {Key: "age", Value: 1000}}})
	fmt.Println(s.Check(message))
	// Output: schema: [1]["age"] at offset 25: found uint 16 1000, want uint of 8 bits: number out of range
}

func ExampleSchema_CheckPrefix() {
	s, _ := schema.Of[uint8](nil)
	fmt.Println(s.CheckPrefix([]byte{0xcc, 200, 1, 2}))
	// Output: 2 <nil>
}

func ExampleCompare() {
	type NewUser struct {
		FullName string `msgpack:"full_name,alias=name"`
		Age      int64  `msgpack:"age"`
		Email    string `msgpack:"email"`
	}
	old, _ := schema.Of[User](nil)
	new, _ := schema.Of[NewUser](nil)
	for _, c := range schema.Compare(old, new) {
		fmt.Println(c)
	}
	// Output:
	// full_name: required became always written (new reader: nothing, old reader: nothing)
	// full_name: renamed from "name", which old readers expect (new reader: nothing, old reader fails)
	// age: uint of 8 bits became int of 64 bits (new reader: nothing, old reader fails)
	// age: omitted if empty became always written (new reader: nothing, old reader: nothing)
	// email: field was added (new reader: nothing, old reader ignores)
}

func ExampleBreaking() {
	type NewUser struct {
		Name  string `msgpack:"name,required"`
		Years uint8  `msgpack:"years"`
	}
	old, _ := schema.Of[User](nil)
	new, _ := schema.Of[NewUser](nil)
	for _, c := range schema.Breaking(schema.Compare(old, new)) {
		fmt.Println(c)
	}
	// Output: age: field was removed (new reader loses, old reader: nothing)
}

func ExampleChange_Breaking() {
	fmt.Println(schema.Change{NewReader: schema.Fails}.Breaking(), schema.Change{OldReader: schema.Ignores}.Breaking())
	// Output: true false
}

func ExampleChange_String() {
	fmt.Println(schema.Change{Path: "users[].age", Text: "field was added", OldReader: schema.Ignores})
	// Output: users[].age: field was added (new reader: nothing, old reader ignores)
}

func ExampleEffect_String() {
	fmt.Println(schema.Nothing, schema.Loses)
	// Output: nothing loses
}

func ExampleEffect_MarshalText() {
	text, err := schema.Fails.MarshalText()
	fmt.Printf("%s %v\n", text, err)
	// Output: fails <nil>
}

func ExampleError_Error() {
	err := &schema.Error{Offset: 41, Path: `["age"]`, Found: "str 8", Want: "int of 32 bits", Err: schema.ErrKind}
	fmt.Println(err)
	// Output: schema: ["age"] at offset 41: found str 8, want int of 32 bits: value does not follow the schema
}

func ExampleError_Unwrap() {
	s, _ := schema.Of[User](nil)
	err := s.Check([]byte{0x80})
	fmt.Println(err)
	fmt.Println(strings.Contains(fmt.Sprint(err.(*schema.Error).Unwrap()), "keys"))
	// Output:
	// schema: at offset 0: found fixmap of 0 pairs, want key "name": keys do not follow the schema
	// true
}

func ExampleField_Optional() {
	s, _ := schema.Of[User](nil)
	for _, f := range s.Root.Type.Fields {
		fmt.Println(f.Name, f.Optional())
	}
	// Output:
	// name false
	// age true
}

func ExampleField_WritesNil() {
	type Node struct {
		Next *Node `msgpack:"next"`
		Prev *Node `msgpack:"prev,omitempty"`
	}
	s, _ := schema.Of[Node](nil)
	for _, f := range s.Root.Type.Fields {
		fmt.Println(f.Name, f.Nil, f.WritesNil())
	}
	// Output:
	// next true true
	// prev true false
}

func ExampleType_String() {
	s, _ := schema.Of[map[string][16]byte](nil)
	fmt.Println(s.Root.Type.Elem.Type)
	// Output: bin of 16 bytes
}
