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

func ExampleStartCluster() {
	if err := flinktest.Available(); err != nil {
		return // a test would skip
	}
	cluster, err := flinktest.StartCluster(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	// A pipeline runs on cluster.Endpoint.
	fmt.Println(len(cluster.Pids()), cluster.Stop())
}

func ExampleCluster_KillTaskManager() {
	if err := flinktest.Available(); err != nil {
		return // a test would skip
	}
	cluster, err := flinktest.StartCluster(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	// While a pipeline runs:
	fmt.Println(cluster.KillTaskManager(1), cluster.KillJobManager())
	// Before the next one:
	fmt.Println(cluster.Wait(), cluster.Stop())
}
