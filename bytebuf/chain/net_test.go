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
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

// connect returns both ends of a local connection.
func connect(t *testing.T, network string) (client, server net.Conn) {
	t.Helper()
	address := "127.0.0.1:0"
	if network == "unix" {
		address = filepath.Join(t.TempDir(), "socket")
	}
	l, err := net.Listen(network, address)
	if err != nil {
		t.Skip("cannot listen on a local port:  ", err)
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
		t.Fatal("no connection to accept")
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

// receive reads all of r in another goroutine.
func receive(r io.Reader) <-chan []byte {
	all := make(chan []byte, 1)
	go func() {
		p, _ := io.ReadAll(r)
		all <- p
	}()
	return all
}

// fill adds short and long parts n times, some with Write and some with Append.
func fill(c *chain.Buffer, n int) (want []byte) {
	for i := range n {
		head := fmt.Appendf(nil, "piece %d: ", i)
		body := buffertest.Data(i * 3 % 2000)
		c.Write(head)
		c.Append(body)
		want = append(append(want, head...), body...)
	}
	return want
}

// TestBufferToConnection sends more segments than one system call can write.
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
				t.Error(buffertest.Difference(string(got), string(want)))
			}
		})
	}
}

// TestBufferCopiedToConnection sends through io.Copy, which calls WriteTo.
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
		t.Error(buffertest.Difference(string(got), string(want)))
	}
}

// TestBufferToSlowConnection checks that the Buffer keeps exactly the bytes that a connection did not send before
// it failed.
func TestBufferToSlowConnection(t *testing.T) {
	client, server := connect(t, "tcp")
	var c chain.Buffer
	want := fill(&c, 20_000)
	client.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
	n, err := c.WriteTo(client)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Skip("the system buffered all bytes without a reader: ", n, err)
	}
	if !bytes.Equal(c.Bytes(), want[n:]) {
		t.Fatal("the remaining bytes differ: ", buffertest.Difference(string(c.Bytes()), string(want[n:])))
	}
	client.SetWriteDeadline(time.Time{})
	got := receive(server)
	if m, err := c.WriteTo(client); n+m != int64(len(want)) || err != nil {
		t.Errorf("%d and then %d of %d, %v", n, m, len(want), err)
	}
	client.Close()
	if got := <-got; !bytes.Equal(got, want) {
		t.Error(buffertest.Difference(string(got), string(want)))
	}
}

// TestBufferSystemCalls checks that many segments are written with one system call.
func TestBufferSystemCalls(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc/self/io to count system calls")
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

// TestBufferToWrappedConnection checks that WriteTo calls the Write method of a type that embeds a connection.
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
		t.Errorf("Write of the outer type received %d of %d bytes", w.n, len(want))
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
