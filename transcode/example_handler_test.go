//go:build !js

package transcode_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/octet-go/octet/transcode"
)

// The values of a request of any length become those of the response while they arrive.
func ExampleToMsgpack_handler() {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.msgpack")
		if _, err := transcode.ToMsgpack(w, r.Body, nil); err != nil {
			panic(http.ErrAbortHandler) // the client must see that the response is not complete
		}
	}
	server := httptest.NewServer(http.HandlerFunc(handler))
	defer server.Close()

	body := io.MultiReader(strings.NewReader(strings.Repeat("1\n", 1_000_000))) // of unknown length
	resp, err := http.Post(server.URL, "application/x-ndjson", body)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	fmt.Println(n, err)
	// Output: 1000000 <nil>
}
