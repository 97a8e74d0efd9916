package msgpack

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A getField is one field of a struct: its key, in the form in which it is compared,
// and the operation that decodes its value. The halves of map entries, the elements
// of a struct in array form and whole messages are fields without a key.
//
// Keys are compared with their headers, as words of eight bytes: one comparison for
// keys of up to 7 characters, two for up to 15. This is faster than a comparison of
// strings, which needs the header decoded and a call.
type getField struct {
	first, last uint64                   // the first and last eight bytes of the encoded key; equal if it is shorter
	mask        uint64                   // the bytes of first that belong to the key
	offset      uintptr                  // of the variable in the struct
	whole       mem.Ptr                  // to the encoded key, if it is longer than two words
	same        *getField                // another field with the same slot in the key table, or nil
	next        atomic.Pointer[getField] // the field that is expected after this one, see learn
	number      uint32                   // of the field, from 1, if decodeChecked must know whether it occurs; otherwise 0
	size        uint8                    // length of the encoded key; 0 if it is too long to be compared by words
	get         getOp
}

// maxKeySize is the longest encoded key that is compared by words.
const maxKeySize = math.MaxUint8

// setKey sets the encoded key, unless it is too long. Such a field is found by its name.
func (f *getField) setKey(key []byte) {
	n := len(key)
	if n > maxKeySize {
		f.matchNothing()
		return
	}
	p := mem.Bytes(append(key, make([]byte, 8)...)) // Load64 reads eight bytes of a shorter key
	f.size, f.mask = uint8(n), keyMasks[min(n, 8)]
	f.first = mem.Load64(p, 0) & f.mask
	if f.last = f.first; n > 8 {
		f.last = mem.Load64(p, n-8)
	}
	if n > 16 {
		f.whole = p
	}
}

// matchNothing makes f differ from every key: no masked word equals 1.
func (f *getField) matchNothing() { f.first, f.mask = 1, 0 }

// keyMasks holds the mask of the first word by the length of the encoded key.
var keyMasks = makeKeyMasks()

func makeKeyMasks() (t [1 + maxScalar]uint64) {
	for i := range t {
		t[i] = math.MaxUint64 >> (64 - 8*min(i, 8))
	}
	return t
}

// isBetween reports whether the bytes of the key at in+pos between its first and
// last word equal those of f.
func (f *getField) isBetween(in mem.Ptr, pos int) bool {
	for i := 8; i < int(f.size)-8; i += 8 {
		if mem.Load64(in, pos+i) != mem.Load64(f.whole, i) {
			return false
		}
	}
	return true
}

// A fieldSet holds the fields that [fieldSet.decode] decodes: those of a struct, or
// the two halves of a map entry.
type fieldSet struct {
	fields   []getField   // in declared order, then the sentinel
	sentinel *getField    // no field: precedes the first that is expected, and follows the last
	decoders []decodeFunc // by field, for values that fast leaves
	values   uint64       // values in the input for each field: 2 with keys, otherwise 1
	keys     keyTable
	unknown  func(d *decoder, key int, p mem.Ptr) error // see structDecoder.unknown
	lenient  bool                                       // a key that is not found by its words is skipped with its value
	integers bool                                       // the keys are integers, and the names in keys their encoded forms
	changes  atomic.Int32                               // calls of learn that may still have an effect
}

// init makes n fields without keys, which are expected in this order.
func (s *fieldSet) init(n int) {
	s.values = 1
	s.fields = make([]getField, n+1)
	s.sentinel = &s.fields[n]
	s.sentinel.matchNothing()
	for i := range s.fields {
		s.fields[i].next.Store(&s.fields[(i+1)%(n+1)])
	}
}

// initKeys makes fields with keys, which are integers or strings.
func (s *fieldSet) initKeys(names []string, integers bool) {
	s.init(len(names))
	s.values, s.integers = 2, integers
	for i, name := range names {
		key := wire.AppendString(nil, name)
		if integers {
			key = appendIntegerKey(nil, name)
			names[i] = string(key)
		}
		s.fields[i].setKey(key)
	}
	s.keys = makeKeyTable(names, s.fields)
	s.changes.Store(int32(min(changesPerField*(len(names)+1), math.MaxInt32)))
}

// changesPerField limits the calls of learn that have an effect, for each field.
const changesPerField = 64

// learn records that a message had the key of f after that of the field before. Most
// senders write their keys in the same order each time, so the keys of the next
// message are found without a search.
//
// The number of changes is limited, because goroutines that decode the same type
// wait for each other when they change shared memory. After the last change, the
// declared order is expected for good: the sender varies the order, or there are
// several senders.
func (s *fieldSet) learn(before, f *getField) {
	switch left := s.changes.Add(-1); {
	case left > 0:
		before.next.Store(f)
	case left == 0:
		for i := range s.fields {
			s.fields[i].next.Store(&s.fields[(i+1)%len(s.fields)])
		}
	}
}

// index returns the index of f in s.fields.
func (s *fieldSet) index(f *getField) int {
	return mem.Distance(mem.SliceStart(s.fields), mem.PtrTo(f)) / mem.SizeOf[getField]()
}

// find skips the next key and returns its field, or nil if there is none. It handles
// keys in any format; fast handles the usual ones.
func (s *fieldSet) find(d *decoder) (*getField, error) {
	h, err := d.header("field name")
	if err != nil {
		return nil, err
	}
	switch k := h.Format.Kind(); {
	case k == wire.KindInt && s.integers:
		return s.findInteger(d)
	case k != wire.KindStr && k != wire.KindBin || s.integers:
		return nil, d.skip() // a key of another kind is an unknown key
	}
	key, err := d.payload(h, "field name")
	if err != nil {
		return nil, err
	}
	return s.named(key), nil
}

// named returns the field with a name, or nil.
func (s *fieldSet) named(name []byte) *getField {
	if i, ok := s.keys.names[string(name)]; ok {
		return &s.fields[i]
	}
	return nil
}

// findInteger is find for a key that is an integer, in a format of any width.
func (s *fieldSet) findInteger(d *decoder) (*getField, error) {
	v, negative, err := d.integer("")
	if err != nil {
		return nil, err
	}
	var room [maxInteger]byte
	key := wire.AppendUint(room[:0], v)
	if negative {
		key = wire.AppendInt(room[:0], int64(v))
	}
	return s.named(key), nil
}

// A keyTable finds the fields of a struct by their keys in any order. Keys of up to
// shortString bytes are found by their words, in a hash table whose slots are lists.
// The multiplier of the hash is chosen so that the keys of this struct collide as
// little as possible. All other keys are found by name.
type keyTable struct {
	names map[string]int
	slots []*getField // the first field of each list; the length is a power of two
	seed  uint64      // the multiplier
	shift uint        // keeps the high bits of the product, which depend on all bits of the word
	tails bool        // hash the first and the last word, because several keys share the first
}

// maxFills limits the time for choosing a multiplier.
const maxFills = 4096

func makeKeyTable(names []string, fields []getField) keyTable {
	t := keyTable{names: make(map[string]int, len(names))}
	firsts := make(map[uint64]bool, len(names))
	for i, name := range names {
		t.names[name] = i
		firsts[fields[i].first] = true
	}
	t.tails = len(firsts) < len(names)
	log := bits.Len(uint(2*len(names) | 1))
	t.slots, t.shift = make([]*getField, 1<<log), uint(64-log)
	best, fewest := uint64(0), len(names)+1
	for seed := range uint64(max(1, min(32, maxFills/(len(names)+1)))) {
		t.seed = 0x9e3779b97f4a7c15 * (2*seed + 1)
		collisions := t.fill(fields[:len(names)])
		if collisions < fewest {
			best, fewest = t.seed, collisions
		}
		if fewest == 0 {
			return t
		}
	}
	t.seed = best
	t.fill(fields[:len(names)])
	return t
}

// fill puts the fields into the slots and returns how many of them collided.
func (t *keyTable) fill(fields []getField) (collisions int) {
	clear(t.slots)
	for i := range fields {
		f := &fields[i]
		if f.size == 0 || f.size > 1+shortString {
			continue // found by name, because its header is not one byte
		}
		word := f.first
		if t.tails && f.size > 8 {
			word ^= f.last
		}
		slot := &t.slots[t.hash(word)]
		if *slot != nil {
			collisions++
		}
		f.same, *slot = *slot, f
	}
	return collisions
}

// hash returns the slot of a word. The mask of the shift saves the compiler a test
// for shifts of 64 bits or more.
func (t *keyTable) hash(word uint64) uint64 { return word * t.seed >> (t.shift & 63) }

// list returns the first of the fields in the slot of a word, or nil.
func (t *keyTable) list(word uint64) *getField {
	return *mem.At[*getField](mem.SliceStart(t.slots).Add(uintptr(t.hash(word)) * uintptr(mem.SizeOf[*getField]())))
}
