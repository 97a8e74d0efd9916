package cases

import (
	"bytes"
	"errors"
	"io"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/tinylib/msgp/msgp"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// partContests returns the contests on a struct whose header, keys and fields are written and read by a call each, as
// programs do that have no struct for a message: parts/stream to a writer and from a reader, parts/slice with functions
// on a slice, as in package wire.
func partContests() []engine.Contest {
	verbs := []string{verbPut, verbGet}
	return []engine.Contest{
		streamsOf("parts", "stream", verbs, readings, []streamer[shape.Reading]{octetParts, vmihailencoParts, msgpParts}, msgpParts),
		streamsOf("parts", "slice", verbs, readings, []streamer[shape.Reading]{
			sliced(engine.Ours, appendWire, consumeWire), sliced("msgp", appendMsgp, readMsgp),
		}, msgpParts),
	}
}

var errParts = errors.New("not the fields of a Reading")

var octetParts = streamer[shape.Reading]{
	name: engine.Ours,
	writer: func(w io.Writer) writer[shape.Reading] {
		e := msgpack.NewEncoder(w)
		return writer[shape.Reading]{func(v *shape.Reading) error {
			return errors.Join(e.WriteMapHeader(6),
				e.WriteString("id"), e.WriteInt(v.ID), e.WriteString("sensor"), e.WriteString(v.Sensor),
				e.WriteString("value"), e.WriteFloat(v.Value), e.WriteString("count"), e.WriteInt(int64(v.Count)),
				e.WriteString("level"), e.WriteUint(uint64(v.Level)), e.WriteString("valid"), e.WriteBool(v.Valid))
		}, e.Flush}
	},
	reader: func(r io.Reader) func(*shape.Reading) error {
		d := msgpack.NewDecoder(r)
		return func(v *shape.Reading) error {
			n, err := d.ReadMapHeader()
			for range n {
				var key string
				if key, err = d.ReadString(); err != nil {
					return err
				}
				switch key {
				case "id":
					v.ID, err = d.ReadInt()
				case "sensor":
					v.Sensor, err = d.ReadString()
				case "value":
					v.Value, err = d.ReadFloat()
				case "count":
					var n int64
					n, err = d.ReadInt()
					v.Count = int(n)
				case "level":
					var n uint64
					n, err = d.ReadUint()
					v.Level = uint16(n)
				case "valid":
					v.Valid, err = d.ReadBool()
				default:
					err = errParts
				}
				if err != nil {
					return err
				}
			}
			return err
		}
	},
}

var vmihailencoParts = streamer[shape.Reading]{
	name: "vmihailenco",
	writer: func(w io.Writer) writer[shape.Reading] {
		e := vmihailenco.NewEncoder(w)
		e.UseCompactInts(true)
		return writer[shape.Reading]{func(v *shape.Reading) error {
			return errors.Join(e.EncodeMapLen(6),
				e.EncodeString("id"), e.EncodeInt(v.ID), e.EncodeString("sensor"), e.EncodeString(v.Sensor),
				e.EncodeString("value"), e.EncodeFloat64(v.Value), e.EncodeString("count"), e.EncodeInt(int64(v.Count)),
				e.EncodeString("level"), e.EncodeUint(uint64(v.Level)), e.EncodeString("valid"), e.EncodeBool(v.Valid))
		}, func() error { return nil }}
	},
	reader: func(r io.Reader) func(*shape.Reading) error {
		d := vmihailenco.NewDecoder(r)
		return func(v *shape.Reading) error {
			n, err := d.DecodeMapLen()
			for range n {
				var key string
				if key, err = d.DecodeString(); err != nil {
					return err
				}
				switch key {
				case "id":
					v.ID, err = d.DecodeInt64()
				case "sensor":
					v.Sensor, err = d.DecodeString()
				case "value":
					v.Value, err = d.DecodeFloat64()
				case "count":
					v.Count, err = d.DecodeInt()
				case "level":
					v.Level, err = d.DecodeUint16()
				case "valid":
					v.Valid, err = d.DecodeBool()
				default:
					err = errParts
				}
				if err != nil {
					return err
				}
			}
			return err
		}
	},
}

var msgpParts = streamer[shape.Reading]{
	name: "msgp",
	writer: func(w io.Writer) writer[shape.Reading] {
		e := msgp.NewWriter(w)
		return writer[shape.Reading]{func(v *shape.Reading) error {
			return errors.Join(e.WriteMapHeader(6),
				e.WriteString("id"), e.WriteInt64(v.ID), e.WriteString("sensor"), e.WriteString(v.Sensor),
				e.WriteString("value"), e.WriteFloat64(v.Value), e.WriteString("count"), e.WriteInt(v.Count),
				e.WriteString("level"), e.WriteUint16(v.Level), e.WriteString("valid"), e.WriteBool(v.Valid))
		}, e.Flush}
	},
	reader: func(r io.Reader) func(*shape.Reading) error {
		d := msgp.NewReader(r)
		return func(v *shape.Reading) error {
			n, err := d.ReadMapHeader()
			for range n {
				var key string
				if key, err = d.ReadString(); err != nil {
					return err
				}
				switch key {
				case "id":
					v.ID, err = d.ReadInt64()
				case "sensor":
					v.Sensor, err = d.ReadString()
				case "value":
					v.Value, err = d.ReadFloat64()
				case "count":
					v.Count, err = d.ReadInt()
				case "level":
					v.Level, err = d.ReadUint16()
				case "valid":
					v.Valid, err = d.ReadBool()
				default:
					err = errParts
				}
				if err != nil {
					return err
				}
			}
			return err
		}
	},
}

// sliced returns a streamer of functions that append a value to a slice, and that read the first one of a slice. Its
// writer and reader only pass the slices on.
func sliced(name string, appendTo func([]byte, *shape.Reading) []byte, read func([]byte, *shape.Reading) ([]byte, error)) streamer[shape.Reading] {
	return streamer[shape.Reading]{
		name: name,
		writer: func(w io.Writer) writer[shape.Reading] {
			var b []byte
			flush := func() error {
				_, err := w.Write(b)
				b = b[:0]
				return err
			}
			return writer[shape.Reading]{func(v *shape.Reading) error {
				if b = appendTo(b, v); len(b) > 16<<10 {
					return flush()
				}
				return nil
			}, flush}
		},
		reader: func(r io.Reader) func(*shape.Reading) error {
			var all, rest []byte
			return func(v *shape.Reading) (err error) {
				if len(rest) == 0 {
					if l, ok := r.(*ring); ok {
						all = l.data
					} else if all, err = io.ReadAll(r); err != nil {
						return err
					}
					rest = all
				}
				rest, err = read(rest, v)
				return err
			}
		},
	}
}

func appendWire(b []byte, v *shape.Reading) []byte {
	b = wire.AppendMapHeader(b, 6)
	b = wire.AppendInt(wire.AppendString(b, "id"), v.ID)
	b = wire.AppendString(wire.AppendString(b, "sensor"), v.Sensor)
	b = wire.AppendFloat64(wire.AppendString(b, "value"), v.Value)
	b = wire.AppendInt(wire.AppendString(b, "count"), int64(v.Count))
	b = wire.AppendUint(wire.AppendString(b, "level"), uint64(v.Level))
	return wire.AppendBool(wire.AppendString(b, "valid"), v.Valid)
}

func consumeWire(b []byte, v *shape.Reading) ([]byte, error) {
	pairs, n, err := wire.ConsumeMapHeader(b)
	b = b[n:]
	for range pairs {
		key, n, err := wire.ConsumeString(b)
		if err != nil {
			return b, err
		}
		b = b[n:]
		switch string(key) {
		case "id":
			v.ID, n, err = wire.ConsumeInt(b)
		case "sensor":
			var s []byte
			s, n, err = wire.ConsumeString(b)
			v.Sensor = string(s)
		case "value":
			v.Value, n, err = wire.ConsumeFloat64(b)
		case "count":
			var c int64
			c, n, err = wire.ConsumeInt(b)
			v.Count = int(c)
		case "level":
			var l uint64
			l, n, err = wire.ConsumeUint(b)
			v.Level = uint16(l)
		case "valid":
			v.Valid, n, err = wire.ConsumeBool(b)
		default:
			err = errParts
		}
		if err != nil {
			return b, err
		}
		b = b[n:]
	}
	return b, err
}

func appendMsgp(b []byte, v *shape.Reading) []byte {
	b = msgp.AppendMapHeader(b, 6)
	b = msgp.AppendInt64(msgp.AppendString(b, "id"), v.ID)
	b = msgp.AppendString(msgp.AppendString(b, "sensor"), v.Sensor)
	b = msgp.AppendFloat64(msgp.AppendString(b, "value"), v.Value)
	b = msgp.AppendInt(msgp.AppendString(b, "count"), v.Count)
	b = msgp.AppendUint16(msgp.AppendString(b, "level"), v.Level)
	return msgp.AppendBool(msgp.AppendString(b, "valid"), v.Valid)
}

func readMsgp(b []byte, v *shape.Reading) ([]byte, error) {
	pairs, b, err := msgp.ReadMapHeaderBytes(b)
	for range pairs {
		var key []byte
		if key, b, err = msgp.ReadStringZC(b); err != nil {
			return b, err
		}
		switch string(key) {
		case "id":
			v.ID, b, err = msgp.ReadInt64Bytes(b)
		case "sensor":
			v.Sensor, b, err = msgp.ReadStringBytes(b)
		case "value":
			v.Value, b, err = msgp.ReadFloat64Bytes(b)
		case "count":
			v.Count, b, err = msgp.ReadIntBytes(b)
		case "level":
			v.Level, b, err = msgp.ReadUint16Bytes(b)
		case "valid":
			v.Valid, b, err = msgp.ReadBoolBytes(b)
		default:
			err = errParts
		}
		if err != nil {
			return b, err
		}
	}
	return b, err
}

// oneByOne gives a streamer that has no calls for a single message those of its stream.
func (l streamer[T]) oneByOne() streamer[T] {
	if l.putOne == nil {
		l.putOne = func(w *bytes.Buffer, v *T) error {
			s := l.writer(w)
			return errors.Join(s.put(v), s.flush())
		}
		l.getOne = func(r *bytes.Reader, v *T) error { return l.reader(r)(v) }
	}
	return l
}
