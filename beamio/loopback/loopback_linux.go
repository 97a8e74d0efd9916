package loopback

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
)

// device is the name of the loopback device.
const device = "lo"

// restrict makes a listener accept connections from this machine only.
func restrict(l net.Listener) error {
	c, err := l.(*net.TCPListener).SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = c.Control(func(fd uintptr) { failed = bind(int(fd)) })
	return errors.Join(err, failed)
}

func bind(fd int) error {
	if err := syscall.BindToDevice(fd, device); err != nil {
		return fmt.Errorf("bind to the device %s: %w", device, errors.Join(err, errors.ErrUnsupported))
	}
	return nil
}

// restrictPort does the same for the sockets of this process that listen on a port.
func restrictPort(port int) error {
	found := false
	for _, s := range listening() {
		if s.port == port {
			if err := bind(s.fd); err != nil {
				return err
			}
			found = true
		}
	}
	if !found {
		return fmt.Errorf("no socket of this process listens on port %d", port)
	}
	return nil
}

// A socket is a listening socket of this process.
type socket struct {
	fd, port int
	everyone bool // the address is that of every interface
}

func listening() (list []socket) {
	entries, _ := os.ReadDir("/proc/self/fd") // without it, none is found
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if accepts, err := syscall.GetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_ACCEPTCONN); err != nil || accepts == 0 {
			continue
		}
		switch a, _ := syscall.Getsockname(fd); a := a.(type) {
		case *syscall.SockaddrInet4:
			list = append(list, socket{fd, a.Port, a.Addr == [4]byte{}})
		case *syscall.SockaddrInet6:
			list = append(list, socket{fd, a.Port, a.Addr == [16]byte{}})
		}
	}
	return list
}
