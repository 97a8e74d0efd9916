package scan

import "unicode/utf8"

// A Text checks whether the payload of a str is valid UTF-8. The payload arrives
// in parts.
type Text struct {
	partial [utf8.UTFMax]byte // the bytes of a character that is split between two parts
	held    int               // number of bytes in partial
	valid   int64             // number of bytes found to be valid
	invalid bool
}

// Reset prepares t for another str.
func (t *Text) Reset() { *t = Text{} }

// Write checks the next part.
func (t *Text) Write(part []byte) {
	// Complete the character that the previous part ended with.
	for !t.invalid && t.held > 0 && len(part) > 0 {
		t.partial[t.held] = part[0]
		t.held++
		part = part[1:]
		if !utf8.FullRune(t.partial[:t.held]) {
			continue
		}
		if r, size := utf8.DecodeRune(t.partial[:t.held]); r == utf8.RuneError && size <= 1 {
			t.invalid = true
			return
		}
		t.valid += int64(t.held)
		t.held = 0
	}
	if !t.invalid && utf8.Valid(part) { // which reads several bytes at a time
		t.valid += int64(len(part))
		return
	}
	for !t.invalid && len(part) > 0 {
		r, size := utf8.DecodeRune(part)
		if r != utf8.RuneError || size > 1 {
			part = part[size:]
			t.valid += int64(size)
			continue
		}
		if utf8.FullRune(part) {
			t.invalid = true
			return
		}
		// The next part may complete the character.
		t.held = copy(t.partial[:], part)
		return
	}
}

// Invalid returns, after the last part, the number of valid bytes before the
// first invalid one, or -1 if all are valid.
func (t *Text) Invalid() int64 {
	if t.invalid || t.held > 0 {
		return t.valid
	}
	return -1
}
