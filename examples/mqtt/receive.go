package mqtt

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/octet-go/octet/layout/formats"
)

// receive handles the packets of the broker until the connection ends.
func (c *Client) receive(r *bufio.Reader) {
	for {
		var p formats.MQTTPacket
		err := c.incoming.Read(r, &p)
		if err == nil {
			err = c.handle(&p)
		}
		if err != nil {
			c.end(fmt.Errorf("mqtt: connection ended: %w", err))
			return
		}
	}
}

// handle acts on one packet of the broker.
func (c *Client) handle(p *formats.MQTTPacket) error {
	switch b := p.Body.(type) {
	case *formats.MQTTPublish:
		return c.deliver(p, b)
	case *formats.MQTTPubrel:
		c.mu.Lock()
		delete(c.held, b.PacketID)
		c.mu.Unlock()
		return c.write(0, &formats.MQTTPubcomp{PacketID: b.PacketID})
	case *formats.MQTTPubrec:
		return c.write(1, &formats.MQTTPubrel{PacketID: b.PacketID})
	case *formats.MQTTPuback:
		return c.acknowledge(b.PacketID, b)
	case *formats.MQTTPubcomp:
		return c.acknowledge(b.PacketID, b)
	case *formats.MQTTSuback:
		return c.acknowledge(b.PacketID, b)
	case *formats.MQTTUnsuback:
		return c.acknowledge(b.PacketID, b)
	case *formats.MQTTPingresp:
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.pings) > 0 {
			close(c.pings[0])
			c.pings = c.pings[1:]
		}
		return nil
	}
	return fmt.Errorf("packet type %d must not be sent to clients", p.Type)
}

// deliver passes a message to the function of the caller and acknowledges it. A message of quality 2 that is repeated
// before its release is not passed again.
func (c *Client) deliver(p *formats.MQTTPacket, b *formats.MQTTPublish) error {
	message := Message{Topic: b.Topic, Payload: b.Payload, QoS: p.QoS, Retain: p.Retain}
	switch p.QoS {
	case 0:
		c.received(message)
		return nil
	case 1:
		c.received(message)
		return c.write(0, &formats.MQTTPuback{PacketID: b.PacketID})
	case 3:
		return errors.New("message of quality 3")
	}
	c.mu.Lock()
	_, repeated := c.held[b.PacketID]
	c.held[b.PacketID] = struct{}{}
	c.mu.Unlock()
	if !repeated {
		c.received(message)
	}
	return c.write(0, &formats.MQTTPubrec{PacketID: b.PacketID})
}

// acknowledge ends the exchange that b belongs to.
func (c *Client) acknowledge(id uint16, b formats.MQTTBody) error {
	c.mu.Lock()
	done, ok := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if !ok {
		return fmt.Errorf("%T for packet identifier %d, which does not wait for it", b, id)
	}
	done <- b
	c.free <- id
	return nil
}

// end closes the connection and records the reason.
func (c *Client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = err
	close(c.closed)
	c.conn.Close()
}

// failure returns the reason why the connection ended.
func (c *Client) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}
