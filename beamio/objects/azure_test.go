package objects

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	azure "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
	"gocloud.dev/blob/azureblob"
)

const azureAccount = "octettests"

// azurite starts the server of Azurite once. It is a program for Node.js: npm install azurite.
// OCTET_AZURITE is the path of its command azurite-blob.
var azurite = sync.OnceValues(func() (address string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	address = l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	azuriteProcess = exec.Command(os.Getenv("OCTET_AZURITE"), "--blobHost", "127.0.0.1", "--blobPort", port,
		"--inMemoryPersistence", "--silent", "--skipApiVersionCheck", "--disableTelemetry")
	azuriteProcess.Env = append(os.Environ(), "AZURITE_ACCOUNTS="+azureAccount+":"+base64.StdEncoding.EncodeToString([]byte(secretKey)))
	if err := azuriteProcess.Start(); err != nil {
		azuriteProcess = nil
		return "", err
	}
	for range 300 {
		if c, err := net.Dial("tcp", address); err == nil {
			return address, c.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "", fmt.Errorf("azurite does not listen on %s", address)
})

var azuriteProcess *exec.Cmd

func stopAzurite() {
	if azuriteProcess != nil {
		_ = azuriteProcess.Process.Kill()
		_ = azuriteProcess.Wait() // its error says that it was killed
	}
}

func openAzure(t *testing.T, s *server, address string) func(context.Context, string) (*blob.Bucket, error) {
	if os.Getenv("OCTET_AZURITE") == "" {
		t.Skip("OCTET_AZURITE is not set: it is the path of azurite-blob, which npm installs")
	}
	to, err := azurite()
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: to})
	proxy.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {} // the client has gone away
	s.inner = proxy
	key, err := container.NewSharedKeyCredential(azureAccount, base64.StdEncoding.EncodeToString([]byte(secretKey)))
	if err != nil {
		t.Fatal(err)
	}
	name := strings.ToLower(rand.Text())
	o := &container.ClientOptions{ClientOptions: policy.ClientOptions{
		Retry: policy.RetryOptions{MaxRetries: 3, RetryDelay: time.Millisecond, MaxRetryDelay: 5 * time.Millisecond},
	}}
	client, err := container.NewClientWithSharedKeyCredential(address+"/"+azureAccount+"/"+name, key, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Create(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s.reset(nil)
	s.azure = client
	return func(ctx context.Context, _ string) (*blob.Bucket, error) {
		return azureblob.OpenBucket(ctx, client, nil)
	}
}

// ignoreCondition answers a request for a range of an object as a server that does not
// look at its condition. It makes a request of its own, because the signature of this one
// contains the condition.
func (s *server) ignoreCondition(w http.ResponseWriter, r *http.Request) {
	var from, to int64
	if _, err := fmt.Sscanf(r.Header.Get("x-ms-range"), "bytes=%d-%d", &from, &to); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var answer *http.Response
	ctx := policy.WithCaptureResponse(r.Context(), &answer)
	key := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	blob, err := s.azure.NewBlobClient(key).DownloadStream(ctx, &azure.DownloadStreamOptions{Range: azure.HTTPRange{Offset: from, Count: to - from + 1}})
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer blob.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, blob.Body) // an error is that of the client, which has gone away
}

// TestPinAzure requires the condition on the version in requests to Azure.
func TestPinAzure(t *testing.T) {
	o := &azure.DownloadStreamOptions{}
	err := pin("0x1")(func(v any) bool {
		p, ok := v.(**azure.DownloadStreamOptions)
		if ok {
			*p = o
		}
		return ok
	})
	if err != nil || o.AccessConditions == nil || string(*o.AccessConditions.ModifiedAccessConditions.IfMatch) != `"0x1"` {
		t.Errorf("%+v, %v", o.AccessConditions, err)
	}
}

// TestAzureKeys requires that keys that gocloud.dev writes differently are refused.
func TestAzureKeys(t *testing.T) {
	client, err := container.NewClientWithNoCredential("http://127.0.0.1:1/account/bucket", nil)
	if err != nil {
		t.Fatal(err)
	}
	for key, ok := range map[string]bool{"a/b-00000-of-00003.rec": true, ".a.rec.X-Y": true, "ä": true, "a//b": true,
		`a\b`: false, "a?b": false, "a%20": false, "a\x01": false, "a/../b": false, "a/": false} {
		if _, err := newBlockWriter(t.Context(), client, "azblob://bucket/"+key, key, 1<<20); (err == nil) != ok || err != nil && !errors.Is(err, ErrOptions) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestCopyAzure copies objects in a store whose copies are pending for a while, with polls
// that fail, and copies that do. Nothing is left of a copy that has not succeeded.
func TestCopyAzure(t *testing.T) {
	for name, c := range map[string]struct {
		polls   string // the answer to each poll: an error, pending, other or a status
		alive   int
		want    string // part of the error
		removed bool
	}{
		"at once":              {"", 0, "", false},
		"pending":              {"pending 1/3,pending 2/3,success 3/3", 3, "", false},
		"without progress":     {"pending 1/3,pending 1/3,success 1/3", 1, "", false},
		"polls that fail":      {"error,error,pending 1/3,error,error,success 3/3", 2, "", false},
		"a store that is down": {"pending 1/3,error,error,error", 1, "500", true},
		"a copy that fails":    {"pending 1/3,failed 1/3", 1, "status failed", true},
		"another writer":       {"pending 1/3,other", 1, "another program", false},
		"the end of a context": {"pending 1/3,end", 1, "canceled", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			polls, removed := strings.Split(c.polls, ","), false
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				header := w.Header()
				header.Set("x-ms-copy-id", "1")
				switch {
				case r.Method == http.MethodPut && r.Header.Get("x-ms-copy-source") != "":
					header.Set("x-ms-copy-status", "pending")
					if c.polls == "" {
						header.Set("x-ms-copy-status", "success")
					}
					w.WriteHeader(http.StatusAccepted)
				case r.Method == http.MethodPut && r.URL.Query().Get("comp") == "copy":
					w.WriteHeader(http.StatusNoContent)
				case r.Method == http.MethodDelete:
					removed = true
					w.WriteHeader(http.StatusAccepted)
				case r.Method == http.MethodHead && len(polls) > 0:
					status, progress, _ := strings.Cut(polls[0], " ")
					polls = polls[1:]
					switch status {
					case "error":
						w.WriteHeader(http.StatusInternalServerError)
						return
					case "other":
						header.Set("x-ms-copy-id", "2")
						status = "success"
					case "end":
						cancel()
						status = "pending"
					}
					header.Set("x-ms-copy-status", status)
					header.Set("x-ms-copy-progress", progress)
				default:
					t.Errorf("unexpected %s %s", r.Method, r.URL)
				}
			}))
			defer h.Close()
			client, err := container.NewClientWithNoCredential(h.URL+"/account/bucket", &container.ClientOptions{ClientOptions: policy.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
			if err != nil {
				t.Fatal(err)
			}
			alive := 0
			err = copyBlob(ctx, client, "to", "from", func() { alive++ })
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if alive != c.alive || removed != c.removed {
				t.Errorf("alive %d times, removed %v; want %d, %v", alive, removed, c.alive, c.removed)
			}
		})
	}
}
