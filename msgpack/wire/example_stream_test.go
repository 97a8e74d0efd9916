package wire_test

import (
	"fmt"

	"github.com/octet-go/octet/msgpack/wire"
)

// A proxy forwards the messages of a connection one by one. They arrive in pieces.
func ExampleSplitter_Next() {
	var s wire.Splitter
	var message []byte
	for _, read := range []string{"\x92\x01", "\xa2h", "i\x05\xc0\x91"} {
		for chunk := []byte(read); len(chunk) > 0; {
			n, whole, err := s.Next(chunk)
			if err != nil {
				fmt.Println(err)
				return
			}
			message = append(message, chunk[:n]...)
			chunk = chunk[n:]
			if whole {
				fmt.Printf("% x\n", message)
				message = message[:0]
			}
		}
	}
	fmt.Println(len(message), "bytes of the next message")
	// Output:
	// 92 01 a2 68 69
	// 05
	// c0
	// 1 bytes of the next message
}

// A program that works on many values at a time needs only the end of the last one.
func ExampleSplitter_Last() {
	var s wire.Splitter
	chunk := []byte("\x92\x01\x02\x05\xc0\x93\x01")
	end, _, err := s.Last(chunk)
	fmt.Printf("% x, then % x, %v\n", chunk[:end], chunk[end:], err)
	// Output: 92 01 02 05 c0, then 93 01, <nil>
}

func ExampleScanner() {
	data := wire.AppendMapHeader(nil, 1)
	data = wire.AppendString(data, "id")
	data = wire.AppendArrayHeader(data, 2)
	data = wire.AppendInt(data, 7)
	data = wire.AppendNil(data)

	var s wire.Scanner
	for !s.Whole() || s.Offset() == 0 {
		h, n, err := s.Next(data)
		if err != nil {
			fmt.Println(err)
			return
		}
		data = data[n:]
		n = s.Payload(data)
		fmt.Printf("%*s%s at %d: %q\n", 2*len(s.Around()), "", h.Format, s.Start(), data[:n])
		data = data[n:]
	}
	// Output:
	// fixmap at 0: ""
	//   fixstr at 1: "id"
	//   fixarray at 4: ""
	//     positive fixint at 5: ""
	//     nil at 6: ""
}

func ExampleScanner_Next() {
	var s wire.Scanner
	_, n, err := s.Next([]byte{0xda, 0x01}) // two of the three bytes of a header
	fmt.Println(n, err)
	h, n, err := s.Next([]byte{0x00, 'a', 'b'})
	fmt.Println(h.Format, "of", h.Payload, "bytes,", n, err)
	// Output:
	// 2 msgpack: truncated input
	// str 16 of 256 bytes, 1 <nil>
}

// The payload of a str arrives in two chunks.
func ExampleScanner_Payload() {
	var s wire.Scanner
	chunk := []byte("\xa5he")
	_, n, _ := s.Next(chunk)
	for chunk = chunk[n:]; s.Rest() > 0; chunk = []byte("llo\x01") {
		n = s.Payload(chunk)
		fmt.Printf("%q\n", chunk[:n])
	}
	// Output:
	// "he"
	// "llo"
}

func ExampleScanner_Rest() {
	var s wire.Scanner
	_, n, _ := s.Next([]byte("\xa5hello"))
	fmt.Println(n, s.Rest())
	// Output: 1 5
}

func ExampleScanner_Start() {
	var s wire.Scanner
	_, _, _ = s.Next([]byte{0xc0, 0xcd, 0x01, 0x00})
	_, _, _ = s.Next([]byte{0xcd, 0x01, 0x00})
	fmt.Println(s.Start(), s.Offset())
	// Output: 1 2
}

func ExampleScanner_Offset() {
	var s wire.Scanner
	_, _, _ = s.Next([]byte("\xa5hello"))
	fmt.Println(s.Offset())
	_ = s.Payload([]byte("hello"))
	fmt.Println(s.Offset())
	// Output:
	// 1
	// 6
}

// The containers around a value tell its path.
func ExampleScanner_Around() {
	data := []byte("\x92\x01\x82\x05\x06\x07\xc3") // [1, {5: 6, 7: true}]
	var s wire.Scanner
	for {
		h, n, err := s.Next(data)
		if err != nil {
			break
		}
		if data = data[n:]; h.Format == wire.True {
			for _, c := range s.Around() {
				fmt.Println(c.Header.Format, "at", c.Offset, "value", c.Begun())
			}
		}
	}
	// Output:
	// fixarray at 0 value 2
	// fixmap at 2 value 4
}

func ExampleScanner_Open() {
	var s wire.Scanner
	_, _, _ = s.Next([]byte("\x92\x01\x02"))
	fmt.Println(len(s.Open()), s.Open()[0].Left)
	_, _, _ = s.Next([]byte("\x01\x02"))
	_, _, _ = s.Next([]byte("\x02"))
	fmt.Println(len(s.Open()))
	// Output:
	// 1 2
	// 0
}

// At the end of a stream, Whole tells whether something is missing.
func ExampleScanner_Whole() {
	for _, stream := range []string{"\x92\x01\x02", "\x92\x01"} {
		var s wire.Scanner
		for data := []byte(stream); ; {
			_, n, err := s.Next(data)
			if err != nil {
				break
			}
			data = data[n:]
		}
		fmt.Println(s.Whole())
	}
	// Output:
	// true
	// false
}

// An index remembers places in a long stream, and continues at them later.
func ExampleScanner_Reset() {
	data := []byte("\x93\x01\x02\x03")
	var s wire.Scanner
	_, _, _ = s.Next(data)
	_, _, _ = s.Next(data[1:])
	offset, open := s.Offset(), append([]wire.Container(nil), s.Open()...)

	var later wire.Scanner
	later.Reset(offset, open)
	_, _, err := later.Next(data[offset:])
	fmt.Println(later.Start(), later.Around()[0].Begun(), err)
	// Output: 2 2 <nil>
}

func ExampleContainer_Begun() {
	c := wire.Container{Header: wire.Header{Format: wire.FixMap, Count: 3}, Left: 2}
	fmt.Println(c.Begun())
	// Output: 4
}
