//go:build !linux

package loopback

import (
	"errors"
	"net"
)

func restrict(net.Listener) error { return errors.ErrUnsupported }

func restrictPort(int) error { return errors.ErrUnsupported }
