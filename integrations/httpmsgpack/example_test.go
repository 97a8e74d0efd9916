package httpmsgpack_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

type Point struct {
	X int `json:"x" msgpack:"x"`
	Y int `json:"y" msgpack:"y"`
}

// double answers with the point of the request, doubled.
func double(w http.ResponseWriter, r *http.Request) {
	var p Point
	if err := httpmsgpack.Read(w, r, &p); err != nil {
		httpmsgpack.WriteError(w, r, err)
		return
	}
	if err := httpmsgpack.Write(w, r, http.StatusOK, Point{2 * p.X, 2 * p.Y}); err != nil {
		httpmsgpack.WriteError(w, r, err)
	}
}

func Example() {
	server := httptest.NewServer(http.HandlerFunc(double))
	defer server.Close()

	// A client that uses MessagePack.
	req, err := httpmsgpack.NewRequest(context.Background(), "POST", server.URL, Point{1, 2})
	if err != nil {
		panic(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	var p Point
	if err := httpmsgpack.ReadResponse(resp, &p); err != nil {
		panic(err)
	}
	fmt.Println(resp.Header.Get("Content-Type"), p)

	// A client that uses JSON.
	resp, err = http.Post(server.URL, "application/json", strings.NewReader(`{"x":10,"y":20}`))
	if err != nil {
		panic(err)
	}
	if err := httpmsgpack.ReadResponse(resp, &p); err != nil {
		panic(err)
	}
	fmt.Println(resp.Header.Get("Content-Type"), p)
	// Output:
	// application/vnd.msgpack {2 4}
	// application/json {20 40}
}

func ExampleRead() {
	handler := func(w http.ResponseWriter, r *http.Request) {
		var p Point
		fmt.Println(httpmsgpack.Read(w, r, &p), p)
	}
	r := httptest.NewRequest("POST", "/", bytes.NewReader([]byte("\x82\xa1x\x05\xa1y\x06")))
	r.Header.Set("Content-Type", "application/msgpack")
	handler(httptest.NewRecorder(), r)
	// Output: <nil> {5 6}
}

func ExampleWrite() {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "application/msgpack, application/json;q=0.5")
	w := httptest.NewRecorder()
	fmt.Println(httpmsgpack.Write(w, r, http.StatusOK, Point{5, 6}))
	fmt.Printf("%s %q\n", w.Header().Get("Content-Type"), w.Body)
	// Output:
	// <nil>
	// application/msgpack "\x82\xa1x\x05\xa1y\x06"
}

func ExampleWriteError() {
	r := httptest.NewRequest("POST", "/", strings.NewReader("x=1"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	double(w, r)
	fmt.Print(w.Code, " ", w.Body)
	// Output: 415 httpmsgpack: content type "application/x-www-form-urlencoded" is not supported
}

func ExampleStatusOf() {
	var p Point
	err := msgpack.Unmarshal([]byte{0x82}, &p)
	fmt.Println(httpmsgpack.StatusOf(err))
	// Output: 400
}

func ExampleIsMsgpack() {
	fmt.Println(httpmsgpack.IsMsgpack("application/msgpack; charset=utf-8"), httpmsgpack.IsMsgpack("text/plain"))
	// Output: true false
}

func ExampleNewRequest() {
	r, err := httpmsgpack.NewRequest(context.Background(), "PUT", "http://example.com/p", Point{1, 2})
	fmt.Println(err, r.Method, r.ContentLength, r.Header.Get("Content-Type"))
	// Output: <nil> PUT 7 application/vnd.msgpack
}

func ExampleReadResponse() {
	w := httptest.NewRecorder()
	http.Error(w, "no such point", http.StatusNotFound)
	var p Point
	fmt.Println(httpmsgpack.ReadResponse(w.Result(), &p))
	// Output: httpmsgpack: server returned 404 Not Found: no such point
}

// strict is the Format of a service that accepts only MessagePack, and refuses unknown fields and
// bodies of more than 64 bytes.
func strict() httpmsgpack.Format {
	codec, err := msgpack.New(msgpack.Options{RejectUnknown: true})
	if err != nil {
		panic(err)
	}
	return httpmsgpack.Format{Codec: codec, MaxBytes: 64, NoJSON: true}
}

func ExampleFormat_Read() {
	var p Point
	r := httptest.NewRequest("POST", "/", strings.NewReader("\x81\xa1z\x05"))
	r.Header.Set("Content-Type", "application/vnd.msgpack")
	fmt.Println(strict().Read(httptest.NewRecorder(), r, &p))
	// Output: httpmsgpack: msgpack: unmarshal ["z"] at offset 1: found fixstr of 1 byte, want httpmsgpack_test.Point: unknown field
}

func ExampleFormat_ReadMsgpack() {
	var p Point
	r := httptest.NewRequest("POST", "/", strings.NewReader("\x82\xa1x\x05\xa1y\x06"))
	fmt.Println(strict().ReadMsgpack(nil, r, &p), p)
	// Output: <nil> {5 6}
}

func ExampleFormat_Negotiate() {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "text/html, application/msgpack")
	fmt.Println(httpmsgpack.Format{}.Negotiate(r.Header))
	// Output: application/msgpack true
}

func ExampleFormat_Write() {
	w := httptest.NewRecorder()
	fmt.Println(strict().Write(w, httptest.NewRequest("GET", "/", nil), http.StatusOK, Point{5, 6}))
	fmt.Println(w.Header().Get("Content-Type"))
	// Output:
	// <nil>
	// application/vnd.msgpack
}

func ExampleFormat_WriteError() {
	r := httptest.NewRequest("POST", "/", strings.NewReader("{}"))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	strict().WriteError(w, r, strict().Read(w, r, new(Point)))
	fmt.Println(w.Code, w.Header().Get("Accept"))
	// Output: 415 application/vnd.msgpack, application/msgpack, application/x-msgpack
}

func ExampleFormat_NewRequest() {
	r, err := strict().NewRequest(context.Background(), "GET", "http://example.com/p", nil)
	fmt.Println(err, r.Header.Get("Accept"))
	// Output: <nil> application/vnd.msgpack, application/msgpack, application/x-msgpack
}

func ExampleFormat_ReadResponse() {
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/vnd.msgpack")
	w.WriteString("\x82\xa1x\x05\xa1y\x06")
	var p Point
	fmt.Println(strict().ReadResponse(w.Result(), &p), p)
	// Output: <nil> {5 6}
}

func ExampleError_StatusCode() {
	err := strict().Read(nil, httptest.NewRequest("POST", "/", nil), new(Point))
	fmt.Println(err.(*httpmsgpack.Error).StatusCode(), err)
	// Output: 415 httpmsgpack: content type is missing
}
