package table

// MessagePack returns the libraries for MessagePack.
func MessagePack() []*Library {
	return []*Library{Vmihailenco, Vmihailenco4, Shamaton, Shamaton2, Ugorji, Hashicorp1, Hashicorp2, Msgp}
}

// Standard returns the packages of the standard library that Octet has faster
// ones for.
func Standard() []*Library { return []*Library{Binary, Buffer} }

// Chosen returns the libraries to replace, with those of the standard library or
// without.
func Chosen(std bool) []*Library {
	if std {
		return All()
	}
	return MessagePack()
}

// All returns every table.
func All() []*Library { return append(MessagePack(), Standard()...) }
