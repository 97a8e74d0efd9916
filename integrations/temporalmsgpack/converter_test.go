package temporalmsgpack_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octet-go/octet/integrations/temporalmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"
)

type (
	Order = sample.Order
	Line  = sample.Line
)

func order(lines int) Order { return sample.New(math.MaxUint64, lines) }

func TestRoundTrip(t *testing.T) {
	for name, c := range map[string]*msgpack.Codec{"package": nil, "arrays": sample.Codec(t, msgpack.Options{StructAsArray: true, AliasInput: true})} {
		dc := temporalmsgpack.NewDataConverter(c)
		want := order(12)
		payloads, err := dc.ToPayloads(want, "text", 5, []string{"a"}, nil, []byte{1, 2}, &commonpb.DataBlob{Data: []byte("x")}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		var encodings []string
		for _, p := range payloads.Payloads {
			encodings = append(encodings, string(p.Metadata["encoding"]))
		}
		if array := payloads.Payloads[0].Data[0] == 0x97; array != (name == "arrays") {
			t.Errorf("%s: the struct begins with %x", name, payloads.Payloads[0].Data[0])
		}
		const m = temporalmsgpack.Encoding
		if want := []string{m, m, m, m, "binary/null", "binary/plain", "json/protobuf", m}; !reflect.DeepEqual(encodings, want) {
			t.Errorf("%s: encodings %q, want %q", name, encodings, want)
		}
		var (
			o        Order
			text     string
			number   int
			list     []string
			null     *int
			bytes    []byte
			blob     commonpb.DataBlob
			duration time.Duration
		)
		if err := dc.FromPayloads(payloads, &o, &text, &number, &list, &null, &bytes, &blob, &duration); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(o, want) || text != "text" || number != 5 || len(list) != 1 || null != nil || len(bytes) != 2 ||
			!proto.Equal(&blob, &commonpb.DataBlob{Data: []byte("x")}) || duration != time.Minute {
			t.Errorf("%s: got %v %q %d %q %v %v %v", name, o, text, number, list, null, bytes, duration)
		}
	}
}

// TestOldPayloads decodes what Temporal's default converter wrote.
func TestOldPayloads(t *testing.T) {
	payload, err := converter.GetDefaultDataConverter().ToPayload(order(2))
	if err != nil {
		t.Fatal(err)
	}
	var got Order
	if err := temporalmsgpack.NewDataConverter(nil).FromPayload(payload, &got); err != nil || !reflect.DeepEqual(got, order(2)) {
		t.Errorf("JSON: %v, %v", got, err)
	}
	payload, err = temporalmsgpack.NewDataConverter(nil).ToPayload(order(2))
	if err != nil {
		t.Fatal(err)
	}
	if err := converter.GetDefaultDataConverter().FromPayload(payload, &got); !errors.Is(err, converter.ErrEncodingIsNotSupported) {
		t.Errorf("the default converter: %v, want ErrEncodingIsNotSupported", err)
	}
}

func TestHostilePayloads(t *testing.T) {
	p := temporalmsgpack.PayloadConverter{Codec: sample.Codec(t, msgpack.Options{MaxElements: 100})}
	encode := func(v any) []byte {
		b, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	valid := encode(order(2))
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"empty":            {nil, msgpack.ErrTruncated},
		"truncated":        {valid[:len(valid)-1], msgpack.ErrTruncated},
		"bytes after":      {append(valid, 1), msgpack.ErrTrailing},
		"reserved byte":    {[]byte{0xc1}, msgpack.ErrReserved},
		"another type":     {[]byte("\xa1x"), msgpack.ErrMismatch},
		"count of 2^32-1":  {[]byte{0xdf, 0xff, 0xff, 0xff, 0xff}, nil},
		"nested deeply":    {[]byte("\x81\xa1x" + strings.Repeat("\x91", 100000)), nil},
		"too many":         {encode(order(101)), msgpack.ErrLimit},
		"JSON by mistake":  {[]byte(`{"id":1}`), nil},
		"wrong field type": {[]byte("\x81\xa2id\xa1x"), msgpack.ErrMismatch},
	} {
		var o Order
		err := p.FromPayload(&commonpb.Payload{Data: c.data}, &o)
		if !errors.Is(err, converter.ErrUnableToDecode) || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want ErrUnableToDecode and %v", name, err, c.want)
		}
	}
	if err := p.FromPayload(nil, new(Order)); !errors.Is(err, msgpack.ErrTruncated) {
		t.Errorf("nil payload: %v", err)
	}
	if err := p.FromPayload(&commonpb.Payload{Data: []byte{1}}, 1); !errors.Is(err, msgpack.ErrTarget) {
		t.Errorf("into a value: %v, want ErrTarget", err)
	}
	if _, err := temporalmsgpack.NewDataConverter(nil).ToPayload(make(chan int)); !errors.Is(err, converter.ErrUnableToEncode) || !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("chan: %v, want ErrUnableToEncode and ErrUnsupported", err)
	}
}

func TestToString(t *testing.T) {
	dc := temporalmsgpack.NewDataConverter(sample.Codec(t, msgpack.Options{MaxElements: 1}))
	for _, c := range []struct {
		data, want string
	}{
		{"\x93\x01\xa1x\xc0", `[1,"x",null]`},
		{"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
		{"\x81\x01\x02", "map[1:2]"},
		{"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00", "NaN"},
		{"\x93", "msgpack: unmarshal at offset 0"},
	} {
		got := dc.ToString(&commonpb.Payload{Metadata: map[string][]byte{"encoding": []byte(temporalmsgpack.Encoding)}, Data: []byte(c.data)})
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: %q, want %q", c.data, got, c.want)
		}
	}
}

func TestConcurrency(t *testing.T) {
	dc := temporalmsgpack.NewDataConverter(nil)
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 100 {
				want := order(n + i%20)
				payload, err := dc.ToPayload(want)
				if err != nil {
					t.Error(err)
					return
				}
				var got Order
				if err := dc.FromPayload(payload, &got); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("got %.100v, %v", got, err)
				}
			}
		})
	}
	wait.Wait()
}
