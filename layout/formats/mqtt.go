package formats

import "github.com/octet-go/octet/layout"

// MQTT is the packets of MQTT 3.1.1 in one direction of a connection.
func MQTT() Format {
	return Format{"mqtt", "MQTT 3.1.1 packets of one direction", func(w *walk) {
		stream(w, w.be, 0, func(p *MQTTPacket) string {
			if p == nil || int(p.Type) >= len(mqttNames) {
				return "packet"
			}
			return mqttNames[p.Type] + " packet"
		})
	}}
}

var mqttNames = [...]string{
	"packet of type 0", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP", "SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK",
	"PINGREQ", "PINGRESP", "DISCONNECT",
}

// MQTTPacket is a control packet.
type MQTTPacket struct {
	_      struct{} `layout:"be"`
	Type   uint8    `layout:"bits=4"` // by the type of Body
	Dup    bool     `layout:"bits=1"`
	QoS    uint8    `layout:"bits=2"` // 1 in PUBREL, SUBSCRIBE and UNSUBSCRIBE
	Retain bool     `layout:"bits=1"`
	Body   MQTTBody `layout:"switch=Type,prefix=varint"`
}

// MQTTBody is the content of a packet: a pointer to one of the MQTT types.
type MQTTBody any

func mqttUnions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[MQTTBody](
		layout.VariantOf[*MQTTConnect](1),
		layout.VariantOf[*MQTTConnack](2),
		layout.VariantOf[*MQTTPublish](3),
		layout.VariantOf[*MQTTPuback](4),
		layout.VariantOf[*MQTTPubrec](5),
		layout.VariantOf[*MQTTPubrel](6),
		layout.VariantOf[*MQTTPubcomp](7),
		layout.VariantOf[*MQTTSubscribe](8),
		layout.VariantOf[*MQTTSuback](9),
		layout.VariantOf[*MQTTUnsubscribe](10),
		layout.VariantOf[*MQTTUnsuback](11),
		layout.VariantOf[*MQTTPingreq](12),
		layout.VariantOf[*MQTTPingresp](13),
		layout.VariantOf[*MQTTDisconnect](14),
	)}
}

// The contents of packets, in the order of their types.
type (
	MQTTConnect struct {
		Protocol    string `layout:"prefix=u16"` // MQTT
		Level       uint8  // 4
		HasUser     bool   `layout:"bits=1"`
		HasPassword bool   `layout:"bits=1"`
		WillRetain  bool   `layout:"bits=1"`
		WillQoS     uint8  `layout:"bits=2"`
		HasWill     bool   `layout:"bits=1"`
		Clean       bool   `layout:"bits=1"`
		Reserved    bool   `layout:"bits=1"`
		KeepAlive   uint16 // in seconds
		ClientID    string `layout:"prefix=u16"`
		WillTopic   string `layout:"prefix=u16,if=HasWill"`
		WillMessage []byte `layout:"prefix=u16,if=HasWill"`
		User        string `layout:"prefix=u16,if=HasUser"`
		Password    []byte `layout:"prefix=u16,if=HasPassword"`
	}
	MQTTConnack struct {
		Reserved       uint8 `layout:"bits=7"`
		SessionPresent bool  `layout:"bits=1"`
		Code           uint8 // 0 accepted
	}
	MQTTPublish struct {
		Topic    string `layout:"prefix=u16"`
		PacketID uint16 `layout:"if=QoS"`
		Payload  []byte
	}
	MQTTPuback    struct{ PacketID uint16 }
	MQTTPubrec    struct{ PacketID uint16 }
	MQTTPubrel    struct{ PacketID uint16 }
	MQTTPubcomp   struct{ PacketID uint16 }
	MQTTSubscribe struct {
		PacketID uint16
		Filters  []MQTTFilter
	}
	MQTTFilter struct {
		Topic string `layout:"prefix=u16"`
		QoS   uint8  `layout:"max=2"`
	}
	MQTTSuback struct {
		PacketID uint16
		Codes    []uint8 // the granted QoS, or 0x80
	}
	MQTTUnsubscribe struct {
		PacketID uint16
		Filters  []MQTTTopic
	}
	MQTTTopic struct {
		Topic string `layout:"prefix=u16"`
	}
	MQTTUnsuback   struct{ PacketID uint16 }
	MQTTPingreq    struct{}
	MQTTPingresp   struct{}
	MQTTDisconnect struct{}
)
