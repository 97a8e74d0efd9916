package msgpack_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// These types have methods for other libraries, which leave out a password. Octet
// does not call them, so it must refuse the types rather than encode the password.
type (
	Login     struct{ User, Password string } // methods of the pointer
	LoginV    struct{ Name, Token string }    // a method of the value
	LoginS    struct{ Password string }       // methods for a second library
	secretInt int                             // not a struct
	onlyWrite struct{ Password string }       // only an encoding method
	onlyRead  struct{ Password string }       // only a decoding method
	odd       struct{ Password string }       // methods with other parameters and results
	byFields  struct{ Password string }       // generated methods, which encode all fields
	ownWrites struct{ Login }                 // an encoding method for Octet, but none for decoding
	account   struct{ Login }                 // promoted methods
	accountP  struct{ *Login }                // promoted by a pointer
	accountI  struct{ otherWrites }           // promoted by an interface
	accountD  struct{ account }               // promoted through two structs
	accountO  struct{ Login }                 // methods that shadow the promoted ones
	ambiguous struct {                        // two fields have the methods, so none is promoted
		Login
		LoginV
	}
	inlining struct {
		L    *Login `msgpack:",inline"`
		Name string
	}
	leaving struct {
		Login `msgpack:"-"`
		Name  string
	}
	naming struct {
		account
		LoginV
	}
)

func (*Login) EncodeMsgpack(*otherEncoder) error     { return nil }
func (*Login) DecodeMsgpack(*otherDecoder) error     { return nil }
func (LoginV) EncodeMsgpack(*otherEncoder) error     { return nil }
func (*LoginV) DecodeMsgpack(*otherDecoder) error    { return nil }
func (*LoginS) CodecEncodeSelf(*otherEncoder)        {}
func (*LoginS) CodecDecodeSelf(*otherDecoder)        {}
func (secretInt) EncodeMsgpack(*otherEncoder) error  { return nil }
func (*secretInt) DecodeMsgpack(*otherDecoder) error { return nil }
func (secretInt) MarshalText() ([]byte, error)       { return []byte("secret"), nil }
func (*secretInt) UnmarshalText([]byte) error        { return nil }
func (onlyWrite) EncodeMsgpack(*otherEncoder) error  { return nil }
func (*onlyRead) DecodeMsgpack(*otherDecoder) error  { return nil }
func (odd) EncodeMsgpack() string                    { return "" }
func (odd) CodecDecodeSelf(_, _ int)                 {}
func (*byFields) MarshalMsg([]byte) ([]byte, error)  { return nil, nil }
func (inlining) inlined()                            {}
func (*byFields) UnmarshalMsg([]byte) ([]byte, error) {
	return nil, nil
}
func (*byFields) EncodeMsg(*otherEncoder) error       { return nil }
func (*byFields) DecodeMsg(*otherDecoder) error       { return nil }
func (ownWrites) MarshalMsgpack() ([]byte, error)     { return []byte{1}, nil }
func (accountO) EncodeMsgpack(*otherEncoder) error    { return nil }
func (h *accountO) DecodeMsgpack(*otherDecoder) error { return nil }

// inlines is an interface of inlining.
type inlines interface{ inlined() }

// checkForeign checks that err is ErrUnsupported and that its text contains all of
// texts.
func checkForeign(t *testing.T, what string, err error, texts ...string) {
	t.Helper()
	if e := checkError(t, err, msgpack.ErrUnsupported); e != nil {
		for _, text := range append(texts, "Options.IgnoreForeignHooks") {
			if !strings.Contains(e.Error(), text) {
				t.Errorf("%s: %v, want an error that contains %q", what, e, text)
			}
		}
	}
}

func forError[T any](c *msgpack.Codec) error { _, err := msgpack.For[T](c); return err }

// TestForeignHooks checks that types with methods for other libraries are refused,
// with an error that names the method.
func TestForeignHooks(t *testing.T) {
	for name, test := range map[string]struct {
		value, target  any
		forErr         error
		encode, decode string // a part of the error; empty for no error
	}{
		"pointer":       {&Login{}, &Login{}, forError[Login](nil), "Login (its method EncodeMsgpack is", "Login (its method DecodeMsgpack is"},
		"value":         {LoginV{}, &LoginV{}, forError[LoginV](nil), "LoginV (its method EncodeMsgpack is", "LoginV (its method DecodeMsgpack is"},
		"of a pointer":  {Login{}, new(*Login), forError[Login](nil), "EncodeMsgpack is", "DecodeMsgpack is"},
		"Selfer":        {LoginS{}, &LoginS{}, forError[LoginS](nil), "LoginS (its method CodecEncodeSelf is", "LoginS (its method CodecDecodeSelf is"},
		"with text":     {secretInt(1), new(secretInt), forError[secretInt](nil), "EncodeMsgpack", "DecodeMsgpack"},
		"write only":    {onlyWrite{}, &onlyWrite{}, forError[onlyWrite](nil), "EncodeMsgpack", ""},
		"read only":     {onlyRead{}, &onlyRead{}, forError[onlyRead](nil), "", "DecodeMsgpack"},
		"parameters":    {odd{}, &odd{}, forError[odd](nil), "odd (its method EncodeMsgpack", "odd (its method CodecDecodeSelf"},
		"own":           {ownWrites{}, &ownWrites{}, forError[ownWrites](nil), "", "ownWrites (its method DecodeMsgpack, promoted from the embedded field Login,"},
		"promoted":      {account{}, &account{}, forError[account](nil), "account (its method EncodeMsgpack, promoted from the embedded field Login,", "DecodeMsgpack, promoted from the embedded field Login,"},
		"by a pointer":  {accountP{}, &accountP{}, forError[accountP](nil), "accountP (its method EncodeMsgpack, promoted from the embedded field Login,", "promoted from the embedded field Login,"},
		"by interface":  {accountI{}, new(int), forError[accountI](nil), "accountI (its method EncodeMsgpack, promoted from the embedded field otherWrites,", ""},
		"through two":   {accountD{}, &accountD{}, forError[accountD](nil), "promoted from the embedded field account.Login,", "promoted from the embedded field account.Login,"},
		"shadowed":      {accountO{}, &accountO{}, forError[accountO](nil), "accountO (its method EncodeMsgpack is", "accountO (its method DecodeMsgpack is"},
		"ambiguous":     {ambiguous{}, &ambiguous{}, forError[ambiguous](nil), "Login (its method EncodeMsgpack is", "Login (its method EncodeMsgpack is"},
		"inline":        {inlining{}, &inlining{}, forError[inlining](nil), "Login (its method EncodeMsgpack is", "Login (its method EncodeMsgpack is"},
		"left out":      {leaving{}, &leaving{}, forError[leaving](nil), "promoted from the embedded field Login,", "promoted from the embedded field Login,"},
		"the shallower": {naming{}, &naming{}, forError[naming](nil), "promoted from the embedded field LoginV,", "promoted from the embedded field LoginV,"},
	} {
		t.Run(name, func(t *testing.T) {
			checkForeign(t, "For", test.forErr, "it")
			for what, v := range map[string]any{"alone": test.value, "slice": []any{test.value}, "key": struct{ V any }{test.value}} {
				data, err := msgpack.Marshal(v)
				if test.encode != "" {
					checkForeign(t, what, err, test.encode, "add AppendMsgpack or MarshalMsgpack")
				} else if err != nil {
					t.Errorf("%s: % x, %v", what, data, err)
				}
			}
			for data, path := range map[string]string{"\x80": "", "\xa1a": "", "\x90": ""} {
				err := msgpack.Unmarshal([]byte(data), test.target)
				if test.decode != "" {
					checkForeign(t, path, err, test.decode)
				} else if data == "\x80" && err != nil && name != "by interface" {
					t.Errorf("decoding: %v", err)
				}
			}
		})
	}
	checkEncode(t, byFields{"p"}, []byte("\x81\xa8Password\xa1p")) // as msgp does
	checkEncode(t, map[string]*Login{"a": nil}, []byte("\x81\xa1a\xc0"))
}

// TestForeignHooksCovered uses every option that lets such types be encoded.
func TestForeignHooksCovered(t *testing.T) {
	ignoring := newCodec(t, msgpack.Options{IgnoreForeignHooks: true})
	for name, v := range map[string]any{
		"Login": Login{"u", "p"}, "secretInt": secretInt(1), "account": account{Login{"u", "p"}}, "inlining": inlining{&Login{"u", "p"}, "n"},
	} {
		want := map[string]string{
			"Login": "\x82\xa4User\xa1u\xa8Password\xa1p", "secretInt": "\xa6secret", "account": "\x82\xa4User\xa1u\xa8Password\xa1p",
			"inlining": "\x83\xa4User\xa1u\xa8Password\xa1p\xa4Name\xa1n",
		}
		checkCodec(t, ignoring, v, []byte(want[name]))
	}
	var back inlining
	if err := ignoring.Unmarshal([]byte("\x81\xa8Password\xa1p"), &back); err != nil || back.L.Password != "p" {
		t.Errorf("got %+v, %v", back, err)
	}
	hidden := func(Login) string { return "***" }
	login := func(string) (Login, error) { return Login{}, nil }
	for name, test := range map[string]struct {
		coder msgpack.TypeCoder
		want  string
	}{
		"Override":   {overrideOf(hidden, login), "\xa3***"},
		"of *Login":  {overrideOf(func(*Login) string { return "***" }, func(string) (*Login, error) { return nil, nil }), "\xa3***"},
		"ExtType":    {extOf(1, hidden, login), "\xc7\x03\x01***"},
		"Implements": {msgpack.Implements(func(dst []byte, _ otherWrites) ([]byte, error) { return append(dst, 7), nil }, func(b []byte, _ otherReads) (int, error) { return len(b), nil }), "\x07"},
	} {
		c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{test.coder}})
		checkCodec(t, c, &Login{"u", "p"}, []byte(test.want))
		var v Login
		if err := c.Unmarshal([]byte(test.want), &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := forError[Login](c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	// If Implements covers one direction, the other is still refused.
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Implements[any](nil, func(b []byte, _ otherReads) (int, error) { return len(b), nil })}})
	_, err := c.Marshal(Login{})
	checkForeign(t, "encoding", err, "EncodeMsgpack")
	if err := c.Unmarshal([]byte("\xa1a"), new(Login)); err != nil {
		t.Error(err)
	}
	checkForeign(t, "For", forError[Login](c), "EncodeMsgpack")
	// In a union with a discriminator, New returns the error.
	_, err = msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Union[otherWrites]("type", msgpack.VariantOf[*Login]("l"))}})
	if err == nil || !strings.Contains(err.Error(), "Options.Types[0]: msgpack_test.Login (its method EncodeMsgpack") {
		t.Errorf("got %v", err)
	}
	_, err = msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Union[inlines]("type", msgpack.VariantOf[inlining]("i"))}})
	if err == nil || !strings.Contains(err.Error(), "Options.Types[0]: msgpack_test.Login (its method EncodeMsgpack") {
		t.Errorf("got %v", err)
	}
	// The function for *Login returns an error for a variable of type Login.
	c = newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{
		overrideOf(func(*Login) string { return "***" }, func(string) (*Login, error) { return nil, errOwn })}})
	logins := []Login{{"u", "p"}}
	if err := c.Unmarshal([]byte("\x91\xa1a"), &logins); !errors.Is(err, errOwn) || !strings.Contains(err.Error(), "[0] at offset 1") {
		t.Errorf("got %v, %v", logins, err)
	}
}

func ExampleOptions_ignoreForeignHooks() {
	_, err := msgpack.Marshal(Login{User: "ann"}) // has a method EncodeMsgpack(*Encoder)
	fmt.Println(err)
	codec, err := msgpack.New(msgpack.Options{IgnoreForeignHooks: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal(Login{User: "ann"})
	fmt.Printf("%q, %v\n", data, err)
	// Output:
	// msgpack: marshal: found msgpack_test.Login (its method EncodeMsgpack is for another library: add AppendMsgpack or MarshalMsgpack, list the type in Options.Types, or set Options.IgnoreForeignHooks): unsupported type
	// "\x82\xa4User\xa3ann\xa8Password\xa0", <nil>
}
