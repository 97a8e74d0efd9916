package apns_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/examples/apns"
	"github.com/octet-go/octet/layout"
)

var testToken = apns.Token(bytes.Repeat([]byte{0xAB}, 32))

// The messages of the tests, written by hand from the description of the protocol.
var (
	tokenHex = strings.Repeat("ab", 32)
	simple   = unhex("00 0020" + tokenHex + "0002 7b7d")
	enhanced = unhex("01 01020304 05060708 0020" + tokenHex + "0002 7b7d")
	framed   = unhex("02 0000003a 01 0020" + tokenHex + "02 0002 7b7d 03 0004 01020304 04 0004 05060708 05 0001 0a")
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

func read(b []byte) (apns.Notification, error) {
	return apns.ReadNotification(bufio.NewReader(bytes.NewReader(b)))
}

func TestMessages(t *testing.T) {
	n := apns.Notification{Token: testToken, Payload: []byte("{}"), Identifier: 0x01020304, Expiry: 0x05060708, Priority: apns.Immediately}
	got, err := apns.Append(nil, &n)
	if err != nil || !bytes.Equal(got, framed) {
		t.Errorf("Append: %x, %v; want %x", got, err, framed)
	}
	got, err = layout.Marshal(&apns.Simple{Token: testToken[:], Payload: n.Payload})
	if err != nil || !bytes.Equal(got, simple) {
		t.Errorf("Simple: %x, %v; want %x", got, err, simple)
	}
	got, err = layout.Marshal(&apns.Enhanced{Identifier: n.Identifier, Expiry: n.Expiry, Token: testToken[:], Payload: n.Payload})
	if err != nil || !bytes.Equal(got, enhanced) {
		t.Errorf("Enhanced: %x, %v; want %x", got, err, enhanced)
	}
	got, err = layout.Marshal(&apns.Response{Status: apns.InvalidToken, Identifier: 7})
	if want := unhex("08 08 00000007"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("Response: %x, %v; want %x", got, err, want)
	}
	got, err = layout.Marshal(&apns.Feedback{Time: 1, Token: testToken[:]})
	if want := unhex("00000001 0020" + tokenHex); err != nil || !bytes.Equal(got, want) {
		t.Errorf("Feedback: %x, %v; want %x", got, err, want)
	}
}

func TestReadNotification(t *testing.T) {
	want := map[string]apns.Notification{
		"simple":   {Token: testToken, Payload: []byte("{}"), Priority: apns.Immediately},
		"enhanced": {Token: testToken, Payload: []byte("{}"), Identifier: 0x01020304, Expiry: 0x05060708, Priority: apns.Immediately},
		"framed":   {Token: testToken, Payload: []byte("{}"), Identifier: 0x01020304, Expiry: 0x05060708, Priority: apns.Immediately},
	}
	for name, message := range map[string][]byte{"simple": simple, "enhanced": enhanced, "framed": framed} {
		r := bufio.NewReader(io.MultiReader(bytes.NewReader(message), strings.NewReader("next")))
		n, err := apns.ReadNotification(r)
		w := want[name]
		if err != nil || n.Token != w.Token || string(n.Payload) != "{}" || n.Identifier != w.Identifier ||
			n.Expiry != w.Expiry || n.Priority != w.Priority {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
		if rest, _ := io.ReadAll(r); string(rest) != "next" {
			t.Errorf("%s: %q is left, want the next message", name, rest)
		}
		for i := 1; i < len(message); i++ {
			if _, err := read(message[:i]); !errors.Is(err, layout.ErrTruncated) {
				t.Errorf("%s, first %d bytes: %v, want ErrTruncated", name, i, err)
			}
		}
	}
	if _, err := read(nil); err != io.EOF {
		t.Errorf("no bytes: %v, want io.EOF", err)
	}
}

// items returns a message of command 2.
func items(hexItems string) []byte {
	b := unhex(hexItems)
	return append([]byte{2, 0, 0, byte(len(b) >> 8), byte(len(b))}, b...)
}

func TestRefusedMessages(t *testing.T) {
	token, id := "01 0020"+tokenHex, "03 0004 00000009"
	long := strings.Repeat("20", apns.MaxPayload+1)
	cases := []struct {
		name    string
		message []byte
		status  apns.Status
		id      uint32
	}{
		{"token of 31 bytes", items("01 001f" + tokenHex[2:] + "02 0002 7b7d" + id), apns.WrongTokenSize, 9},
		{"token of 33 bytes", items("01 0021 00" + tokenHex + "02 0002 7b7d" + id), apns.WrongTokenSize, 9},
		{"no token", items("02 0002 7b7d" + id), apns.MissingToken, 9},
		{"empty token", items("01 0000 02 0002 7b7d" + id), apns.MissingToken, 9},
		{"no payload", items(token + id), apns.MissingPayload, 9},
		{"payload too long", items(token + "02 0801" + long + id), apns.WrongPayloadSize, 9},
		{"unknown item", items(token + "06 0001 00" + "02 0002 7b7d" + id), apns.ProcessingError, 9},
		{"item 0", items(token + "00 0001 00" + "02 0002 7b7d" + id), apns.ProcessingError, 9},
		{"item twice", items(token + token + "02 0002 7b7d" + id), apns.ProcessingError, 9},
		{"identifier of 3 bytes", items(token + "02 0002 7b7d" + "03 0003 000009"), apns.ProcessingError, 0},
		{"priority 7", items(token + "02 0002 7b7d" + "05 0001 07" + id), apns.ProcessingError, 9},
		{"token of command 0", unhex("00 0003 010203 0002 7b7d"), apns.WrongTokenSize, 0},
		{"payload of command 1", unhex("01 00000009 00000000 0020" + tokenHex + "0101" + long[:2*257]), apns.WrongPayloadSize, 9},
		{"command 3", []byte{3}, apns.ProcessingError, 0},
	}
	for _, c := range cases {
		_, err := read(c.message)
		var refused *apns.RefusedError
		if !errors.As(err, &refused) || refused.Status != c.status || refused.Identifier != c.id {
			t.Errorf("%s: %v, want %v of notification %d", c.name, err, c.status, c.id)
		}
	}
}

// A length that exceeds its frame is an error before memory is allocated for it.
func TestFalseLengths(t *testing.T) {
	for name, message := range map[string][]byte{
		"item longer than frame": items("01 ffff" + tokenHex),
		"frame too long":         append(unhex("02 ffffffff"), framed[5:]...),
		"frame cut in an item":   items("01 0020" + tokenHex + "02 00"),
	} {
		_, err := read(message)
		var e *layout.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want a *layout.Error", name, err)
		}
	}
}

func TestPayloadLimit(t *testing.T) {
	n := apns.Notification{Payload: make([]byte, apns.MaxPayload), Priority: apns.SavePower}
	message, err := apns.Append(nil, &n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(message); err != nil {
		t.Errorf("longest payload: %v", err)
	}
	n.Payload = append(n.Payload, 0)
	if _, err := apns.Append(nil, &n); !errors.Is(err, layout.ErrLimit) && !errors.Is(err, layout.ErrLength) {
		t.Errorf("payload too long: %v", err)
	}
}

func FuzzReadNotification(f *testing.F) {
	f.Add(simple)
	f.Add(enhanced)
	f.Add(framed)
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := read(b)
		if err != nil {
			return
		}
		again, err := apns.Append(nil, &n)
		if err != nil {
			t.Fatalf("%+v was read and cannot be written: %v", n, err)
		}
		m, err := read(again)
		if err != nil || m.Token != n.Token || !bytes.Equal(m.Payload, n.Payload) || m.Identifier != n.Identifier {
			t.Fatalf("%+v became %+v, %v", n, m, err)
		}
	})
}
