package sniff

import "io"

// NewUTF8 returns a reader that converts text to UTF-8 and skips its byte order
// mark.
func NewUTF8(r io.Reader, e Encoding) io.Reader {
	return &utf8Reader{r: r, e: e, skip: e.Mark, in: make([]byte, 0, utf8Buffer/2)}
}

// utf8Buffer is the number of bytes that are converted at a time.
const utf8Buffer = 64 << 10

// invalidByte replaces a code unit that is not a character. The byte is not valid
// UTF-8, so the JSON decoder reports an error at this position. It would accept
// U+FFFD.
const invalidByte = 0xff

type utf8Reader struct {
	r    io.Reader
	e    Encoding
	skip int    // bytes of the byte order mark that are left
	in   []byte // bytes that are not converted
	out  []byte // converted bytes that are not read
	err  error
}

func (u *utf8Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		n, err := u.r.Read(u.in[len(u.in):cap(u.in)])
		u.in, u.err = u.in[:len(u.in)+n], err
		u.convert(err != nil)
		if n == 0 && err == nil {
			return 0, nil
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// convert converts the complete characters in u.in. At the end of the input, it
// replaces an incomplete one.
func (u *utf8Reader) convert(end bool) {
	in, unit := u.in, u.e.Unit
	out := u.out[:0]
	if cap(out) < utf8Buffer {
		out = make([]byte, 0, 2*utf8Buffer)
	}
	if u.skip > 0 {
		n := min(u.skip, len(in))
		in, u.skip = in[n:], u.skip-n
	}
	for len(in) >= unit {
		r, size := u.e.next(in)
		if size == 0 && !end {
			break
		}
		if size == 0 {
			size = unit
		}
		out = appendCharacter(out, r)
		in = in[size:]
	}
	if end && len(in) > 0 && u.err == io.EOF {
		out, in = append(out, invalidByte), nil
	}
	u.in = append(u.in[:0], in...)
	u.out = out
}
