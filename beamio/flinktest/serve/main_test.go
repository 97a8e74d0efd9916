package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"regexp"
	"testing"

	"github.com/octet-go/octet/beamio/flinktest"
)

// TestServe requires that the printed endpoint is that of a server, which ends with the
// context.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Java")
	}
	if err := flinktest.Available(); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := serve(ctx, 1, w)
		w.CloseWithError(err)
		ended <- err
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	flags := regexp.MustCompile(`^--runner universal --endpoint (127\.0\.0\.1:\d+) --environment_type LOOPBACK\n$`).FindStringSubmatch(line)
	if flags == nil {
		t.Fatalf("printed %q", line)
	}
	c, err := net.Dial("tcp", flags[1])
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", flags[1]); err == nil {
		c.Close()
		t.Error("the server still listens")
	}
}
