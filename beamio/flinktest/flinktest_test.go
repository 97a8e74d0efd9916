package flinktest_test

import (
	"fmt"
	"net"
	"testing"

	"github.com/octet-go/octet/beamio/flinktest"
)

func Example() {
	if err := flinktest.Available(); err != nil {
		return // a test would skip
	}
	server, err := flinktest.Start(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	host, _, _ := net.SplitHostPort(server.Endpoint) // for the flag --endpoint
	fmt.Println(host, server.Stop())
}

// TestStop requires that a Server ends without an error, and that Start says what is
// missing.
func TestStop(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Java")
	}
	if err := flinktest.Available(); err != nil {
		t.Skip(err)
	}
	server, err := flinktest.Start(1)
	if err != nil {
		t.Fatal(err)
	}
	if host, _, err := net.SplitHostPort(server.Endpoint); err != nil || host != "127.0.0.1" || server.Pid() == 0 {
		t.Errorf("endpoint %s, process %d", server.Endpoint, server.Pid())
	}
	if err := server.Stop(); err != nil {
		t.Error(err)
	}
	if c, err := net.Dial("tcp", server.Endpoint); err == nil {
		c.Close()
		t.Error("the server still listens")
	}
	t.Setenv("PATH", "")
	if _, err := flinktest.Start(1); err == nil || flinktest.Available() == nil {
		t.Error("started without Java")
	}
}
