package record

import "github.com/octet-go/octet/internal/errtext"

// A Report says what a file contains and what is wrong with it.
type Report struct {
	Size    int64 // bytes of the file
	Parts   int64 // file headers; more than one after a command such as cat
	Blocks  int64 // whole blocks
	Records int64 // in them
	Raw     int64 // bytes of the records
	Stored  int64 // bytes of the zstd frames; 0 if the report is from the index, also after [File.Refresh]

	// Indexed reports whether the file ends with an index of all its blocks, as it
	// does after [Writer.Close], unless Append was used to add little.
	Indexed bool
	// Torn is the number of bytes after the last whole block that a Writer did not
	// complete, or that a power loss has changed. A file that ends with a whole block is
	// not torn.
	Torn int64
	// Aside is the name of the file to which [Append] has moved these bytes, in the Report
	// of its Writer.
	Aside string
	// Damage lists what is damaged, in order. Reading a file stops at the first
	// place; [Recover] continues and lists at most 1000. Damaged counts all of them.
	Damage  []Damage
	Damaged int64
	// Lost is the number of records that the damage took, as far as the ordinals of
	// the next blocks show it.
	Lost int64
}

// Damage is a place at which a file is damaged.
type Damage struct {
	Offset int64 // of the frame at fault
	Length int64 // bytes up to the next block that can be read; 0 in a Report of a File
	Err    error
}

// add counts a block.
func (r *Report) add(b Block) {
	r.Blocks++
	r.Records += int64(b.Records)
	r.Raw += int64(b.Raw)
	r.Stored += int64(b.Stored)
}

// maxDamage is the number of places that a Report lists.
const maxDamage = 1000

// String returns the Report on one line, such as "12 records in 2 blocks, 40 bytes torn".
func (r Report) String() string {
	s := errtext.Counted(r.Records, "record") + " in " + errtext.Counted(r.Blocks, "block")
	if r.Parts > 1 {
		s += " of " + errtext.Counted(r.Parts, "file")
	}
	if r.Torn > 0 {
		s += ", " + errtext.Counted(r.Torn, "byte") + " torn"
	}
	if r.Aside != "" {
		s += " and moved to " + r.Aside
	}
	if r.Damaged > 0 {
		s += ", " + errtext.Counted(r.Damaged, "damaged place")
	}
	if r.Lost > 0 {
		s += ", " + errtext.Counted(r.Lost, "record") + " lost"
	}
	return s
}
