package mqtt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	broker "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/layout/formats"
)

const count = 10000

// startBroker runs a broker on the loopback interface and returns its address.
func startBroker(t *testing.T) string {
	t.Helper()
	s := broker.New(&broker.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err := s.AddHook(new(auth.AllowHook), nil); err != nil {
		t.Fatal(err)
	}
	l := listeners.NewTCP(listeners.Config{ID: "test", Address: "127.0.0.1:0"})
	if err := s.AddListener(l); err != nil {
		t.Fatal(err)
	}
	if err := s.Serve(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return l.Address()
}

// inbox has the messages that arrived.
type inbox struct {
	mu       sync.Mutex
	messages []Message
	full     chan struct{} // closed when all messages are there
}

func newInbox() *inbox { return &inbox{full: make(chan struct{})} }

func (b *inbox) add(m Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages = append(b.messages, m)
	if len(b.messages) == count {
		close(b.full)
	}
}

// check waits for the messages that numbered makes, in order.
func (b *inbox) check(t *testing.T, qos uint8) {
	t.Helper()
	select {
	case <-b.full:
	case <-deadline(t).Done():
		t.Fatalf("%d of %d messages arrived", len(b.messages), count)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.messages) != count {
		t.Errorf("%d messages arrived, want %d", len(b.messages), count)
	}
	for i, m := range b.messages {
		want := numbered(i, qos)
		if m.Topic != want.Topic || !bytes.Equal(m.Payload, want.Payload) || m.QoS != qos {
			t.Fatalf("message %d: %q of %d bytes with quality %d", i, m.Topic, len(m.Payload), m.QoS)
		}
	}
}

// numbered returns message i. Its payload has 8 to about 300 bytes, so that lengths take one and two bytes.
func numbered(i int, qos uint8) Message {
	payload := binary.BigEndian.AppendUint64(nil, uint64(i))
	payload = append(payload, bytes.Repeat([]byte{byte(i)}, i%293)...)
	return Message{Topic: fmt.Sprintf("sensors/%d/temperature", i%7), Payload: payload, QoS: qos}
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func dial(t *testing.T, address, id string, received func(Message)) *Client {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Connect(conn, received, &Options{ClientID: id, Username: "user", Password: []byte("secret"), KeepAlive: 60})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// Messages pass from this client through a broker to this client and to another one, in order.
func TestPublish(t *testing.T) {
	for qos := range uint8(3) {
		t.Run(fmt.Sprintf("quality %d", qos), func(t *testing.T) {
			address := startBroker(t)
			ours, theirs := newInbox(), newInbox()
			subscriber := dial(t, address, "subscriber", ours.add)
			if granted, err := subscriber.Subscribe(deadline(t), "sensors/#", qos); err != nil || granted != qos {
				t.Fatalf("Subscribe: quality %d, %v", granted, err)
			}
			other := pahoClient(t, address)
			wait(t, other.Subscribe("sensors/#", qos, func(_ paho.Client, m paho.Message) {
				theirs.add(Message{Topic: m.Topic(), Payload: m.Payload(), QoS: m.Qos()})
			}))

			publisher := dial(t, address, "publisher", func(Message) { t.Error("the publisher received a message") })
			for i := range count {
				if err := publisher.Publish(deadline(t), numbered(i, qos)); err != nil {
					t.Fatal(err)
				}
				if qos == 0 && i%500 == 0 { // a broker drops messages of quality 0 when a subscriber is slow
					if err := publisher.Ping(deadline(t)); err != nil {
						t.Fatal(err)
					}
					time.Sleep(5 * time.Millisecond)
				}
			}
			ours.check(t, qos)
			theirs.check(t, qos)
		})
	}
}

// TestUserName requires a user name with every password: without one, a broker closes the connection.
func TestUserName(t *testing.T) {
	for _, c := range []struct {
		o    Options
		user bool
	}{
		{Options{}, false}, {Options{Username: "u"}, true}, {Options{Password: []byte("p")}, true}, {Options{Username: "u", Password: []byte("p")}, true},
	} {
		if p := connectPacket(&c.o); p.HasUser != c.user || p.HasPassword != (c.o.Password != nil) {
			t.Errorf("%+v: user name %t, password %t", c.o, p.HasUser, p.HasPassword)
		}
	}
}

// Messages of another client library arrive.
func TestReceive(t *testing.T) {
	address := startBroker(t)
	received := newInbox()
	subscriber := dial(t, address, "subscriber", received.add)
	if _, err := subscriber.Subscribe(deadline(t), "sensors/+/temperature", 2); err != nil {
		t.Fatal(err)
	}
	publisher := pahoClient(t, address)
	for i := range count {
		m := numbered(i, 1)
		wait(t, publisher.Publish(m.Topic, m.QoS, false, m.Payload))
	}
	received.check(t, 1)
	if err := subscriber.Unsubscribe(deadline(t), "sensors/+/temperature"); err != nil {
		t.Fatal(err)
	}
}

// TestRefused checks that packets which cannot be encoded do not use up the packet identifiers.
func TestRefused(t *testing.T) {
	c := dial(t, startBroker(t), "client", func(Message) {})
	ctx, cancel := context.WithTimeout(deadline(t), 20*time.Second)
	defer cancel()
	long := Message{Topic: string(make([]byte, 1<<16)), QoS: 1}
	for range maxInFlight + 1 {
		var e *layout.Error
		if err := c.Publish(ctx, long); !errors.As(err, &e) {
			t.Fatalf("a topic of 64 KiB: %v, want a *layout.Error", err)
		}
	}
	if err := c.Publish(ctx, numbered(1, 1)); err != nil {
		t.Errorf("after refused packets: %v", err)
	}
}

// TestEarlyAcknowledgment checks that the identifier of a packet that cannot be encoded is free once, although a broker
// has acknowledged it.
func TestEarlyAcknowledgment(t *testing.T) {
	c := dial(t, startBroker(t), "client", nil)
	<-c.free // makes room for one too many
	_, err := c.exchange(deadline(t), func(id uint16) formats.MQTTPacket {
		if err := c.acknowledge(id, &formats.MQTTPuback{PacketID: id}); err != nil {
			t.Error(err)
		}
		return formats.MQTTPacket{QoS: 1, Body: &formats.MQTTPublish{Topic: string(make([]byte, 1<<16)), PacketID: id}}
	})
	if got := len(c.free); err == nil || got != maxInFlight-1 {
		t.Errorf("%d identifiers are free, want %d; %v", got, maxInFlight-1, err)
	}
}

// TestQuality checks that messages of quality 3, which does not exist, are neither sent nor accepted.
func TestQuality(t *testing.T) {
	ours, theirs := net.Pipe()
	go func() {
		theirs.Read(make([]byte, 1000)) // CONNECT
		theirs.Write([]byte{0x20, 2, 0, 0, 0x36, 5, 0, 1, 'a', 0, 1})
		io.Copy(io.Discard, theirs)
	}()
	c, err := Connect(ours, func(m Message) { t.Errorf("received %v", m) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	select {
	case <-c.closed:
	case <-deadline(t).Done():
		t.Error("the client accepts a message of quality 3")
	}
	if err := dial(t, startBroker(t), "client", nil).Publish(deadline(t), Message{Topic: "a", QoS: 3}); err == nil || !strings.Contains(err.Error(), "quality 3") {
		t.Errorf("sending a message of quality 3: %v", err)
	}
}

func pahoClient(t *testing.T, address string) paho.Client {
	t.Helper()
	c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("paho").SetProtocolVersion(4))
	wait(t, c.Connect())
	t.Cleanup(func() { c.Disconnect(0) })
	return c
}

func wait(t *testing.T, token paho.Token) {
	t.Helper()
	if !token.WaitTimeout(time.Minute) {
		t.Fatal("paho: timeout")
	}
	if err := token.Error(); err != nil {
		t.Fatal(err)
	}
}
