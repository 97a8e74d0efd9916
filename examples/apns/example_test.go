package apns_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"

	"github.com/octet-go/octet/examples/apns"
	"github.com/octet-go/octet/examples/apns/internal/certs"
)

// listen returns a TLS listener on the loopback interface, and the configuration of a client with a certificate for it.
func listen() (net.Listener, *tls.Config) {
	authority, err := certs.New()
	if err != nil {
		log.Fatal(err)
	}
	server, err := authority.Server()
	if err != nil {
		log.Fatal(err)
	}
	client, err := authority.Client("example")
	if err != nil {
		log.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", server)
	if err != nil {
		log.Fatal(err)
	}
	return l, client
}

// A server and a client on the loopback interface. The server refuses the second notification; the client sends the
// third one again.
func Example() {
	l, config := listen()
	server := &apns.Server{Handler: apns.HandlerFunc(func(provider string, n apns.Notification) apns.Status {
		if n.Token[0] == 0xFF {
			return apns.InvalidToken
		}
		fmt.Printf("%s: %s\n", provider, n.Payload)
		return apns.OK
	})}
	go server.Serve(l)

	ctx := context.Background()
	client := apns.NewClient(l.Addr().String(), config, &apns.Options{
		Refused: func(n apns.Notification, s apns.Status) { fmt.Printf("refused: %s: %v\n", n.Payload, s) },
	})
	for _, n := range []apns.Notification{
		{Payload: []byte(`{"aps":{"alert":"one"}}`)},
		{Payload: []byte(`{"aps":{"alert":"two"}}`), Token: apns.Token{0xFF}},
		{Payload: []byte(`{"aps":{"alert":"three"}}`)},
	} {
		if _, err := client.Send(ctx, n); err != nil {
			log.Fatal(err)
		}
	}
	if err := client.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(client.Unsettled()), "unsettled")
	if err := client.Close(ctx); err != nil {
		log.Fatal(err)
	}
	if err := server.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// example: {"aps":{"alert":"one"}}
	// refused: {"aps":{"alert":"two"}}: invalid token
	// example: {"aps":{"alert":"three"}}
	// 0 unsettled
}

func ExampleAppend() {
	b, err := apns.Append(nil, &apns.Notification{Payload: []byte("{}"), Identifier: 7, Priority: apns.SavePower})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d bytes, first % x\n", len(b), b[:8])
	// Output: 63 bytes, first 02 00 00 00 3a 01 00 20
}

func ExampleReadNotification() {
	b, err := apns.Append(nil, &apns.Notification{Payload: []byte("{}"), Identifier: 7, Priority: apns.SavePower})
	if err != nil {
		log.Fatal(err)
	}
	b[7] = 31 // the length of the token
	_, err = apns.ReadNotification(bufio.NewReader(bytes.NewReader(b)))
	fmt.Println(err != nil)

	_, err = apns.ReadNotification(bufio.NewReader(bytes.NewReader([]byte{9})))
	var refused *apns.RefusedError
	if errors.As(err, &refused) {
		fmt.Println(refused.Status)
		fmt.Println(refused)
	}
	// Output:
	// true
	// processing error
	// apns: notification 0 refused: processing error: unknown command 9
}

func ExampleReadFeedback() {
	l, config := listen()
	server := &apns.Server{Feedback: func(provider string) []apns.Feedback {
		return []apns.Feedback{{Time: 1609459200, Token: make([]byte, 32)}}
	}}
	go server.ServeFeedback(l)
	for f, err := range apns.ReadFeedback(context.Background(), l.Addr().String(), config) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.When().UTC().Format("2006-01-02"), len(f.Token))
	}
	server.Shutdown(context.Background())
	// Output: 2021-01-01 32
}

func ExampleOnce() {
	h := apns.Once(apns.HandlerFunc(func(_ string, n apns.Notification) apns.Status {
		fmt.Println("notification", n.Identifier)
		return apns.OK
	}), 1000)
	n := apns.Notification{Identifier: 7}
	fmt.Println(h.Push("example", n))
	fmt.Println(h.Push("example", n))
	// Output:
	// notification 7
	// no error
	// no error
}
