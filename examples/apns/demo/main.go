// Demo runs a server and a client of the retired push protocol on the loopback interface. It sends notifications, some of
// them to tokens that the server refuses, through a network that cuts connections, and prints what arrived.
package main

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/octet-go/octet/examples/apns"
	"github.com/octet-go/octet/examples/apns/internal/certs"
	"github.com/octet-go/octet/examples/apns/internal/unreliable"
)

func main() {
	count := flag.Int("n", 100000, "`number` of notifications to send")
	bad := flag.Float64("bad", 1, "`percentage` of notifications with a token that the server refuses")
	resets := flag.Int("resets", 0, "cut each connection after about this `number` of bytes; 0 never cuts")
	flag.Usage = func() {
		fmt.Fprintf(flag.CommandLine.Output(), "Usage: go run ./examples/apns/demo [flags]\n\n"+
			"Sends notifications with the binary push protocol that was retired on 31 March 2021,\n"+
			"over TLS on the loopback interface, and prints what arrived.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || *count < 1 || *count > 1<<31-1 || *bad < 0 || *bad > 100 || *resets < 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*count, *bad, *resets); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(count int, bad float64, resets int) error {
	authority, err := certs.New()
	if err != nil {
		return err
	}
	serverConfig, err := authority.Server()
	if err != nil {
		return err
	}
	clientConfig, err := authority.Client("demo provider")
	if err != nil {
		return err
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", serverConfig)
	if err != nil {
		return err
	}

	arrived := make([]uint32, count)
	server := &apns.Server{Handler: apns.Once(apns.HandlerFunc(func(_ string, n apns.Notification) apns.Status {
		if n.Token[0] != 0 {
			return apns.InvalidToken
		}
		arrived[binary.BigEndian.Uint32(n.Token[28:])]++
		return apns.OK
	}), 20000)}
	go server.Serve(listener)

	refused := 0
	options := apns.Options{Refused: func(apns.Notification, apns.Status) { refused++ }}
	if resets > 0 {
		options.Dial = unreliable.Dialer(new(net.Dialer).DialContext, unreliable.Options{CutAfter: resets})
		options.Attempts = 1000 // each cut before an answer is a failed attempt
		options.Pause = 10 * time.Millisecond
	}
	client := apns.NewClient(listener.Addr().String(), clientConfig, &options)
	ctx, start := context.Background(), time.Now()
	wanted := 0 // notifications that the server refuses
	for i := range count {
		var token apns.Token
		binary.BigEndian.PutUint32(token[28:], uint32(i))
		if int(float64(i+1)*bad/100) > int(float64(i)*bad/100) {
			token[0] = 1
			wanted++
		}
		if _, err := client.Send(ctx, apns.Notification{Token: token, Payload: []byte(`{"aps":{"alert":"Hi!"}}`)}); err != nil {
			return err
		}
	}
	if err := client.Close(ctx); err != nil {
		return err
	}
	elapsed := time.Since(start)
	if err := server.Shutdown(ctx); err != nil {
		return err
	}

	once := 0
	for _, n := range arrived {
		if n == 1 {
			once++
		}
	}
	fmt.Printf("%d sent in %.1f s: %d arrived once, %d refused\n", count, elapsed.Seconds(), once, refused)
	if once != count-wanted || refused != wanted {
		return fmt.Errorf("want %d that arrive once and %d refused", count-wanted, wanted)
	}
	return nil
}
