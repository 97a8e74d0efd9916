package formats

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/octet-go/octet/layout"
)

// TAR is the archive format of POSIX.1-1988 (ustar), with the extensions of
// POSIX.1-2001 (pax), GNU and Unix V7. It yields each header and the texts of
// extended headers. File contents are skipped. The checksum of a header may be that of
// signed bytes, as old programs wrote it; the codec of the message then computes it so.
func TAR() Format {
	return Format{"tar", "TAR archive: headers with their checksums, extended headers", walkTAR}
}

const tarBlock = 512

func walkTAR(w *walk) {
	size := int64(-1) // of the next content, if an extended header states it
	for off := int64(0); off < w.size() && !w.done; {
		end := off + tarBlock
		if end <= w.size() && isZero(w.data[off:end]) {
			if end+tarBlock > w.size() || isZero(w.data[end:end+tarBlock]) {
				return // two blocks of zeros end the archive
			}
			off = end
			continue
		}
		c, h, next := tarHeader(w, off)
		if h == nil || !w.emit(c, "header of "+strconv.Quote(h.Name), off, next, h) {
			return
		}
		var ok bool
		if off, ok = tarContent(w, h, next, &size); !ok {
			return
		}
	}
}

// tarHeader decodes the header at an offset, and returns it with its codec and its end. If
// there is none, the walk ends, and the header is nil.
func tarHeader(w *walk, off int64) (*layout.Codec, *TARHeader, int64) {
	h := new(TARHeader)
	n, err := w.be.At(w.data, off, h)
	if err == nil {
		return w.be, h, off + int64(n)
	}
	if signed, _ := signedTAR(); signed != nil && errors.Is(err, layout.ErrChecksum) {
		h := new(TARHeader)
		if n, err := signed.At(w.data, off, h); err == nil {
			return signed, h, off + int64(n)
		}
	}
	w.fail("header: %w", err)
	return nil, nil, off
}

// tarContent yields what belongs to a header and returns the offset of the next. The size of the content is *paxSize, if
// that is not negative. A record of an extended header sets it for the header that follows.
func tarContent(w *walk, h *TARHeader, off int64, paxSize *int64) (next int64, ok bool) {
	if gnu, ok := h.Tail.(*TARGNU); ok && h.Type == 'S' {
		for more := gnu.Extended == 1; more; {
			s := new(TARSparse)
			if off, ok = w.at(w.be, "sparse blocks", off, w.size(), s); !ok {
				return off, false
			}
			more = s.Extended == 1
		}
	}
	size, extended := int64(h.Size), strings.IndexByte("xgLK", h.Type) >= 0
	if *paxSize >= 0 && !extended {
		size, *paxSize = *paxSize, -1
	}
	if strings.IndexByte("123456", h.Type) >= 0 {
		size = 0 // links, devices and directories have no content, whatever they say
	}
	if size < 0 {
		w.fail("header before offset %d: size %d", off, size)
		return off, false
	}
	if extended {
		if size > w.size()-off {
			w.fail("extended header at offset %d: %d bytes, %d are left: %w", off, size, w.size()-off, io.ErrUnexpectedEOF)
			return off, false
		}
		text := new(TARText)
		if _, ok := w.at(w.be, "extended header", off, off+size, text); !ok {
			return off, false
		}
		if h.Type == 'x' {
			*paxSize = text.size()
		}
	}
	if size > w.size()-off {
		return w.size(), true
	}
	return off + (size+tarBlock-1)/tarBlock*tarBlock, true
}

// size returns the value of the last record of a pax header that is called size, or -1 if there is none. A record
// is its own length, a space, a name, an equals sign, the value and a newline. What follows a malformed one is ignored.
func (t *TARText) size() int64 {
	size := int64(-1)
	for text := t.Text; text != ""; {
		digits, _, ok := strings.Cut(text, " ")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || n <= len(digits)+1 || n > len(text) {
			break
		}
		record := text[len(digits)+1 : n]
		text = text[n:]
		if value, ok := strings.CutPrefix(record, "size="); ok {
			if n, err := strconv.ParseInt(strings.TrimSuffix(value, "\n"), 10, 64); err == nil && n >= 0 {
				size = n
			}
		}
	}
	return size
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// TARHeader is a header block. Strings end with their field or before its NULs.
type TARHeader struct {
	_        struct{} `layout:"be"`
	Name     string   `layout:"fixed=100"`
	Mode     TAR8     `layout:"fixed=8"`
	UID      TAR8     `layout:"fixed=8"`
	GID      TAR8     `layout:"fixed=8"`
	Size     TAR12    `layout:"fixed=12"`
	Modified TAR12    `layout:"fixed=12"` // Unix seconds
	Checksum uint32   `layout:"oct=7,sum=tar:Name..Tail"`
	Blank    uint8    // a space, mostly
	Type     uint8    // '0' or NUL file, '1' hard link, '2' symbolic link, '5' directory, 'x' pax, 'L' GNU name
	Linkname string   `layout:"fixed=100"`
	Magic    uint64   // the letters of the version; by the type of Tail
	Tail     TARTail  `layout:"switch=Magic"`
}

// TARTail is the end of a header block, which depends on the version: a pointer to
// TARUstar, TARGNU or TARV7.
type TARTail any

func tarUnions() []layout.UnionCoder {
	return []layout.UnionCoder{layout.Union[TARTail](
		layout.VariantOf[*TARV7](0),
		layout.VariantOf[*TARUstar](uint64(0x7573746172003030)), // ustar, NUL, 00
		layout.VariantOf[*TARGNU](uint64(0x7573746172202000)),   // ustar, two spaces, NUL
	)}
}

type (
	// TARV7 is the unused end of a header of Unix V7.
	TARV7 struct {
		Unused [247]byte
	}
	// TAROwner is the names of the owner and the numbers of a device.
	TAROwner struct {
		User, Group  string `layout:"fixed=32"`
		Major, Minor TAR8   `layout:"fixed=8"`
	}
	// TARUstar is the end of a POSIX header.
	TARUstar struct {
		TAROwner
		Prefix string `layout:"fixed=155"` // goes before Name, with a slash
		Unused [12]byte
	}
	// TARGNU is the end of a GNU header.
	TARGNU struct {
		TAROwner
		Accessed, Changed TAR12 `layout:"fixed=12"`
		Offset            TAR12 `layout:"fixed=12"`
		LongNames         [4]byte
		Unused            uint8
		Sparse            [4]TARPiece
		Extended          uint8 // 1: a TARSparse follows
		RealSize          TAR12 `layout:"fixed=12"`
		Rest              [17]byte
	}
	// TARPiece is a part of a sparse file that is not zeros.
	TARPiece struct {
		Offset, Size TAR12 `layout:"fixed=12"`
	}
	// TARSparse is a block with more pieces of a sparse file.
	TARSparse struct {
		Pieces   [21]TARPiece
		Extended uint8 // 1: another TARSparse follows
		Unused   [7]byte
	}
	// TARText is the content of an extended header: records of pax, or a long name
	// of GNU.
	TARText struct {
		Text string
	}
)

// tarSum is the sum of the bytes of a header. The field of the checksum and the
// byte after it count as spaces.
func tarSum(data []byte, at, n int) (sum uint64) {
	for i, b := range data {
		if at >= 0 && i >= at && i <= at+n {
			b = ' '
		}
		sum += uint64(b)
	}
	return sum
}

// signedTAR returns a codec for headers with a tarSignedSum.
var signedTAR = sync.OnceValues(func() (*layout.Codec, error) {
	o := Options()
	o.Sums["tar"] = tarSignedSum
	return layout.New(o)
})

// tarSignedSum is the sum of the bytes as numbers from -128 to 127. Old programs computed it on
// machines whose char is signed. It differs from tarSum if names have bytes that are not ASCII.
func tarSignedSum(data []byte, at, n int) uint64 {
	sum := tarSum(data, at, n)
	for i, b := range data {
		if b >= 0x80 && (at < 0 || i < at || i > at+n) {
			sum -= 256
		}
	}
	return sum
}

type (
	// TAR8 is a number in 8 bytes: octal digits, or a number to the base 256 if the
	// first bit is set.
	TAR8 int64
	// TAR12 is the same in 12 bytes.
	TAR12 int64
)

// AppendLayout appends 8 bytes. Octal digits are used if they suffice.
func (n TAR8) AppendLayout(dst []byte) ([]byte, error) { return appendTAR(dst, int64(n), 8) }

// DecodeLayout reads 8 bytes.
func (n *TAR8) DecodeLayout(data []byte) (int, error) { return 8, decodeTAR(data, (*int64)(n), 8) }

// AppendLayout appends 12 bytes. Octal digits are used if they suffice.
func (n TAR12) AppendLayout(dst []byte) ([]byte, error) { return appendTAR(dst, int64(n), 12) }

// DecodeLayout reads 12 bytes.
func (n *TAR12) DecodeLayout(data []byte) (int, error) { return 12, decodeTAR(data, (*int64)(n), 12) }

var errTARNumber = errors.New("not a number of a TAR header")

func appendTAR(dst []byte, n int64, size int) ([]byte, error) {
	if n >= 0 && n < 1<<(3*(size-1)) {
		return fmt.Appendf(dst, "%0*o\x00", size-1, n), nil
	}
	// The number in two's complement, of which the first bit is lost to the mark.
	start := len(dst)
	for i := range size {
		shift := min(8*(size-1-i), 63)
		dst = append(dst, byte(n>>shift))
	}
	if size == 8 && n>>62 != 0 && n>>62 != -1 {
		return dst[:start], fmt.Errorf("%d does not fit: %w", n, errTARNumber)
	}
	dst[start] |= 0x80
	return dst, nil
}

func decodeTAR(data []byte, n *int64, size int) error {
	if len(data) < size {
		return io.ErrUnexpectedEOF
	}
	data = data[:size]
	if data[0]&0x80 == 0 {
		text := strings.Trim(string(data), " \x00")
		if i := strings.IndexByte(text, 0); i >= 0 {
			text = text[:i]
		}
		if text == "" {
			*n = 0
			return nil
		}
		u, err := strconv.ParseUint(text, 8, 63)
		if err != nil {
			return fmt.Errorf("%q: %w", data, errTARNumber)
		}
		*n = int64(u)
		return nil
	}
	// The bit after the mark is the sign.
	sign := byte(0)
	if data[0]&0x40 != 0 {
		sign = 0xff
	}
	var low [8]byte
	copy(low[:], data[size-8:])
	if size == 8 {
		low[0] = low[0]&0x7f | sign&0x80
	}
	for i, b := range data[:size-8] {
		if i == 0 {
			b = b&0x7f | sign&0x80
		}
		if b != sign {
			return fmt.Errorf("% x: %w", data, errTARNumber)
		}
	}
	if low[0]&0x80 != sign&0x80 {
		return fmt.Errorf("% x: %w", data, errTARNumber)
	}
	*n = int64(binary.BigEndian.Uint64(low[:]))
	return nil
}
