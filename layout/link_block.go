package layout

// This file joins the operations of a run that only move bytes.

// moved returns how many bytes an operation moves, or 0 if it does something else.
func (o *op) moved() int {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		return int(o.width)
	case opCopyN:
		return int(o.n)
	}
	return 0
}

// joinCopies makes one operation of those that copy bytes which are side by side both in
// memory and on the wire.
func joinCopies(ops []op) []op {
	list := ops[:0]
	for _, o := range ops {
		if k := o.moved(); k > 0 && !o.isSwap() && len(list) > 0 {
			last := &list[len(list)-1]
			if n := last.moved(); n > 0 && !last.isSwap() && last.off+uintptr(n) == o.off {
				*last = copyOf(n+k, last.off)
				continue
			}
		}
		list = append(list, o)
	}
	return list
}

// copyOf returns the operation that copies n bytes.
func copyOf(n int, off uintptr) op {
	if n == 1 || n == 2 || n == 4 || n == 8 {
		return op{code: moveCode(n, false), width: uint8(n), off: off}
	}
	return op{code: opCopyN, width: 1, n: int32(n), off: off}
}

// isSwap reports whether an operation swaps bytes.
func (o *op) isSwap() bool { return o.code >= opSwap2 && o.code <= opSwap8 }

// endRun joins the operations of the run that ends here, and makes the lists of those that
// are words.
func (toWire) endRun(l *linker) {
	l.ops = l.ops[:l.run+1+len(joinCopies(l.ops[l.run+1:]))]
	l.windows()
	for i := l.run + 1; i < len(l.ops); i++ {
		if o := &l.ops[i]; o.code == opWord {
			o.setParts()
		}
	}
}
