package table

// Binary is encoding/binary. Its types are the same in Octet. Files that use only
// byte orders and varints stay: they would not get faster.
var Binary = &Library{
	Name: "encoding/binary", Path: "encoding/binary", Page: "encoding-binary", Swap: "github.com/octet-go/octet/binary",
	Same: true, OnlyWith: []string{"Read", "Write", "Append", "Encode", "Decode", "Size"},
	Rows: same("Append", "AppendByteOrder", "AppendUvarint", "AppendVarint", "BigEndian", "ByteOrder", "Decode", "Encode", "LittleEndian", "MaxVarintLen16",
		"MaxVarintLen32", "MaxVarintLen64", "NativeEndian", "PutUvarint", "PutVarint", "Read", "ReadUvarint", "ReadVarint", "Size", "Uvarint", "Varint", "Write"),
}

func same(names ...string) (rows []Row) {
	for _, n := range names {
		rows = append(rows, Row{Name: n, Value: "{new}." + n})
	}
	return rows
}

// Buffer is bytes.Buffer.
var Buffer = &Library{
	Name: "bytes.Buffer", Path: "bytes", Page: "bytes-buffer", Swap: "github.com/octet-go/octet/bytebuf",
	Rows: []Row{
		{Name: "Buffer", Value: "{new}.Buffer"},
		{Name: "NewBuffer", Call: "{new}.NewBuffer({1})"},
		{Name: "NewBufferString", Call: "{new}.NewBufferString({1})"},
		{Name: "Buffer.*", Value: "{recv}.{name}"},
	},
}
