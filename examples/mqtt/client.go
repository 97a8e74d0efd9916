package mqtt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/layout/formats"
)

// maxPacket is the longest packet that a Client reads.
const maxPacket = 1 << 20

// Message is one message of a topic.
type Message struct {
	Topic   string
	Payload []byte
	QoS     uint8 // 0: at most once, 1: at least once, 2: exactly once
	Retain  bool
}

// Options configures a connection. A nil pointer means the zero value.
type Options struct {
	ClientID  string // empty: the broker chooses one
	Username  string // empty: none, or an empty one if there is a password
	Password  []byte
	KeepAlive uint16 // maximum number of seconds between two packets of the client; 0: unlimited
}

// Client is a connection to a broker. Its methods may be called by several goroutines at the same time.
type Client struct {
	conn     net.Conn
	packets  *layout.Codec
	incoming *layout.Codec // as packets, with a limit
	received func(Message)
	closed   chan struct{}

	writing sync.Mutex // held while a packet is written
	buffer  []byte

	mu      sync.Mutex
	waiting map[uint16]chan formats.MQTTBody // packets that the broker has to acknowledge
	pings   []chan struct{}
	free    chan uint16         // packet identifiers that are not in use
	held    map[uint16]struct{} // identifiers of messages of quality 2 that were received and not released
	err     error
}

// maxInFlight is how many exchanges may wait for the broker at the same time.
const maxInFlight = 1000

// ErrClosed is returned by methods of a Client after Close.
var ErrClosed = errors.New("mqtt: client closed")

// Connect opens a session on conn. It calls received for each message that arrives, one after the other; received must not
// call methods of the client that wait for the broker. The function may keep the payload.
func Connect(conn net.Conn, received func(Message), o *Options) (*Client, error) {
	if o == nil {
		o = &Options{}
	}
	options := formats.Options()
	packets, err := layout.New(options)
	if err != nil {
		return nil, err
	}
	options.MaxMessage = maxPacket
	incoming, err := layout.New(options)
	if err != nil {
		return nil, err
	}
	c := &Client{
		conn:     conn,
		packets:  packets,
		incoming: incoming,
		received: received,
		closed:   make(chan struct{}),
		waiting:  map[uint16]chan formats.MQTTBody{},
		free:     make(chan uint16, maxInFlight),
		held:     map[uint16]struct{}{},
	}
	for id := range uint16(maxInFlight) {
		c.free <- id + 1 // 0 is not an identifier
	}
	if err := c.write(0, connectPacket(o)); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(conn, 64<<10)
	var answer formats.MQTTPacket
	if err := incoming.Read(r, &answer); err != nil {
		return nil, fmt.Errorf("mqtt: reading the answer to CONNECT: %w", err)
	}
	accepted, ok := answer.Body.(*formats.MQTTConnack)
	if !ok {
		return nil, fmt.Errorf("mqtt: broker answered CONNECT with packet type %d", answer.Type)
	}
	if accepted.Code != 0 {
		return nil, fmt.Errorf("mqtt: broker refused the connection with code %d", accepted.Code)
	}
	go c.receive(r)
	return c, nil
}

// connectPacket returns the packet that opens a session. MQTT has no password without a user name.
func connectPacket(o *Options) *formats.MQTTConnect {
	return &formats.MQTTConnect{
		Protocol:    "MQTT",
		Level:       4, // version 3.1.1
		HasUser:     o.Username != "" || len(o.Password) > 0,
		HasPassword: len(o.Password) > 0,
		Clean:       true,
		KeepAlive:   o.KeepAlive,
		ClientID:    o.ClientID,
		User:        o.Username,
		Password:    o.Password,
	}
}

// Publish sends m. Depending on the quality of service, it does not wait, waits until the broker sends PUBACK, or
// waits until the broker sends PUBCOMP.
func (c *Client) Publish(ctx context.Context, m Message) error {
	if m.QoS > 2 {
		return fmt.Errorf("mqtt: message of quality %d, want 0 to 2", m.QoS)
	}
	header := formats.MQTTPacket{QoS: m.QoS, Retain: m.Retain}
	if m.QoS == 0 {
		header.Body = &formats.MQTTPublish{Topic: m.Topic, Payload: m.Payload}
		return c.send(header)
	}
	got, err := c.exchange(ctx, func(id uint16) formats.MQTTPacket {
		header.Body = &formats.MQTTPublish{Topic: m.Topic, PacketID: id, Payload: m.Payload}
		return header
	})
	if err != nil {
		return err
	}
	switch got.(type) {
	case *formats.MQTTPuback, *formats.MQTTPubcomp:
		return nil
	}
	return fmt.Errorf("mqtt: broker answered PUBLISH with %T", got)
}

// Subscribe asks for the messages of a topic filter with at most this quality of service, and returns the
// quality that the broker grants.
func (c *Client) Subscribe(ctx context.Context, topicFilter string, qos uint8) (granted uint8, err error) {
	got, err := c.exchange(ctx, func(id uint16) formats.MQTTPacket {
		return formats.MQTTPacket{QoS: 1, Body: &formats.MQTTSubscribe{PacketID: id, Filters: []formats.MQTTFilter{{Topic: topicFilter, QoS: qos}}}}
	})
	if err != nil {
		return 0, err
	}
	a, ok := got.(*formats.MQTTSuback)
	if !ok || len(a.Codes) != 1 {
		return 0, fmt.Errorf("mqtt: broker answered SUBSCRIBE with %T", got)
	}
	if a.Codes[0] > 2 {
		return 0, fmt.Errorf("mqtt: broker refused the topic filter %q", topicFilter)
	}
	return a.Codes[0], nil
}

// Unsubscribe ends a subscription.
func (c *Client) Unsubscribe(ctx context.Context, topicFilter string) error {
	got, err := c.exchange(ctx, func(id uint16) formats.MQTTPacket {
		return formats.MQTTPacket{QoS: 1, Body: &formats.MQTTUnsubscribe{PacketID: id, Filters: []formats.MQTTTopic{{Topic: topicFilter}}}}
	})
	if _, ok := got.(*formats.MQTTUnsuback); err == nil && !ok {
		return fmt.Errorf("mqtt: broker answered UNSUBSCRIBE with %T", got)
	}
	return err
}

// Ping sends a packet and waits for the answer of the broker. A client with a KeepAlive calls it if it has nothing
// else to send.
func (c *Client) Ping(ctx context.Context) error {
	pong := make(chan struct{})
	c.mu.Lock()
	c.pings = append(c.pings, pong)
	c.mu.Unlock()
	if err := c.write(0, &formats.MQTTPingreq{}); err != nil {
		return err
	}
	select {
	case <-pong:
		return nil
	case <-c.closed:
		return c.failure()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close sends DISCONNECT and closes the connection.
func (c *Client) Close() error {
	err := c.write(0, &formats.MQTTDisconnect{})
	c.end(ErrClosed)
	return err
}

// exchange sends the packet that build returns for a free identifier, and waits for its acknowledgment. If ctx ends
// first, the identifier stays in use, because the broker may still acknowledge it.
func (c *Client) exchange(ctx context.Context, build func(id uint16) formats.MQTTPacket) (formats.MQTTBody, error) {
	var id uint16
	select {
	case id = <-c.free:
	case <-c.closed:
		return nil, c.failure()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	done := make(chan formats.MQTTBody, 1)
	c.mu.Lock()
	c.waiting[id] = done
	c.mu.Unlock()
	if err := c.send(build(id)); err != nil {
		c.mu.Lock()
		_, waits := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if waits { // otherwise, the broker has acknowledged what was not sent
			c.free <- id
		}
		return nil, err
	}
	select {
	case b := <-done:
		return b, nil
	case <-c.closed:
		return nil, c.failure()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// write sends a packet that has no flags, or only this quality of service.
func (c *Client) write(qos uint8, b formats.MQTTBody) error {
	return c.send(formats.MQTTPacket{QoS: qos, Body: b})
}

// send writes a packet with one Write.
func (c *Client) send(p formats.MQTTPacket) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	var err error
	if c.buffer, err = c.packets.MarshalAppend(c.buffer[:0], &p); err != nil {
		return err
	}
	if _, err := c.conn.Write(c.buffer); err != nil {
		c.end(err)
		return c.failure()
	}
	return nil
}
