package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeComplexCodec returns the codec of a complex type, which has the memory of two
// floats of the given size: the real part, then the imaginary part. They are encoded
// as an array, which counts as a level of nesting, because [Valid] and [Raw] count it
// when they see only the bytes.
func makeComplexCodec(want string, put putOp, get getOp, size int) codec {
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			if depth == 0 {
				return dst, failed(ErrDepth, want)
			}
			dst, _ = appendOp(wire.AppendArrayHeader(dst, 2), put, p)
			return appendOp(dst, put, p.Add(uintptr(size)))
		},
		func(d *decoder, p mem.Ptr) error {
			if d.isNil() {
				clear(mem.Slice(p, 2*size))
				return nil
			}
			owed, err := d.arrayOf(2, want)
			if err != nil {
				return err
			}
			for i := range 2 {
				if err := d.float(get, p.Add(uintptr(i*size)), want); err != nil {
					return underIndex(i, err)
				}
			}
			d.close(owed)
			return nil
		},
	}
}
