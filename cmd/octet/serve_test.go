package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
)

func TestServe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.json")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"first": 1}`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	done := make(chan int)
	go func() {
		c, _, _ := consoletest.New("")
		c.Stdout = w
		done <- run(ctx, []string{"serve", file}, c)
	}()
	address, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address = strings.TrimSpace(address)
	if !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("the address is %s", address)
	}
	get := func(method, address, host string) (int, string) {
		t.Helper()
		q, err := http.NewRequest(method, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = host
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	if code, body := get("GET", address, ""); code != 200 || !strings.Contains(body, ">first</span>") {
		t.Errorf("the page has status %d", code)
	}
	write(`{"second": 1}`)
	if _, body := get("GET", address, ""); !strings.Contains(body, ">second</span>") {
		t.Error("the file was not read again")
	}
	if code, _ := get("GET", address, "evil.example"); code != http.StatusMisdirectedRequest {
		t.Errorf("another host name has status %d", code)
	}
	root := address[:strings.LastIndex(strings.TrimSuffix(address, "/"), "/")+1]
	if code, _ := get("GET", root, ""); code != 404 {
		t.Errorf("without the secret, the status is %d", code)
	}
	if code, _ := get("POST", address, ""); code != 405 {
		t.Errorf("POST has status %d", code)
	}
	cancel()
	if code := <-done; code != 0 {
		t.Errorf("serve ended with code %d", code)
	}
}
