package layout

import "github.com/octet-go/octet/internal/errtext"

// checkBits verifies the runs of bit fields and gives each field its place. A run is one
// number on the wire, so its fields cannot be in different byte orders or be filled from
// different ends, and what is stated on one field holds for all. The limit of 64 bits lets
// every operation hold a run in one variable.
func (s *scope) checkBits(g *group) error {
	for i := 0; i < len(g.items); i++ {
		if in := g.items[i].group; in != nil {
			if err := s.checkBits(in); err != nil {
				return err
			}
			continue
		}
		first := g.items[i].node
		if first.tag.bits == 0 {
			continue
		}
		// The place counts from the first field. Where that is in the number depends on the
		// byte order, which order=F may choose later; see shift.
		run := g.run(i)
		total := 0
		for _, n := range run {
			n.runFirst, n.runBit = first, total
			total += n.tag.bits
			switch {
			case n.tag.order != noOrder && n.tag.order != first.tag.order || n.tag.orderOf != "" && n.tag.orderOf != first.tag.orderOf:
				return wrong(n.path(), "the byte order of a run of bits must be on its first field, %s; to begin another run, add the option end to the field before", first.name)
			case n.tag.fill != byOrder && first.tag.fill != byOrder && n.tag.fill != first.tag.fill:
				return wrong(n.path(), "msb and lsb in one run of bits")
			case total > 64:
				return wrong(n.path(), "the run of bits that begins at %s has more than 64 bits; add the option end to a field that completes a byte", first.name)
			}
			if first.tag.fill == byOrder {
				first.tag.fill = n.tag.fill
			}
		}
		if total%8 != 0 {
			return wrong(first.path(), "the run of bits that begins here has %s, not whole bytes; add a field _ uint8 with bits=%d", errtext.Counted(total, "bit"), 8-total%8)
		}
		first.runLen = total / 8
		i += len(run) - 1
	}
	return nil
}

// run returns the bit fields from item i on that share a run. A field with the option end
// closes its run, so that two runs can follow each other; an embedded struct does, too,
// because its fields may be absent or in another order.
func (g *group) run(i int) (run []*node) {
	for ; i < len(g.items); i++ {
		n := g.items[i].node
		if n == nil || n.tag.bits == 0 {
			break
		}
		run = append(run, n)
		if n.tag.closeRun {
			break
		}
	}
	return run
}
