package formats

import "strings"

import "encoding/hex"

// seeds returns a small file of every format.
func seeds() map[string][]byte {
	list := map[string][]byte{}
	for _, v := range protocolVectors {
		list[v.name], _ = hex.DecodeString(strings.Join(strings.Fields(v.hex), ""))
	}
	return list
}
