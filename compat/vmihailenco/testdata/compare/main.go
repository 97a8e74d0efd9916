// Command compare encodes and decodes many values with the package
// github.com/vmihailenco/msgpack/v5 and prints the results. The tests run it with the library and
// with the package that replaces it, and compare what they print.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing/iotest"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	changes, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	registerAll()
	time.Local = time.FixedZone("local", 3600) // different from UTC
	random := rand.New(rand.NewPCG(1, 2))
	var messages [][]byte
	for i, v := range values() {
		for _, o := range encoders {
			b, err := catch(func() ([]byte, error) { return encode(v, o.set) })
			fmt.Fprintf(out, "encode %d %T %s: % x %s\n", i, v, o.name, b, text(err))
		}
		if b, err := catch(func() ([]byte, error) { return msgpack.Marshal(v) }); err == nil {
			messages = append(messages, b)
			query(out, b)
		}
	}
	for seed := range uint64(randomTypes) {
		v := randomValue(seed, 1)
		for _, o := range encoders {
			b, err := catch(func() ([]byte, error) { return encode(v, o.set) })
			fmt.Fprintf(out, "encode random %d %T %s: % x %s\n", seed, v, o.name, b, text(err))
		}
		own, err := catch(func() ([]byte, error) { return msgpack.Marshal(v) })
		fmt.Fprintf(out, "own random %d: % x %s\n", seed, own, text(err))
		if err != nil {
			continue
		}
		random := rand.New(rand.NewPCG(seed, 3))
		used := func() any { return randomValue(seed, 2) }
		decodeAll(out, v, used, own)
		for range 3 {
			changed := bytes.Clone(own)
			changed[random.IntN(len(changed))] = byte(random.IntN(256))
			decodeAll(out, v, used, changed[:len(changed)-random.IntN(2)])
		}
	}
	for i, v := range values() {
		own, err := catch(func() ([]byte, error) { return msgpack.Marshal(v) })
		list := messages
		for range changes {
			if err != nil || len(own) == 0 {
				break
			}
			changed := bytes.Clone(own)
			changed[random.IntN(len(changed))] = byte(random.IntN(256))
			list = append(list, changed, changed[:random.IntN(len(changed))])
		}
		for _, m := range list {
			decodeAll(out, v, func() any { return values()[i] }, m)
		}
	}
}

var encoders = []struct {
	name string
	set  func(*msgpack.Encoder)
}{
	{"default", func(*msgpack.Encoder) {}},
	{"compact", func(e *msgpack.Encoder) { e.UseCompactInts(true); e.UseCompactFloats(true); e.SetSortMapKeys(true) }},
	{"arrays", func(e *msgpack.Encoder) { e.UseArrayEncodedStructs(true); e.UseCompactInts(true) }},
	{"empty", func(e *msgpack.Encoder) { e.SetOmitEmpty(true); e.SetCustomStructTag("json") }},
	{"intern", func(e *msgpack.Encoder) { e.UseInternedStrings(true) }},
}

func encode(v any, set func(*msgpack.Encoder)) ([]byte, error) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	set(e)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var decoders = []struct {
	name string
	set  func(*msgpack.Decoder)
}{
	{"default", func(*msgpack.Decoder) {}},
	{"options", func(d *msgpack.Decoder) {
		d.UseLooseInterfaceDecoding(true)
		d.DisallowUnknownFields(true)
		d.UseInternedStrings(true)
	}},
}

// decodeAll decodes a message into new variables of the type of v, and into used ones.
func decodeAll(out *bufio.Writer, v any, usedValue func() any, message []byte) {
	for _, used := range []bool{false, true} {
		target := func() any {
			if used {
				return usedValue()
			}
			return reflect.New(reflect.TypeOf(v).Elem()).Interface()
		}
		print := func(name string, target any, err error, rest int) {
			switch {
			case err == errPanic:
				fmt.Fprintf(out, "decode %T used %t %s % x: panic\n", v, used, name, message)
			case err != nil:
				fmt.Fprintf(out, "decode %T used %t %s % x: error %s\n", v, used, name, message, text(err))
			default:
				fmt.Fprintf(out, "decode %T used %t %s % x: %s, %d left\n", v, used, name, message, dump(reflect.ValueOf(target).Elem()), rest)
			}
		}
		whole := target()
		_, err := catch(func() ([]byte, error) { return nil, msgpack.Unmarshal(message, whole) })
		print("Unmarshal", whole, err, 0)
		for _, o := range decoders {
			r := bytes.NewReader(message)
			d := msgpack.NewDecoder(r)
			o.set(d)
			to := target()
			_, err := catch(func() ([]byte, error) { return nil, d.Decode(to) })
			print(o.name, to, err, r.Len())
		}
		for _, s := range sources {
			r, left := s.open(append(bytes.Clone(message), "\xa3end"...))
			d := msgpack.NewDecoder(r)
			to := target()
			_, err := catch(func() ([]byte, error) { return nil, d.Decode(to) })
			name := s.name
			if err == nil {
				next, fault := d.DecodeString()
				name = fmt.Sprintf("%s then %q %v", name, next, fault)
			}
			print(name, to, err, left())
		}
	}
}

// sources are readers of all kinds, and functions that return how many bytes they still have.
var sources = []struct {
	name string
	open func(data []byte) (io.Reader, func() int)
}{
	{"buffer", func(data []byte) (io.Reader, func() int) {
		b := bytes.NewBuffer(data)
		return b, b.Len
	}},
	{"text", func(data []byte) (io.Reader, func() int) {
		r := strings.NewReader(string(data))
		return r, r.Len
	}},
	{"buffered", func(data []byte) (io.Reader, func() int) {
		r := bytes.NewReader(data)
		b := bufio.NewReaderSize(r, 16)
		return b, func() int { return b.Buffered() + r.Len() }
	}},
	{"bytes", func(data []byte) (io.Reader, func() int) {
		return iotest.OneByteReader(bytes.NewReader(data)), func() int { return 0 }
	}},
}

// query searches a message.
func query(out *bufio.Writer, message []byte) {
	for _, q := range []string{"", "id", "Rows.*.X", "L.2", "0", "*.a", "1.0", "M.k.0"} {
		var found []any
		_, err := catch(func() (_ []byte, err error) {
			found, err = msgpack.NewDecoder(bytes.NewReader(message)).Query(q)
			return nil, err
		})
		fmt.Fprintf(out, "query %q % x: %s %s\n", q, message, dump(reflect.ValueOf(found)), text(err))
	}
}

var errPanic = fmt.Errorf("panic")

func catch(f func() ([]byte, error)) (b []byte, err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	return f()
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// dump describes a value, with what pointers point to.
func dump(v reflect.Value) string {
	var b strings.Builder
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return "&" + dump(v.Elem())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return "nil"
		}
		for i := range v.Len() {
			b.WriteString(dump(v.Index(i)) + " ")
		}
		return v.Type().String() + "[" + b.String() + "]"
	case reflect.Map:
		if v.IsNil() {
			return "nil"
		}
		parts := map[string]string{}
		for it := v.MapRange(); it.Next(); {
			parts[dump(it.Key())] = dump(it.Value())
		}
		return fmt.Sprint(v.Type(), parts)
	case reflect.Struct:
		if v.Type().String() == "time.Time" || v.Type().String() == "big.Int" {
			return fmt.Sprintf("%v", v)
		}
		for i := range v.NumField() {
			b.WriteString(v.Type().Field(i).Name + ":" + dump(v.Field(i)) + " ")
		}
		return "{" + b.String() + "}"
	case reflect.Func, reflect.Chan:
		return v.Type().String()
	}
	return fmt.Sprintf("%v(%v)", v.Type(), v)
}
