package syntax

// A Ledger holds, for each open container that is read or written in parts, how many
// values it still expects, from the outermost to the innermost. A container that is
// complete is removed, together with the containers around it of which it was the
// last value. The innermost container therefore always expects a value.
type Ledger []uint64

// Pass counts one value.
func (l *Ledger) Pass() {
	if n := len(*l); n > 0 {
		(*l)[n-1]--
		l.closeComplete()
	}
}

// Open counts the header of a container of the given number of values.
func (l *Ledger) Open(values uint64) {
	if n := len(*l); n > 0 {
		(*l)[n-1]--
	}
	*l = append(*l, values)
	l.closeComplete()
}

// closeComplete removes the containers that are complete.
func (l *Ledger) closeComplete() {
	n := len(*l)
	for n > 0 && (*l)[n-1] == 0 {
		n--
	}
	*l = (*l)[:n]
}

// Due returns the number of values that the open containers still expect. It is a
// minimum, because these values can be containers.
func (l Ledger) Due() (values uint64) {
	for _, n := range l {
		values += n
	}
	return values
}
