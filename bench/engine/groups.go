package engine

// A Group is a section of the reports. Groups is in the order of the sections.
type Group struct {
	Name, Title, About string
}

// Groups lists the groups that a case may have.
var Groups = []Group{
	{"values", "Values", "A Go value to bytes in one call, and back. Libraries that read MessagePack decode the same message, the others decode their own messages."},
	{"parts", "Parts", "A small struct, written and read with a call for each key and field."},
	{"streams", "Streams", "Small structs, one after another, to a writer and from a reader in memory."},
	{"record", "Files of records", "Files of many records in memory, from creating to closing them, and reading them. An operation is one record, for Parallel a file of 64 MiB. The limit writes encoded bytes, for Discard it encodes without writing, and for Read it decodes from memory."},
	{"fixed", "Fixed-size structs", "Structs of numbers in big-endian order, and the frame of a protocol."},
	{"layout", "Declared messages", "Messages that struct tags declare, in big-endian order. By hand: offset arithmetic in a function of its own. Octet and the code by hand check all constants and lengths, and the decoded payload is part of the message."},
	{"messages", "Messages of real protocols", "Messages that struct tags declare, 256 values of each in turn, in the ways of package bench/messages. octet is Typed.Append and Typed.Unmarshal; octet any is MarshalAppend and UnmarshalPrefix, which look up the type of their argument. By hand: an encoder and a decoder for this message alone, which check as much. Alias decodes without copies: by hand of slices of bytes, Octet also of strings."},
	{"arrays", "Arrays of integers", "A slice of 64-bit integers to bytes, to a writer and back."},
	{"buffers", "Buffers", "Small writes to a buffer, and the contents at the end."},
	{"growth", "Growth", "The same operation on 1 to a million elements: a horizontal line is a cost proportional to the size of the data."},
	{"first", "First calls", "Each call is the first one in a separate process. octet later is Octet's third call with the same value."},
}
