package flinktest

import (
	"net"
	"testing"
)

// TestCluster requires that killed processes are replaced, and that Stop ends all of them.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Java")
	}
	if err := Available(); err != nil {
		t.Skip(err)
	}
	c, err := StartCluster(2)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	before := c.Pids()
	if err := c.KillJobManager(); err != nil {
		t.Fatal(err)
	}
	if err := c.KillTaskManager(1); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	after := c.Pids()
	if len(after) != 4 || after[0] != before[0] || after[1] == before[1] || after[2] != before[2] || after[3] == before[3] {
		t.Errorf("processes %v, before %v", after, before)
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	for _, address := range []string{c.rest, c.Endpoint} {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			t.Errorf("%s still listens", address)
		}
	}
}
