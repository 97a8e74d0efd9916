package report

import (
	"fmt"
	"slices"

	"github.com/octet-go/octet/bench/engine"
)

// messagesGroup is the group whose messages have code by hand, and byHand the library of that code.
const (
	messagesGroup = "messages"
	byHand        = "by hand"
)

// messageCalls are the calls of layout that the group messages measures, with the name of the library and the verb
// that the group gives them.
var messageCalls = []struct{ call, library, verb string }{
	{"`Typed.Append`", engine.Ours, "Append"},
	{"`MarshalAppend`", "octet any", "Append"},
	{"`Typed.Unmarshal`", engine.Ours, "Decode"},
	{"`UnmarshalPrefix`", "octet any", "Decode"},
	{"`Typed.Unmarshal`, `AliasInput`", engine.Ours, "Alias"},
}

// messageRatios returns, for each call of layout, its times divided by those of code by hand, over the messages of r.
// There are none if r does not have the group.
func messageRatios(r *engine.Results) []engine.Ratios {
	var d engine.Distribution
	for _, call := range messageCalls {
		for _, c := range r.Cases {
			if c.Group != messagesGroup || c.Verb != call.verb {
				continue
			}
			own, ok := engine.Find(c, call.library)
			other, found := engine.Find(c, byHand)
			if !ok || !found {
				continue
			}
			own.Library = engine.Ours
			for _, e := range []engine.Entry{own, other} {
				d.Add(c.Shape, e.Size, call.call, e, "")
			}
		}
	}
	return d.Ratios()
}

// messageFigures returns a sentence for the README about the messages of r, or nothing if it does not have the group.
func messageFigures(r *engine.Results) []byte {
	list := messageRatios(r)
	at := func(i int) string {
		j := slices.IndexFunc(list, func(r engine.Ratios) bool { return r.Verb == messageCalls[i].call })
		if j < 0 {
			return "–"
		}
		return fmt.Sprintf("%s (9 of 10: %s)", engine.Digits(list[j].At(0.5)), engine.Digits(list[j].At(0.9)))
	}
	if len(list) == 0 {
		return nil
	}
	return fmt.Appendf(nil, "\nOf %d messages of real protocols, `layout` encodes half in less than %s times what code written by hand for the one\n"+
		"message takes. It decodes half in less than %s times with copies, and in less than %s with `AliasInput`.\n",
		len(list[0].Ratios), at(0), at(2), at(4))
}
