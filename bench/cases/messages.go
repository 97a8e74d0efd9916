package cases

import (
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/messages"
)

// verbAlias decodes without copying slices of bytes.
const verbAlias = "Alias"

// messagesSeed selects the values of the messages.
const messagesSeed = 20260901

// The group messages compares layout with code by hand on messages of protocols and file formats that others have
// defined. Package messages has both.
func messageContests() []engine.Contest {
	var list []engine.Contest
	for _, m := range messages.All() {
		verbs := []string{verbEncode, verbDecode}
		if m.Alias {
			verbs = append(verbs, verbAlias)
		}
		list = append(list, engine.Contest{Group: "messages", Shape: m.Name, About: m.About, Verbs: verbs, Open: func() ([]engine.Peer, error) {
			w, err := m.Open(messagesSeed)
			if err != nil {
				return nil, err
			}
			return messagePeers(w), nil
		}})
	}
	return list
}

// messagePeers returns the ways to encode and decode a message.
func messagePeers(w *messages.Work) []engine.Peer {
	peer := func(library string, encode, decode, alias messages.Loop) engine.Peer {
		loops := map[string]engine.Loop{verbEncode: engine.Loop(encode), verbDecode: engine.Loop(decode)}
		if alias != nil {
			loops[verbAlias] = engine.Loop(alias)
		}
		return engine.Peer{Library: library, Size: w.Size, Loops: loops}
	}
	peers := []engine.Peer{
		peer(engine.Ours, w.AppendTyped, w.DecodeTyped, w.AliasTyped),
		peer("octet any", w.AppendMarshal, w.DecodePrefix, w.AliasPrefix),
		peer("by hand", w.AppendByHand, w.DecodeByHand, w.AliasByHand),
		peer(engine.Limit, w.Copy, w.Copy, w.Copy),
	}
	if w.AppendStandard != nil {
		peers = append(peers, peer("encoding/binary", w.AppendStandard, w.DecodeStandard, nil))
	}
	return peers
}
