package formats

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/octet-go/octet/layout/formats"
)

// TestDNS builds messages with dnsmessage, without compression, and compares what
// both make of them.
func TestDNS(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	c := codec(t)
	const total = 1000
	records := 0
	for range total {
		header := dnsmessage.Header{ID: uint16(r.Uint32()), Response: r.IntN(2) == 0, OpCode: dnsmessage.OpCode(r.IntN(16)), Authoritative: r.IntN(2) == 0,
			Truncated: r.IntN(2) == 0, RecursionDesired: r.IntN(2) == 0, RecursionAvailable: r.IntN(2) == 0, AuthenticData: r.IntN(2) == 0,
			CheckingDisabled: r.IntN(2) == 0, RCode: dnsmessage.RCode(r.IntN(16))}
		b := dnsmessage.NewBuilder(nil, header)
		var questions []dnsmessage.Question
		check(t, b.StartQuestions())
		for range r.IntN(3) {
			q := dnsmessage.Question{Name: dnsName(r), Type: dnsmessage.Type(r.Uint32()), Class: dnsmessage.Class(r.Uint32())}
			questions = append(questions, q)
			check(t, b.Question(q))
		}
		check(t, b.StartAnswers())
		answers := r.IntN(6)
		for range answers {
			addRecord(t, &b, r)
		}
		check(t, b.StartAuthorities())
		authorities := r.IntN(2)
		for range authorities {
			addRecord(t, &b, r)
		}
		data, err := b.Finish()
		check(t, err)

		var m formats.DNSMessage
		if err := c.Unmarshal(data, &m); err != nil {
			t.Fatalf("% x: %v", data, err)
		}
		if got := marshal(t, c, &m); string(got) != string(data) {
			t.Fatalf("got  % x\nwant % x", got, data)
		}
		var want dnsmessage.Message
		check(t, want.Unpack(data))
		if m.ID != want.ID || m.Response != want.Response || m.Opcode != uint8(want.OpCode) || m.Authoritative != want.Authoritative ||
			m.Truncated != want.Truncated || m.RecursionDesired != want.RecursionDesired || m.RecursionAvailable != want.RecursionAvailable ||
			m.AuthenticData != want.AuthenticData || m.CheckingDisabled != want.CheckingDisabled || m.Code != uint8(want.RCode) {
			t.Errorf("%+v\nwant %+v", m, want.Header)
		}
		if len(m.Questions) != len(questions) || len(m.Answers) != answers || len(m.Authorities) != authorities {
			t.Errorf("%+v\nwant %+v", m, want)
		}
		for i, q := range m.Questions {
			if w := want.Questions[i]; text(q.Name) != w.Name.String() || q.Type != uint16(w.Type) || q.Class != uint16(w.Class) {
				t.Errorf("%+v, want %+v", q, w)
			}
		}
		for i, a := range append(m.Answers, m.Authorities...) {
			w := append(want.Answers, want.Authorities...)[i]
			if text(a.Name) != w.Header.Name.String() || a.Type != uint16(w.Header.Type) || a.Class != uint16(w.Header.Class) || a.TTL != w.Header.TTL {
				t.Errorf("%+v, want %+v", a, w)
			}
			compareData(t, a.Data, w.Body)
			records++
		}
		// In a TCP stream.
		stream := append([]byte{byte(len(data) >> 8), byte(len(data))}, data...)
		if list := messages(t, "stream", formats.DNS(), append(stream, stream...)); len(list) != 2 {
			t.Errorf("%d messages in a stream of 2", len(list))
		}
	}
	t.Logf("%d messages with %d records agree with dnsmessage and encode to the same bytes", total, records)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func dnsName(r *rand.Rand) dnsmessage.Name {
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteString(strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(40)) + ".")
	}
	if b.Len() == 0 {
		b.WriteByte('.')
	}
	return dnsmessage.MustNewName(b.String())
}

func text(n formats.DNSName) string {
	var b strings.Builder
	for _, l := range n.Labels {
		b.WriteString(l.Text + ".")
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}

func addRecord(t *testing.T, b *dnsmessage.Builder, r *rand.Rand) {
	t.Helper()
	h := dnsmessage.ResourceHeader{Name: dnsName(r), Class: dnsmessage.ClassINET, TTL: r.Uint32()}
	switch r.IntN(11) {
	case 0:
		check(t, b.AResource(h, dnsmessage.AResource{A: [4]byte{1, 2, 3, byte(r.IntN(256))}}))
	case 1:
		check(t, b.AAAAResource(h, dnsmessage.AAAAResource{AAAA: [16]byte{1, 15: byte(r.IntN(256))}}))
	case 2:
		check(t, b.NSResource(h, dnsmessage.NSResource{NS: dnsName(r)}))
	case 3:
		check(t, b.CNAMEResource(h, dnsmessage.CNAMEResource{CNAME: dnsName(r)}))
	case 4:
		check(t, b.SOAResource(h, dnsmessage.SOAResource{NS: dnsName(r), MBox: dnsName(r), Serial: r.Uint32(), Refresh: 1, Retry: 2, Expire: 3, MinTTL: r.Uint32()}))
	case 5:
		check(t, b.PTRResource(h, dnsmessage.PTRResource{PTR: dnsName(r)}))
	case 6:
		check(t, b.MXResource(h, dnsmessage.MXResource{Pref: uint16(r.Uint32()), MX: dnsName(r)}))
	case 7:
		check(t, b.TXTResource(h, dnsmessage.TXTResource{TXT: []string{"", "a text", strings.Repeat("x", r.IntN(256))}[r.IntN(3):]}))
	case 8:
		check(t, b.SRVResource(h, dnsmessage.SRVResource{Priority: 1, Weight: 2, Port: uint16(r.Uint32()), Target: dnsName(r)}))
	case 9:
		check(t, b.OPTResource(h, dnsmessage.OPTResource{Options: []dnsmessage.Option{{Code: 10, Data: []byte("cookie")}, {Code: uint16(r.Uint32())}}}))
	case 10:
		check(t, b.UnknownResource(h, dnsmessage.UnknownResource{Type: 4711, Data: []byte{1, 2, 3}[r.IntN(4):]}))
	}
}

// compareData compares the data of a record.
func compareData(t *testing.T, got any, want dnsmessage.ResourceBody) {
	t.Helper()
	same := false
	switch w := want.(type) {
	case *dnsmessage.AResource:
		same = got.(*formats.DNSA).Address == w.A
	case *dnsmessage.AAAAResource:
		same = got.(*formats.DNSAAAA).Address == w.AAAA
	case *dnsmessage.NSResource:
		same = text(got.(*formats.DNSNS).Host) == w.NS.String()
	case *dnsmessage.CNAMEResource:
		same = text(got.(*formats.DNSCNAME).Target) == w.CNAME.String()
	case *dnsmessage.SOAResource:
		g := got.(*formats.DNSSOA)
		same = text(g.Primary) == w.NS.String() && text(g.Mailbox) == w.MBox.String() && g.Serial == w.Serial && g.Refresh == w.Refresh &&
			g.Retry == w.Retry && g.Expire == w.Expire && g.Minimum == w.MinTTL
	case *dnsmessage.PTRResource:
		same = text(got.(*formats.DNSPTR).Target) == w.PTR.String()
	case *dnsmessage.MXResource:
		g := got.(*formats.DNSMX)
		same = g.Preference == w.Pref && text(g.Host) == w.MX.String()
	case *dnsmessage.TXTResource:
		g := got.(*formats.DNSTXT)
		same = len(g.Strings) == len(w.TXT)
		for i := range w.TXT {
			same = same && g.Strings[i].Text == w.TXT[i]
		}
	case *dnsmessage.SRVResource:
		g := got.(*formats.DNSSRV)
		same = g.Priority == w.Priority && g.Weight == w.Weight && g.Port == w.Port && text(g.Target) == w.Target.String()
	case *dnsmessage.OPTResource:
		g := got.(*formats.DNSOPT)
		same = len(g.Options) == len(w.Options)
		for i := range w.Options {
			same = same && g.Options[i].Code == w.Options[i].Code && string(g.Options[i].Data) == string(w.Options[i].Data)
		}
	case *dnsmessage.UnknownResource:
		same = got != nil
	}
	if !same {
		t.Errorf("%+v, want %+v", got, want)
	}
}
