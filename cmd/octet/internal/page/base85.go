package page

import "bufio"

// alphabet has the digits of the encoding. None of them has a meaning in HTML, so
// that the text can be part of a script element. web/worker.js has the decoder.
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;=>?@[]^_{"

// writeBase85 writes four bytes as five characters. It is shorter than base64,
// which writes three bytes as four.
func writeBase85(w *bufio.Writer, data []byte) {
	for len(data) > 0 {
		var group [4]byte
		n := copy(group[:], data)
		v := uint32(group[0])<<24 | uint32(group[1])<<16 | uint32(group[2])<<8 | uint32(group[3])
		var digits [5]byte
		for i := 4; i >= 0; i-- {
			digits[i] = alphabet[v%85]
			v /= 85
		}
		// A bufio.Writer keeps its first error, which Flush returns.
		_, _ = w.Write(digits[:n+1])
		data = data[n:]
	}
}
