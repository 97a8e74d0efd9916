package migration

import "github.com/tinylib/msgp/msgp"

//go:generate go tool msgp -file msgp_by_hand_types_test.go -o msgp_by_hand_types_gen_test.go -io=false -tests=false -unexported

//msgp:ignore handInt handStruct handList

// Types with methods that are written by hand, which write another form than msgp would.
type (
	handInt    int32 // MarshalMsg has a value receiver
	handStruct struct{ N int16 }
	handList   []int8

	generatedByHand struct {
		I handInt
		S handStruct
		L handList
		P *handStruct
		Q *handInt    `msg:"q,omitempty" msgpack:"q,omitempty"`
		O *handStruct `msg:",omitempty"`
		A []handInt
		B []*handStruct
		C map[string]handStruct
		D [2]handInt
		E []handList
		N int
	}
)

func (i handInt) MarshalMsg(b []byte) ([]byte, error) {
	return msgp.AppendInt32(msgp.AppendArrayHeader(b, 1), int32(i)), nil
}

func (i *handInt) UnmarshalMsg(b []byte) ([]byte, error) {
	_, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil {
		return b, err
	}
	v, b, err := msgp.ReadInt32Bytes(b)
	*i = handInt(v)
	return b, err
}

func (i handInt) Msgsize() int { return 1 + msgp.Int32Size }

func (s *handStruct) MarshalMsg(b []byte) ([]byte, error) { return msgp.AppendInt16(b, s.N), nil }

func (s *handStruct) UnmarshalMsg(b []byte) (rest []byte, err error) {
	s.N, rest, err = msgp.ReadInt16Bytes(b)
	return rest, err
}

func (s *handStruct) Msgsize() int { return msgp.Int16Size }

func (l handList) MarshalMsg(b []byte) ([]byte, error) {
	text := make([]byte, len(l))
	for i, v := range l {
		text[i] = byte(v)
	}
	return msgp.AppendBytes(b, text), nil
}

func (l *handList) UnmarshalMsg(b []byte) ([]byte, error) {
	text, b, err := msgp.ReadBytesZC(b)
	*l = nil
	for _, v := range text {
		*l = append(*l, int8(v))
	}
	return b, err
}

func (l handList) Msgsize() int { return msgp.BytesPrefixSize + len(l) }

func encodeBytes(w *msgp.Writer, m msgp.Marshaler) error {
	b, err := m.MarshalMsg(nil)
	if err != nil {
		return err
	}
	return w.Append(b...)
}

func decodeBytes(r *msgp.Reader, u msgp.Unmarshaler) error {
	var raw msgp.Raw
	err := raw.DecodeMsg(r)
	if err != nil {
		return err
	}
	_, err = u.UnmarshalMsg(raw)
	return err
}

func (i handInt) EncodeMsg(w *msgp.Writer) error     { return encodeBytes(w, i) }
func (i *handInt) DecodeMsg(r *msgp.Reader) error    { return decodeBytes(r, i) }
func (s *handStruct) EncodeMsg(w *msgp.Writer) error { return encodeBytes(w, s) }
func (s *handStruct) DecodeMsg(r *msgp.Reader) error { return decodeBytes(r, s) }
func (l handList) EncodeMsg(w *msgp.Writer) error    { return encodeBytes(w, l) }
func (l *handList) DecodeMsg(r *msgp.Reader) error   { return decodeBytes(r, l) }
