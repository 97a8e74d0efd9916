package loopback

import (
	"context"
	"fmt"
	"net"
	"os"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
)

func TestMain(m *testing.M) {
	beam.Init()
	os.Exit(m.Run())
}

func ExampleExecute() {
	p, s := beam.NewPipelineWithRoot()
	beam.Create(s, "an element")
	_, err := Execute(context.Background(), p)
	fmt.Println(err)
	// Output: <nil>
}

// TestLoopback looks at all sockets on which this process listens, and connects to them
// by each address of the machine.
func TestLoopback(t *testing.T) {
	ExampleExecute()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	sockets := listening()
	if len(sockets) == 0 {
		t.Fatal("no socket was found: " + *jobopts.Endpoint)
	}
	tried := 0
	for _, s := range sockets {
		if !s.everyone {
			continue // it listens on localhost
		}
		for _, a := range addresses {
			ip := a.(*net.IPNet).IP
			if ip.IsLinkLocalUnicast() {
				continue // it needs a zone
			}
			tried++
			c, err := net.Dial("tcp", net.JoinHostPort(ip.String(), fmt.Sprint(s.port)))
			if err == nil {
				c.Close()
			}
			if (err == nil) != ip.IsLoopback() {
				t.Errorf("connection to port %d of %v: %v", s.port, ip, err)
			}
		}
	}
	if tried == 0 {
		t.Error("prism does not listen on every interface any more: this package is not needed")
	}
}
