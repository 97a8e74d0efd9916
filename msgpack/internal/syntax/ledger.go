package syntax

// A Ledger counts the values that containers still expect when they are read or
// written in parts, from the outermost to the innermost. The innermost expects
// one at least; a container that has all it expects leaves the ledger, with
// those around it of which that was the last value.
type Ledger []uint64

// Pass counts one value.
func (l *Ledger) Pass() {
	if n := len(*l); n > 0 {
		(*l)[n-1]--
		l.shut()
	}
}

// Open counts the header of a container of so many values.
func (l *Ledger) Open(values uint64) {
	if n := len(*l); n > 0 {
		(*l)[n-1]--
	}
	*l = append(*l, values)
	l.shut()
}

// shut removes the containers that are complete.
func (l *Ledger) shut() {
	n := len(*l)
	for n > 0 && (*l)[n-1] == 0 {
		n--
	}
	*l = (*l)[:n]
}

// Due returns how many values are expected at least: those announced so far.
func (l Ledger) Due() (values uint64) {
	for _, n := range l {
		values += n
	}
	return values
}
