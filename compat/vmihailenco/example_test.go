package msgpack_test

import (
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
)

// A program that uses the library needs no change.
func Example() {
	type User struct {
		Name string `msgpack:"name,alias:login"`
		Age  int64  `msgpack:"age"`
	}
	b, err := msgpack.Marshal(User{"Ada", 36})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("% x\n", b)
	var u User
	fmt.Println(msgpack.Unmarshal([]byte("\x81\xa5login\xa4Alan"), &u), u.Name)
	// Output:
	// 82 a4 6e 61 6d 65 a3 41 64 61 a3 61 67 65 d3 00 00 00 00 00 00 00 24
	// <nil> Alan
}
