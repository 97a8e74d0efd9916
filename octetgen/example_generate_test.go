//go:build !js && !wasip1

package octetgen_test

import (
	"bytes"
	"fmt"

	"github.com/octet-go/octet/octetgen"
)

func ExampleGenerate() {
	source, err := octetgen.Generate("internal/shapes", "Tree2")
	fmt.Println(bytes.Contains(source, []byte("func octetAppendTree2(")), err)
	// Output: true <nil>
}
