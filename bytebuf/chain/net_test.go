package chain_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/bytebuf/chain"
)

// connect returns both ends of a connection on this machine.
func connect(t *testing.T, network string) (client, server net.Conn) {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "socket")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Skip("needs to listen on this machine: ", err)
	}
	defer l.Close()
	accepted := make(chan net.Conn, 1)
	go func() {
		c, _ := l.Accept()
		accepted <- c
	}()
	client, err = net.Dial(network, l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if server = <-accepted; server == nil {
		t.Fatal("nothing to accept")
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

// receive reads all of r in the background.
func receive(r io.Reader) <-chan []byte {
	all := make(chan []byte, 1)
	go func() {
		p, _ := io.ReadAll(r)
		all <- p
	}()
	return all
}

// fill puts in short and long pieces, written and appended, n times.
func fill(c *chain.Buffer, n int) (want []byte) {
	for i := range n {
		head := fmt.Appendf(nil, "piece %d: ", i)
		body := data(i * 3 % 2000)
		c.Write(head)
		c.Append(body)
		want = append(append(want, head...), body...)
	}
	return want
}

// More segments than one system call takes.
func TestBufferToConnection(t *testing.T) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			client, server := connect(t, network)
			got := receive(server)
			var c chain.Buffer
			var want []byte
			for range 3 {
				sent := fill(&c, 3000)
				want = append(want, sent...)
				n, err := c.WriteTo(client)
				if n != int64(len(sent)) || err != nil || c.Len() != 0 {
					t.Fatalf("%d of %d, %v, %d left", n, len(sent), err, c.Len())
				}
			}
			client.Close()
			if got := <-got; !bytes.Equal(got, want) {
				t.Error(difference(string(got), string(want)))
			}
		})
	}
}

// io.Copy takes the same way.
func TestBufferCopiedToConnection(t *testing.T) {
	client, server := connect(t, "tcp")
	got := receive(server)
	var c chain.Buffer
	want := fill(&c, 100)
	if n, err := io.Copy(client, &c); n != int64(len(want)) || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	client.Close()
	if got := <-got; !bytes.Equal(got, want) {
		t.Error(difference(string(got), string(want)))
	}
}

// A connection that gives up midway leaves in the Buffer exactly what the other side lacks.
func TestBufferToSlowConnection(t *testing.T) {
	client, server := connect(t, "tcp")
	var c chain.Buffer
	want := fill(&c, 20_000)
	client.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	n, err := c.WriteTo(client)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Skip("the system took all of it without a reader: ", n, err)
	}
	if !bytes.Equal(c.Bytes(), want[n:]) {
		t.Fatal("the rest is ", difference(string(c.Bytes()), string(want[n:])))
	}
	client.SetWriteDeadline(time.Time{})
	got := receive(server)
	if m, err := c.WriteTo(client); n+m != int64(len(want)) || err != nil {
		t.Errorf("%d and then %d of %d, %v", n, m, len(want), err)
	}
	client.Close()
	if got := <-got; !bytes.Equal(got, want) {
		t.Error(difference(string(got), string(want)))
	}
}

// Many segments are one system call, not one each.
func TestBufferSystemCalls(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts system calls in /proc/self/io")
	}
	client, server := connect(t, "tcp")
	got := receive(server)
	var c chain.Buffer
	const segments = 1000
	for range segments {
		c.Append([]byte("x"))
	}
	before := systemWrites(t)
	if _, err := c.WriteTo(client); err != nil {
		t.Fatal(err)
	}
	if calls := systemWrites(t) - before; calls > segments/10 {
		t.Errorf("%d system calls for %d segments", calls, segments)
	}
	client.Close()
	if got := <-got; len(got) != segments {
		t.Errorf("%d bytes arrived", len(got))
	}
}

func systemWrites(t *testing.T) (n int) {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		t.Skip("needs /proc/self/io: ", err)
	}
	for line := range strings.Lines(string(text)) {
		fmt.Sscanf(line, "syscw: %d", &n)
	}
	return n
}

// A type around a connection keeps its own Write.
func TestBufferToWrappedConnection(t *testing.T) {
	client, server := connect(t, "tcp")
	got := receive(server)
	var c chain.Buffer
	want := fill(&c, 10)
	w := &counting{TCPConn: client.(*net.TCPConn)}
	if _, err := c.WriteTo(w); err != nil {
		t.Fatal(err)
	}
	if w.n != len(want) {
		t.Errorf("its Write saw %d bytes of %d", w.n, len(want))
	}
	client.Close()
	<-got
}

type counting struct {
	*net.TCPConn
	n int
}

func (c *counting) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.TCPConn.Write(p)
}
