package httpmsgpack_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// readTruncated reads a body that ends inside a value and returns the error.
func readTruncated() error {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("\x92\x01"))
	r.Header.Set("Content-Type", "application/vnd.msgpack")
	var numbers []int
	return httpmsgpack.Read(httptest.NewRecorder(), r, &numbers)
}

func ExampleError_Error() {
	var e *httpmsgpack.Error
	if errors.As(readTruncated(), &e) {
		fmt.Println(e.Status, e.Error())
	}
	// Output: 400 httpmsgpack: msgpack: unmarshal at offset 0: found fixarray of 2 elements: truncated input
}

func ExampleError_Unwrap() {
	fmt.Println(errors.Is(readTruncated(), msgpack.ErrTruncated))
	// Output: true
}
