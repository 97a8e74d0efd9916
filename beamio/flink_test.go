package beamio

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/octet-go/octet/beamio/flinktest"
)

var startFlink = sync.OnceValues(func() (*flinktest.Server, error) { return flinktest.Start(2) })

var flinkStarted bool

// flinkEndpoint returns the address of a job server. It starts one for all tests.
func flinkEndpoint(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Flink")
	}
	if err := flinktest.Available(); err != nil {
		t.Skip(err)
	}
	server, err := startFlink()
	if err != nil {
		t.Fatal(err)
	}
	flinkStarted = true
	return server.Endpoint
}

// StopFlink ends the server if a test has started it.
func StopFlink() {
	if flinkStarted {
		server, _ := startFlink()
		server.Stop()
	}
}

// listenFn emits the addresses on which Flink listens while it runs a pipeline.
type listenFn struct {
	Pid int
}

func (fn *listenFn) ProcessElement(_ []byte, emit func(string)) {
	for _, address := range listening(fn.Pid) {
		emit(address)
	}
}

// TestLoopback requires that Flink listens on no other interface.
func TestLoopback(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	flinkEndpoint(t)
	server, err := startFlink()
	if err != nil {
		t.Fatal(err)
	}
	addresses, _ := collect[string](t, runner{"Flink", onFlink}, func(s beam.Scope) beam.PCollection {
		return beam.ParDo(s, &listenFn{server.Pid()}, beam.Impulse(s))
	})
	for _, address := range addresses {
		if !strings.HasPrefix(address, "0100007F:") && !strings.HasPrefix(address, "0000000000000000FFFF00000100007F:") &&
			!strings.HasPrefix(address, "00000000000000000000000001000000:") {
			t.Errorf("listens on %s", address)
		}
	}
	if len(addresses) < 3 {
		t.Errorf("only %q", addresses)
	}
}

// A largeFn emits Count strings of 4 MB for each element, which is what the SDK puts into
// a message.
type largeFn struct {
	Count int
}

func (fn *largeFn) ProcessElement(_ string, emit func(string)) {
	for range fn.Count {
		emit(strings.Repeat("x", 4<<20))
	}
}

// TestLargeBundles requires that a bundle can have more output than the 100 messages in
// which Beam's own class would come to a stop. The Reshuffle keeps Beam from making one
// step of both.
func TestLargeBundles(t *testing.T) {
	const n = 104
	sizes, _ := collect[int](t, runner{"Flink", onFlink}, func(s beam.Scope) beam.PCollection {
		large := beam.ParDo(s, &largeFn{n}, beam.Create(s, ""))
		return beam.ParDo(s, length, beam.Reshuffle(s, large))
	})
	for _, size := range sizes {
		if size != 4<<20 {
			t.Fatalf("%d bytes", size)
		}
	}
	if len(sizes) != n {
		t.Errorf("%d elements, want %d", len(sizes), n)
	}
}

func length(s string) int { return len(s) }

// listening returns the addresses in hexadecimal on which a process listens.
func listening(pid int) (list []string) {
	sockets := map[string]bool{}
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, "socket:[") {
			sockets[strings.Trim(to, "socket:[]")] = true
		}
	}
	for _, name := range []string{"tcp", "tcp6"} {
		f, err := os.Open(fmt.Sprintf("/proc/%d/net/%s", pid, name))
		if err != nil {
			continue
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			fields := strings.Fields(lines.Text())
			if len(fields) > 9 && fields[3] == "0A" && sockets[fields[9]] {
				list = append(list, fields[1])
			}
		}
	}
	return list
}
