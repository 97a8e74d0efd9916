// Package formats declares well-known formats and protocols with the tags of
// package layout: whole messages, down to their last fields.
//
//	for m, err := range formats.PNG().Messages(data) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(m.Offset, m.Name, m.Value)
//	}
//
// A [Format] walks a whole file: it follows offsets, changes the byte order and
// finds where one message ends and the next begins. [Lookup] finds a format by
// name. The command octet inspect --layout shows what the formats yield.
//
// The types can be used alone, as in
//
//	codec, err := layout.New(formats.Options())
//	n, err := codec.UnmarshalPrefix(data, &frame) // a formats.HTTP2Frame
//
// because [Options] has the unions and sums that they need. Their names begin
// with that of the format.
//
// The declarations also serve as examples of the tags. PNG has a checksum and a
// union by the type of a chunk. ELF and PCAPNG choose the byte order at run
// time. ZIP, gzip and MQTT have bit fields. TZIF has numbers that count several
// slices. TLS has nested frames of u24, MQTT one with a varint. TAR has digits,
// a named sum and a type with methods.
//
// Not decoded: compressed data and the encrypted parts of TLS, which are bytes.
// Names in DNS messages must not be compressed. File contents in ZIP, TAR and
// ELF are not messages, except tables that are listed with the format.
package formats
