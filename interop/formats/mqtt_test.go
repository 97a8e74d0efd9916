package formats

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/octet-go/octet/layout/formats"
)

// TestMQTT writes random packets with Paho, decodes them, encodes their values, and
// lets Paho read those.
func TestMQTT(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c := codec(t)
	kinds := map[string]int{}
	const total = 2000
	for range total {
		p := pahoPacket(r)
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		data := bytes.Clone(b.Bytes())
		list := messages(t, p.String(), formats.MQTT(), data)
		if len(list) != 1 {
			t.Fatalf("%v: %d packets", p, len(list))
		}
		kinds[list[0].Name]++
		back, err := packets.ReadPacket(bytes.NewReader(marshal(t, c, list[0].Value)))
		if err != nil || back.String() != p.String() {
			t.Errorf("Paho read %v, %v, want %v", back, err, p)
		}
		comparePacket(t, list[0].Value.(*formats.MQTTPacket), p)
	}
	t.Logf("%d packets agree with Paho and encode to the same bytes: %v", total, kinds)
	if len(kinds) != 14 {
		t.Errorf("%d types of packets", len(kinds))
	}
}

func pahoPacket(r *rand.Rand) packets.ControlPacket {
	id := 1 + uint16(r.Uint32N(65535))
	topic := func() string { return strings.Repeat("a/", r.IntN(20)) + "b" }
	p := packets.NewControlPacket(byte(1 + r.IntN(14)))
	switch p := p.(type) {
	case *packets.ConnectPacket:
		p.ProtocolName, p.ProtocolVersion = "MQTT", 4
		p.CleanSession = r.IntN(2) == 0
		p.Keepalive = uint16(r.Uint32())
		p.ClientIdentifier = topic()
		if p.WillFlag = r.IntN(2) == 0; p.WillFlag {
			p.WillQos, p.WillRetain, p.WillTopic, p.WillMessage = byte(r.IntN(3)), r.IntN(2) == 0, topic(), []byte("will")
		}
		if p.UsernameFlag = r.IntN(2) == 0; p.UsernameFlag {
			p.Username = "user"
			if p.PasswordFlag = r.IntN(2) == 0; p.PasswordFlag {
				p.Password = []byte("password")
			}
		}
	case *packets.ConnackPacket:
		p.SessionPresent, p.ReturnCode = r.IntN(2) == 0, byte(r.IntN(6))
	case *packets.PublishPacket:
		p.Qos, p.Retain, p.Dup = byte(r.IntN(3)), r.IntN(2) == 0, r.IntN(2) == 0
		p.TopicName, p.Payload = topic(), make([]byte, r.IntN(300)*r.IntN(80))
		if p.Qos > 0 {
			p.MessageID = id
		}
	case *packets.PubackPacket:
		p.MessageID = id
	case *packets.PubrecPacket:
		p.MessageID = id
	case *packets.PubrelPacket:
		p.MessageID = id
	case *packets.PubcompPacket:
		p.MessageID = id
	case *packets.SubscribePacket:
		p.MessageID = id
		for range 1 + r.IntN(4) {
			p.Topics, p.Qoss = append(p.Topics, topic()), append(p.Qoss, byte(r.IntN(3)))
		}
	case *packets.SubackPacket:
		p.MessageID, p.ReturnCodes = id, []byte{0, 1, 0x80}
	case *packets.UnsubscribePacket:
		p.MessageID = id
		for range 1 + r.IntN(4) {
			p.Topics = append(p.Topics, topic())
		}
	case *packets.UnsubackPacket:
		p.MessageID = id
	}
	return p
}

func comparePacket(t *testing.T, got *formats.MQTTPacket, want packets.ControlPacket) {
	t.Helper()
	same := true
	switch w := want.(type) {
	case *packets.ConnectPacket:
		g := got.Body.(*formats.MQTTConnect)
		same = g.Protocol == w.ProtocolName && g.Level == w.ProtocolVersion && g.Clean == w.CleanSession && g.KeepAlive == w.Keepalive &&
			g.ClientID == w.ClientIdentifier && g.HasWill == w.WillFlag && g.WillQoS == w.WillQos && g.WillRetain == w.WillRetain &&
			g.WillTopic == w.WillTopic && string(g.WillMessage) == string(w.WillMessage) && g.User == w.Username && string(g.Password) == string(w.Password)
	case *packets.ConnackPacket:
		g := got.Body.(*formats.MQTTConnack)
		same = g.SessionPresent == w.SessionPresent && g.Code == w.ReturnCode
	case *packets.PublishPacket:
		g := got.Body.(*formats.MQTTPublish)
		same = got.QoS == w.Qos && got.Dup == w.Dup && got.Retain == w.Retain && g.Topic == w.TopicName && g.PacketID == w.MessageID && bytes.Equal(g.Payload, w.Payload)
	case *packets.SubscribePacket:
		g := got.Body.(*formats.MQTTSubscribe)
		same = got.QoS == 1 && g.PacketID == w.MessageID && len(g.Filters) == len(w.Topics)
		for i := range w.Topics {
			same = same && g.Filters[i].Topic == w.Topics[i] && g.Filters[i].QoS == w.Qoss[i]
		}
	case *packets.SubackPacket:
		g := got.Body.(*formats.MQTTSuback)
		same = g.PacketID == w.MessageID && bytes.Equal(g.Codes, w.ReturnCodes)
	case *packets.UnsubscribePacket:
		g := got.Body.(*formats.MQTTUnsubscribe)
		same = g.PacketID == w.MessageID && len(g.Filters) == len(w.Topics)
		for i := range w.Topics {
			same = same && g.Filters[i].Topic == w.Topics[i]
		}
	default: // packets that have only an identifier, or nothing
		same = identifier(got.Body) == want.Details().MessageID
	}
	if !same {
		t.Errorf("%+v %+v\nwant %v", got, got.Body, want)
	}
}

func identifier(body any) uint16 {
	switch b := body.(type) {
	case *formats.MQTTPuback:
		return b.PacketID
	case *formats.MQTTPubrec:
		return b.PacketID
	case *formats.MQTTPubrel:
		return b.PacketID
	case *formats.MQTTPubcomp:
		return b.PacketID
	case *formats.MQTTUnsuback:
		return b.PacketID
	}
	return 0
}
