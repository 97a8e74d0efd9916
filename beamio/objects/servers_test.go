package objects

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/googleapis/gax-go/v2"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"gocloud.dev/blob"
	"gocloud.dev/blob/gcsblob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcp"
)

const (
	accessKey = "AKIDOFTHETESTS000000"
	secretKey = "secretofthetests/0000000000000000000000"
)

// A server speaks the protocol of a store, on loopback. It counts requests and bytes, and
// a fault can take the place of an answer.
type server struct {
	name  string
	inner http.Handler
	store *Store
	azure *container.Client // of azblob
	url   string

	mu       sync.Mutex
	requests []string // methods and paths
	sent     int64    // bytes of bodies
	fault    func(n int, w http.ResponseWriter, r *http.Request) (handled bool)
}

// onServers runs a test with each store.
func onServers(t *testing.T, test func(t *testing.T, s *server)) {
	for name, open := range map[string]func(*testing.T, *server, string) func(context.Context, string) (*blob.Bucket, error){
		"s3": openS3, "gs": openGCS, "azblob": openAzure,
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{name: name}
			h := httptest.NewServer(s)
			t.Cleanup(h.Close)
			s.url = h.URL
			open := open(t, s, h.URL)
			var err error
			s.store, err = New(&Options{ReadAhead: 256 << 10, PartSize: 5 << 20, Timeout: time.Second, OpenBucket: open})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.reset(nil); s.store.Close() })
			test(t, s)
		})
	}
}

func openS3(t *testing.T, s *server, url string) func(context.Context, string) (*blob.Bucket, error) {
	backend := s3mem.New()
	if err := backend.CreateBucket("bucket"); err != nil {
		t.Fatal(err)
	}
	s.inner = gofakes3.New(backend).Server()
	return func(ctx context.Context, _ string) (*blob.Bucket, error) {
		client := s3.New(s3.Options{
			BaseEndpoint: &url, UsePathStyle: true, Region: "us-east-1",
			Credentials: credentials.NewStaticCredentialsProvider(accessKey, secretKey, ""),
			Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxBackoff = 5 * time.Millisecond
				o.RateLimiter = unlimited{}
			}),
			RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		})
		return s3blob.OpenBucket(ctx, client, "bucket", nil)
	}
}

// unlimited lets a client make requests again without end.
type unlimited struct{}

func (unlimited) GetToken(context.Context, uint) (func() error, error) {
	return func() error { return nil }, nil
}
func (unlimited) AddTokens(uint) error { return nil }

func openGCS(t *testing.T, s *server, url string) func(context.Context, string) (*blob.Bucket, error) {
	host := strings.TrimPrefix(url, "http://")
	fake, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, Scheme: "http", ExternalURL: url, PublicHost: host})
	if err != nil {
		t.Fatal(err)
	}
	fake.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "bucket"})
	s.inner = fake.HTTPHandler()
	t.Setenv("STORAGE_EMULATOR_HOST", host)
	return func(ctx context.Context, _ string) (*blob.Bucket, error) {
		client := &gcp.HTTPClient{Client: http.Client{Transport: bearer{}}}
		b, err := gcsblob.OpenBucket(ctx, client, "bucket", &gcsblob.Options{GoogleAccessID: "-"})
		var google *storage.Client
		if err == nil && b.As(&google) {
			google.SetRetry(storage.WithBackoff(gax.Backoff{Initial: time.Millisecond, Max: 5 * time.Millisecond}))
		}
		return b, err
	}
}

// A bearer adds a token to requests.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+secretKey)
	return http.DefaultTransport.RoundTrip(r)
}

func (s *server) path(key string) string { return s.name + "://bucket/" + key }

// reset forgets what was counted and sets the fault.
func (s *server) reset(fault func(n int, w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.sent, s.fault = nil, 0, fault
}

// counted returns the requests and the bytes since the last reset.
func (s *server) counted() ([]string, int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.sent
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n, fault := len(s.requests), s.fault
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
	s.mu.Unlock()
	if fault != nil && fault(n, w, r) {
		return
	}
	s.inner.ServeHTTP(&countedWriter{w, s}, r)
}

type countedWriter struct {
	http.ResponseWriter
	s *server
}

func (w *countedWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	w.s.sent += int64(n)
	return n, err
}

// isObject reports whether a request reads an object.
func isObject(r *http.Request) bool {
	return r.Method == http.MethodGet && (r.Header.Get("Range") != "" || r.Header.Get("x-ms-range") != "")
}

// faults are what can happen to a request.
var faults = map[string]func(s *server, w http.ResponseWriter, r *http.Request){
	"5xx": func(_ *server, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	"throttled": func(_ *server, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
	},
	"reset": func(_ *server, w http.ResponseWriter, _ *http.Request) { hangUp(w) },
	"reset in the middle": func(s *server, w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		s.inner.ServeHTTP(answer, r)
		for k, v := range answer.Header() {
			w.Header()[k] = v
		}
		body := answer.Body.Bytes()
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		w.WriteHeader(answer.Code)
		w.Write(body[:len(body)/2])
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		hangUp(w)
	},
	"slow": func(s *server, w http.ResponseWriter, r *http.Request) {
		if isObject(r) {
			<-r.Context().Done() // until the client gives up
			return
		}
		time.Sleep(20 * time.Millisecond)
		s.inner.ServeHTTP(w, r)
	},
}

// hangUp resets the connection.
func hangUp(w http.ResponseWriter) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := c.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	c.Close()
}

// at returns a fault of the request number n only, or of all from there on.
func (s *server) at(n int, all bool, kind string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(i int, w http.ResponseWriter, r *http.Request) bool {
		if i != n && !(all && i > n) {
			return false
		}
		faults[kind](s, w, r)
		return true
	}
}

// put writes an object.
func (s *server) put(t *testing.T, key string, b []byte) {
	t.Helper()
	w, err := s.store.Create(t.Context(), s.path(key))
	if err == nil {
		_, err = w.Write(b)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// get returns the bytes of an object, or nil if there is none.
func (s *server) get(t *testing.T, key string) []byte {
	t.Helper()
	paths, err := s.store.List(t.Context(), s.path(key))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		return nil
	}
	o, err := s.store.Open(t.Context(), s.path(key))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(o)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte{}, b...)
}

// pattern returns n bytes that differ by seed.
func pattern(n int, seed byte) []byte {
	return bytes.Repeat([]byte{seed, seed + 1, seed + 2, 0, seed}, n/5+1)[:n]
}
