// Package layout encodes and decodes binary messages that structs declare: network
// protocols and file formats with lengths, counts, checksums, unions, bit fields
// and conditions. Struct tags say how each field is written.
//
//	type Frame struct {
//		Command uint8  `layout:"const=2"`
//		Length  uint32 `layout:"len=Items"`
//		Items   []Item
//	}
//
//	type Item struct {
//		ID     uint8
//		Length uint16 `layout:"len=Data"`
//		Data   []byte
//	}
//
//	b, err := layout.Marshal(&Frame{Items: items})
//	err = layout.Unmarshal(b, &frame)
//
// Lengths, counts, checksums and the tags of unions are computed when a message is
// encoded, and checked when it is decoded. For data of fixed size without tags, use
// package binary.
package layout
