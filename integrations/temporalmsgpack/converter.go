package temporalmsgpack

import (
	"encoding/json"
	"fmt"

	"github.com/octet-go/octet/msgpack"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
)

// Encoding is the value of the metadata "encoding" of payloads in MessagePack.
const Encoding = "binary/msgpack"

// NewDataConverter returns Temporal's default converter with MessagePack instead of JSON, encoded and decoded by c. If c
// is nil, it uses the functions of package msgpack. JSON is still decoded.
func NewDataConverter(c *msgpack.Codec) converter.DataConverter {
	return converter.NewCompositeDataConverter(
		converter.NewNilPayloadConverter(),
		converter.NewByteSlicePayloadConverter(),
		converter.NewProtoJSONPayloadConverter(),
		converter.NewProtoPayloadConverter(),
		PayloadConverter{Codec: c},
		converter.NewJSONPayloadConverter(), // decodes only
	)
}

// A PayloadConverter converts values of all types to MessagePack. It is a plain value, and all methods are
// safe for concurrent use.
type PayloadConverter struct {
	// Codec encodes and decodes. The default, nil, is the functions of package msgpack.
	Codec *msgpack.Codec
}

var _ converter.PayloadConverter = PayloadConverter{}

// ToPayload encodes a value. Errors are converter.ErrUnableToEncode and contain a *msgpack.Error.
func (p PayloadConverter) ToPayload(value any) (*commonpb.Payload, error) {
	data, err := p.Codec.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", converter.ErrUnableToEncode, err)
	}
	return &commonpb.Payload{Metadata: map[string][]byte{converter.MetadataEncoding: []byte(Encoding)}, Data: data}, nil
}

// FromPayload decodes a payload into the variable that valuePtr points to. Errors are converter.ErrUnableToDecode and
// contain a *msgpack.Error.
func (p PayloadConverter) FromPayload(payload *commonpb.Payload, valuePtr any) error {
	if err := p.Codec.Unmarshal(payload.GetData(), valuePtr); err != nil {
		return fmt.Errorf("%w: %w", converter.ErrUnableToDecode, err)
	}
	return nil
}

// ToString returns a readable form of a payload: JSON, or the format of package fmt if JSON cannot represent the
// value. If the payload cannot be decoded, it returns the text of the error.
func (p PayloadConverter) ToString(payload *commonpb.Payload) string {
	var v any
	if err := msgpack.Unmarshal(payload.GetData(), &v); err != nil {
		return err.Error()
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// Encoding returns [Encoding].
func (PayloadConverter) Encoding() string { return Encoding }
