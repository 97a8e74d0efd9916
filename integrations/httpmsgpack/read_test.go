package httpmsgpack_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

const point = "\x82\xa1x\x05\xa1y\x06"

// request returns a request with a body of the given type.
func request(contentType, body string) *http.Request {
	r := httptest.NewRequest("POST", "/", strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

func TestRead(t *testing.T) {
	small := httpmsgpack.Format{MaxBytes: int64(len(point))}
	only := httpmsgpack.Format{NoJSON: true}
	few, err := msgpack.New(msgpack.Options{MaxElements: 1})
	if err != nil {
		t.Fatal(err)
	}
	strict, err := msgpack.New(msgpack.Options{RejectUnknown: true})
	if err != nil {
		t.Fatal(err)
	}
	const typ = "application/vnd.msgpack"
	cases := []struct {
		name       string
		f          httpmsgpack.Format
		typ, body  string
		wantStatus int // 0: no error
		want       string
	}{
		{"registered type", httpmsgpack.Format{}, typ, point, 0, ""},
		{"old type", httpmsgpack.Format{}, "application/msgpack", point, 0, ""},
		{"x type", httpmsgpack.Format{}, "application/x-msgpack", point, 0, ""},
		{"parameter", httpmsgpack.Format{}, "application/msgpack; charset=utf-8", point, 0, ""},
		{"malformed parameter", httpmsgpack.Format{}, "application/msgpack; charset", point, 0, ""},
		{"repeated parameter", httpmsgpack.Format{}, "application/msgpack; a=1; a=2", point, 0, ""},
		{"space before parameter", httpmsgpack.Format{}, " application/msgpack ;", point, 0, ""},
		{"capitals", httpmsgpack.Format{}, "Application/MsgPack", point, 0, ""},
		{"JSON", httpmsgpack.Format{}, "application/json; charset=utf-8", `{"x":5,"y":6}`, 0, ""},
		{"exactly the limit", small, typ, point, 0, ""},
		{"no limit", httpmsgpack.Format{MaxBytes: -1}, typ, "\x83\xa1x\x05\xa1y\x06\xa1z\xc6\x00\x20\x00\x00" + strings.Repeat("\x00", 1<<21), 0, ""},

		{"no type", httpmsgpack.Format{}, "", point, 415, "content type is missing"},
		{"another type", httpmsgpack.Format{}, "text/plain", point, 415, `content type "text/plain" is not supported`},
		{"malformed type", httpmsgpack.Format{}, "application/msgpack/x", point, 415, "not supported"},
		{"two types", httpmsgpack.Format{}, "application/msgpack, application/json", point, 415, "not supported"},
		{"JSON refused", only, "application/json", `{"x":5,"y":6}`, 415, "not supported"},
		{"over the limit", small, typ, point + "\xc0", 413, "too large"},
		{"over the default limit", httpmsgpack.Format{}, typ, "\x81\xa1z\xc6\x00\x20\x00\x00" + strings.Repeat("\x00", 1<<21), 413, "too large"},
		{"JSON over the limit", small, "application/json", `{"x":5,"y":6}`, 413, "too large"},
		{"limit of the Codec", httpmsgpack.Format{Codec: few}, typ, point, 413, "limit"},
		{"empty", httpmsgpack.Format{}, typ, "", 400, "truncated"},
		{"empty JSON", httpmsgpack.Format{}, "application/json", "", 400, "unexpected end"},
		{"truncated", httpmsgpack.Format{}, typ, point[:5], 400, "truncated"},
		{"reserved byte", httpmsgpack.Format{}, typ, "\xc1", 400, "c1"},
		{"JSON as MessagePack", httpmsgpack.Format{}, typ, `{"x":5,"y":6}`, 400, "found"},
		{"MessagePack as JSON", httpmsgpack.Format{}, "application/json", point, 400, "invalid character"},
		{"bytes after the value", httpmsgpack.Format{}, typ, point + "\xc0", 400, "after the value"},
		{"bytes after JSON", httpmsgpack.Format{}, "application/json", `{}{}`, 400, "after top-level value"},
		{"wrong kind", httpmsgpack.Format{}, typ, "\x81\xa1x\xa1s", 400, "want int"},
		{"count of 2^32-1", httpmsgpack.Format{}, typ, "\xdf\xff\xff\xff\xff", 400, "truncated"},
		{"string of 2^32-1 bytes", httpmsgpack.Format{}, typ, "\x81\xdb\xff\xff\xff\xff", 400, "truncated"},
		{"nested deeply", httpmsgpack.Format{}, typ, "\x81\xa1z" + strings.Repeat("\x91", 100000), 400, ""},
		{"unknown field", httpmsgpack.Format{Codec: strict}, typ, "\x81\xa1z\x01", 400, "unknown field"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			for _, chunked := range []bool{false, true} {
				r := request(c.typ, c.body)
				if chunked {
					r.ContentLength = -1
					r.Body = io.NopCloser(io.MultiReader(r.Body))
				}
				var p Point
				err := c.f.Read(httptest.NewRecorder(), r, &p)
				if c.wantStatus == 0 {
					if err != nil || p != (Point{5, 6}) {
						t.Errorf("chunked %t: got %v, %v", chunked, p, err)
					}
					continue
				}
				var e *httpmsgpack.Error
				if !errors.As(err, &e) || e.Status != c.wantStatus || !strings.Contains(err.Error(), c.want) {
					t.Errorf("chunked %t: error %v, want status %d and %q", chunked, err, c.wantStatus, c.want)
				}
				if got := httpmsgpack.StatusOf(fmt.Errorf("wrapped: %w", err)); got != c.wantStatus {
					t.Errorf("StatusOf: %d, want %d", got, c.wantStatus)
				}
			}
		})
	}
}

// TestReadPrefixes reads each prefix of a body and each change of one of its bytes.
func TestReadPrefixes(t *testing.T) {
	read := func(body string) error {
		return httpmsgpack.Read(httptest.NewRecorder(), request("application/msgpack", body), &Point{})
	}
	for i := range len(point) {
		if err := read(point[:i]); !errors.Is(err, msgpack.ErrTruncated) {
			t.Errorf("prefix of %d bytes: %v, want ErrTruncated", i, err)
		}
		for b := range 256 {
			body := []byte(point)
			body[i] = byte(b)
			if err := read(string(body)); err != nil && httpmsgpack.StatusOf(err) != 400 {
				t.Errorf("byte %d is %#x: %v, want status 400", i, b, err)
			}
		}
	}
}

// TestReadNil reads a nil into what a framework has bound other parts of a request to, as encoding/json reads null.
func TestReadNil(t *testing.T) {
	read := func(v any) error { return httpmsgpack.Format{}.ReadMsgpack(nil, request("", "\xc0"), v) }
	p, m := Point{5, 6}, map[string]int{"x": 5}
	pointer := &p
	if err := errors.Join(read(&p), read(&m), read(&pointer)); err != nil || p != (Point{5, 6}) || m != nil || pointer != nil {
		t.Errorf("%v, %v, %v, %v", p, m, pointer, err)
	}
	for _, target := range []any{nil, p, (*Point)(nil)} {
		if err := read(target); httpmsgpack.StatusOf(err) != 500 || !errors.Is(err, msgpack.ErrTarget) {
			t.Errorf("into %#v: %v, want status 500", target, err)
		}
	}
}

func TestReadCompressed(t *testing.T) {
	r := request("application/msgpack", point)
	r.Header.Set("Content-Encoding", "gzip")
	err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{})
	if httpmsgpack.StatusOf(err) != 415 || !strings.Contains(err.Error(), `content encoding "gzip"`) {
		t.Errorf("gzip: %v, want status 415", err)
	}
	for _, lines := range [][]string{{"identity"}, {"Identity"}, {" identity ,,"}, {"", "identity"}, {"identity", "identity"}} {
		r := request("application/msgpack", point)
		r.Header["Content-Encoding"] = lines
		if err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{}); err != nil {
			t.Errorf("%q: %v", lines, err)
		}
	}
	for want, lines := range map[string][]string{"gzip": {"identity", "gzip"}, "br": {"", "identity, br"}, "gzip, gzip": {"gzip", "gzip"}} {
		r := request("application/msgpack", point)
		r.Header["Content-Encoding"] = lines
		err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{})
		if httpmsgpack.StatusOf(err) != 415 || !strings.Contains(err.Error(), `content encoding "`+want+`" is`) {
			t.Errorf("%q: %v, want status 415", lines, err)
		}
	}
}

// TestDecompressed reads bodies whose Content-Encoding middleware has left. One that is still compressed is refused.
func TestDecompressed(t *testing.T) {
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	io.WriteString(w, point)
	w.Close()
	for _, c := range []struct {
		encoding, body string // ; is between two lines of the header
		limit          int64
		status         int
	}{
		{"gzip", point, 0, 200},
		{"GZIP", point, int64(len(point)), 200},
		{"gzip", point, int64(len(point)) - 1, 413},
		{"gzip", "", 0, 400},
		{"gzip", "\x1f", 0, 400},
		{"gzip", "\x1f\x8b", 0, 415},
		{"gzip", compressed.String(), 0, 415},
		{"br", point, 0, 415},
		{"gzip, gzip", point, 0, 415},
		{"gzip;gzip", point, 0, 415},
		{"gzip;br", point, 0, 415},
		{"identity;gzip", point, 0, 200},
		{"identity;gzip", compressed.String(), 0, 415},
	} {
		r := request("application/msgpack", c.body)
		r.Header["Content-Encoding"] = strings.Split(c.encoding, ";")
		r.ContentLength = 40 // of the compressed body
		var p Point
		err := httpmsgpack.Format{MaxBytes: c.limit}.ReadMsgpack(nil, r, &p)
		if httpmsgpack.StatusOf(err) != c.status || err == nil && p != (Point{5, 6}) {
			t.Errorf("%s %q: %v, %v, want status %d", c.encoding, c.body, p, err, c.status)
		}
		if err := httpmsgpack.Read(nil, r, &p); httpmsgpack.StatusOf(err) != 415 {
			t.Errorf("%s: Read: %v, want status 415", c.encoding, err)
		}
	}
}

// A tooLarge is an error of middleware that limits bodies.
type tooLarge struct{}

func (tooLarge) Error() string   { return "over the limit of the middleware" }
func (tooLarge) StatusCode() int { return 413 }

// TestContentLength checks that a body whose Content-Length exceeds the limit is refused before it is read.
func TestContentLength(t *testing.T) {
	r := request("application/msgpack", "")
	r.Body, r.ContentLength = io.NopCloser(failing{errors.New("was read")}), httpmsgpack.DefaultMaxBytes+1
	if err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{}); httpmsgpack.StatusOf(err) != 413 {
		t.Errorf("%v, want status 413", err)
	}
}

// TestReadErrors checks errors that the content of the body does not cause.
func TestReadErrors(t *testing.T) {
	broken := errors.New("connection lost")
	for _, typ := range []string{"application/msgpack", "application/json"} {
		r := request(typ, "")
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader("\x82"), failing{broken})), -1
		err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{})
		if !errors.Is(err, broken) || httpmsgpack.StatusOf(err) != 400 {
			t.Errorf("%s: %v, want %v with status 400", typ, err, broken)
		}
		r.Body = io.NopCloser(failing{tooLarge{}})
		if err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{}); httpmsgpack.StatusOf(err) != 413 {
			t.Errorf("%s: %v, want status 413", typ, err)
		}
		var target chan int
		for _, v := range []any{nil, Point{}, (*Point)(nil)} {
			if err := httpmsgpack.Read(httptest.NewRecorder(), request(typ, "{}"), v); httpmsgpack.StatusOf(err) != 500 {
				t.Errorf("%s into %#v: %v, want status 500", typ, v, err)
			}
		}
		if typ == "application/msgpack" {
			if err := httpmsgpack.Read(httptest.NewRecorder(), request(typ, point), &target); httpmsgpack.StatusOf(err) != 500 {
				t.Errorf("into a chan: %v, want status 500", err)
			}
		}
		r = request(typ, "")
		r.Body = nil
		if err := httpmsgpack.Read(httptest.NewRecorder(), r, &Point{}); httpmsgpack.StatusOf(err) != 400 {
			t.Errorf("%s without a body: %v, want status 400", typ, err)
		}
	}
}

// TestReadMemory checks that a refused body takes little memory, even if its counts and lengths are large.
func TestReadMemory(t *testing.T) {
	body := bytes.Repeat([]byte{0xdd, 0x00, 0xff, 0xff, 0xff}, 100)
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var v any
			r := request("application/msgpack", string(body))
			r.ContentLength = httpmsgpack.DefaultMaxBytes // but the body is shorter
			if httpmsgpack.Read(httptest.NewRecorder(), r, &v) == nil {
				b.Fatal("accepted")
			}
		}
	})
	if got := result.AllocedBytesPerOp(); got > 256<<10 {
		t.Errorf("a body of %d bytes takes %d bytes of memory", len(body), got)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestStatusOf(t *testing.T) {
	_, unsupported := msgpack.Marshal(make(chan int))
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 200},
		{errors.New("database is down"), 500},
		{io.ErrUnexpectedEOF, 500},
		{unsupported, 500},
		{msgpack.Unmarshal(nil, new(int)), 400},
		{msgpack.Unmarshal([]byte{1}, nil), 500},
		{msgpack.Valid([]byte{0xc1}), 400},
		{&http.MaxBytesError{Limit: 1}, 413},
		{&httpmsgpack.Error{Status: 418, Err: io.EOF}, 418},
	} {
		if got := httpmsgpack.StatusOf(c.err); got != c.want {
			t.Errorf("StatusOf(%v) = %d, want %d", c.err, got, c.want)
		}
	}
}
