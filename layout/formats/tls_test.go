package formats

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var dumpLine = regexp.MustCompile(`(?m)^[0-9a-f]{8}  ([0-9a-f ]{48,50})\|`)

// transcript returns the bytes that each side sent, of a file in the form of
// crypto/tls.
func transcript(t testing.TB, text string) (client, server []byte) {
	t.Helper()
	for _, flow := range strings.Split(text, ">>> Flow ")[1:] {
		var data []byte
		for _, m := range dumpLine.FindAllStringSubmatch(flow, -1) {
			b, err := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, b...)
		}
		if strings.Contains(flow, "(client to server)") {
			client = append(client, data...)
		} else {
			server = append(server, data...)
		}
	}
	return client, server
}

// TestTLS decodes the transcripts of crypto/tls and compares hellos and
// certificates with the results of crypto/tls and crypto/x509.
func TestTLS(t *testing.T) {
	list := files(t, goroot(t, "src", "crypto", "tls", "testdata"), "")
	kinds := map[string]int{}
	n, records, hellos, certificates := 0, 0, 0, 0
	for name, text := range list {
		client, server := transcript(t, string(text))
		if client == nil {
			continue
		}
		n++
		offered := []uint16{}
		for side, data := range [][]byte{client, server} {
			got, err := messages(TLS(), data)
			if err != nil {
				t.Errorf("%s: side %d: %v", name, side, err)
				continue
			}
			off := int64(0)
			for i, m := range got {
				encodes(t, m)
				if m.Offset != off {
					t.Errorf("%s: record %d at %d, want %d", name, i, m.Offset, off)
				}
				off += int64(len(m.Data))
				records++
				kinds[m.Name]++
				if i == 0 && !strings.Contains(m.Name, "hello") && m.Name != "alert" {
					t.Errorf("%s: first record is %s", name, m.Name)
				}
				r, ok := m.Value.(*TLSRecord)
				if !ok {
					continue
				}
				hs, ok := r.Body.(*TLSHandshakes)
				if !ok {
					continue
				}
				for _, h := range hs.Messages {
					switch b := h.Body.(type) {
					case *TLSClientHello:
						hellos++
						offered = b.CipherSuites
						if i == 0 {
							compareHello(t, name, m.Data, b)
						}
					case *TLSServerHello:
						hellos++
						if !slices.Contains(offered, b.CipherSuite) {
							t.Errorf("%s: server chose %#x of %#x", name, b.CipherSuite, offered)
						}
					case *TLSCertificate:
						for _, c := range b.Chain {
							if _, err := x509.ParseCertificate(c.DER); err != nil {
								t.Errorf("%s: %v", name, err)
							}
							certificates++
						}
					}
				}
			}
			if off != int64(len(data)) {
				t.Errorf("%s: records end at %d of %d", name, off, len(data))
			}
		}
	}
	t.Logf("%d transcripts, %d records encode to the same bytes, %d hellos, %d certificates parse", n, records, hellos, certificates)
	t.Logf("records by kind: %v", kinds)
	if n < 100 {
		t.Errorf("%d transcripts", n)
	}
}

var errStop = errors.New("stop")

// compareHello gives the record to a server of crypto/tls and compares what it
// understood.
func compareHello(t *testing.T, name string, record []byte, hello *TLSClientHello) {
	t.Helper()
	var want *tls.ClientHelloInfo
	c, s := net.Pipe()
	defer c.Close()
	go func() {
		c.SetDeadline(time.Now().Add(time.Minute))
		c.Write(record)
		buf := make([]byte, 1024)
		for {
			if _, err := c.Read(buf); err != nil {
				return
			}
		}
	}()
	err := tls.Server(s, &tls.Config{MinVersion: tls.VersionTLS10, GetConfigForClient: func(h *tls.ClientHelloInfo) (*tls.Config, error) {
		want = h
		return nil, errStop
	}}).Handshake()
	s.Close()
	if want == nil {
		t.Errorf("%s: crypto/tls: %v", name, err)
		return
	}
	var got tls.ClientHelloInfo
	for _, e := range hello.Extensions {
		switch b := e.Body.(type) {
		case *TLSServerNames:
			got.ServerName = b.Names[0].Host
		case *TLSGroups:
			for _, g := range b.Groups {
				got.SupportedCurves = append(got.SupportedCurves, tls.CurveID(g))
			}
		case *TLSPointFormats:
			got.SupportedPoints = b.Formats
		case *TLSSignatures:
			for _, g := range b.Schemes {
				got.SignatureSchemes = append(got.SignatureSchemes, tls.SignatureScheme(g))
			}
		case *TLSProtocols:
			for _, p := range b.Names {
				got.SupportedProtos = append(got.SupportedProtos, p.Name)
			}
		case *TLSVersions:
			got.SupportedVersions = b.Versions
		}
		got.Extensions = append(got.Extensions, e.Type)
	}
	if got.ServerName != want.ServerName || !slices.Equal(got.SupportedCurves, want.SupportedCurves) || !bytes.Equal(got.SupportedPoints, want.SupportedPoints) ||
		!slices.Equal(got.SignatureSchemes, want.SignatureSchemes) || !slices.Equal(got.SupportedProtos, want.SupportedProtos) ||
		!slices.Equal(hello.CipherSuites, want.CipherSuites) || !slices.Equal(got.Extensions, want.Extensions) ||
		got.SupportedVersions != nil && !slices.Equal(got.SupportedVersions, want.SupportedVersions) {
		t.Errorf("%s: %+v\nwant %+v", name, &got, want)
	}
}
