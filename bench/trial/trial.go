package trial

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"

	"github.com/octet-go/octet/bench/engine"
)

// A Trial measures one type.
type Trial struct {
	name string
	run  func(s *session) error
}

// Generated has the methods that msgp generates for T.
type Generated[T any] struct {
	Marshal   func(v *T, dst []byte) ([]byte, error)
	Unmarshal func(v *T, data []byte) ([]byte, error)
}

// A codec encodes and decodes a T with one library.
type codec[T any] struct {
	library, kind string
	marshal       func(v *T) ([]byte, error)
	append        func(v *T, dst []byte) ([]byte, error)
	unmarshal     func(v *T, data []byte) error
}

// The kinds of libraries. The report compares Octet with the fastest library of each kind.
const (
	kindGenerated  = "generated"
	kindReflection = "reflection"
	kindPlan       = "plan" // Octet without generated code
)

// A verb is one operation, with Octet's call first.
type verb[T any] struct {
	name   string
	decode bool   // otherwise it encodes
	fresh  bool   // each operation returns or fills a new value, otherwise it reuses memory
	change change // what other programs write, or nil
	codecs []codec[T]
}

// maxSize is the size of the largest message that is measured. Values of recursive types can be very large.
const maxSize = 1 << 16

// errWrong is the error for a library that decodes another value.
var errWrong = errors.New("decodes another value")

// A session has the settings and results of a program.
type session struct {
	engine.Effort
	seed uint64
	menu Menu
	engine.Distribution
	reasons map[string]int
	pass    int                       // 0 to passes-1
	timed   map[string][]engine.Entry // by type and verb, of the passes so far
}

// A program measures all types in this many passes, each with its share of the rounds. Another program on the machine
// may slow it for seconds, which is longer than all rounds of a type, and libraries are not slowed by the same factor.
const passes = 3

// measure fills a T and measures the verbs on it, in one pass. The last pass adds the figures to the distribution.
func measure[T any](s *session, name string, verbs []verb[T]) error {
	var value T
	fill(&value, name, s.seed, s.menu)
	if data, err := verbs[0].codecs[0].marshal(&value); err == nil && len(data) > maxSize {
		s.count(fmt.Sprintf("a type whose message is longer than %d bytes", maxSize))
		return nil
	}
	messages := make(map[string][]byte)
	for _, v := range verbs {
		peers, size, err := peersOf(s, name, &value, v, messages)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, v.name, err)
		}
		entries, err := s.time(name, v.name, peers)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", name, v.name, err)
		}
		if s.pass < passes-1 {
			continue
		}
		for _, e := range entries {
			kind := ""
			for _, c := range v.codecs {
				if c.library == e.Library {
					kind = c.kind
				}
			}
			s.Add(name, size, v.name, e, kind)
		}
	}
	return nil
}

// time gives the peers their turns of one pass. It returns what this pass and those before it have measured.
func (s *session) time(name, verb string, peers []engine.Peer) ([]engine.Entry, error) {
	key := fmt.Sprint(name, "/", verb)
	before := s.timed[key]
	for i := range before {
		peers[i].Turn = before[i].Turn
	}
	p := s.Effort
	p.Order = engine.OrderOf(s.seed, fmt.Sprint(key, "/", s.pass))
	p.Rounds = s.Effort.Rounds*(s.pass+1)/passes - s.Effort.Rounds*s.pass/passes
	entries, err := engine.TimeInTurns(verb, peers, p)
	if err != nil {
		return nil, err
	}
	for i := range before {
		entries[i].NS = append(before[i].NS, entries[i].NS...)
		if entries[i].CPU = append(before[i].CPU, entries[i].CPU...); len(entries[i].CPU) < len(entries[i].NS) {
			entries[i].CPU = nil // a coarse clock showed no progress in one of the passes
		}
	}
	s.timed[key] = entries
	return entries, nil
}

// peersOf checks each library on the value, and returns those that encode or decode it correctly. Octet must.
func peersOf[T any](s *session, name string, value *T, v verb[T], messages map[string][]byte) (peers []engine.Peer, size int, err error) {
	var first []byte // Octet's message
	for _, c := range v.codecs {
		own, err := c.marshal(value)
		if err == nil && c.library == engine.Ours {
			first = own
		}
		message := own
		if err == nil {
			message, err = readable(s, c, value, first, own, v, messages)
		}
		if err != nil {
			if c.library == engine.Ours {
				return nil, 0, err
			}
			s.leaveOut(v.name, c.library, err)
			continue
		}
		peers = append(peers, engine.Peer{Library: c.library, Size: len(own), Loops: map[string]engine.Loop{v.name: loopOf(c, value, message, v)}})
	}
	return peers, len(first), nil
}

// leaveOut counts that a library does not take part, with the reason.
func (s *session) leaveOut(verb, library string, err error) {
	s.count(fmt.Sprintf("%s: %s %s", verb, library, reasonOf(err)))
}

// count counts a reason, once for all passes.
func (s *session) count(reason string) {
	if s.pass == 0 {
		s.reasons[reason]++
	}
}

// reasonOf returns the part of an error that is the same for all types.
func reasonOf(err error) string {
	if errors.Is(err, errWrong) {
		return errWrong.Error()
	}
	return "returns an error"
}

// readable returns the message that a library decodes: Octet's if it can, otherwise its own. A library that decodes
// neither to the value is not timed.
func readable[T any](s *session, c codec[T], value *T, first, own []byte, v verb[T], messages map[string][]byte) ([]byte, error) {
	var err error
	for _, message := range [][]byte{first, own} {
		if v.change != nil {
			if message, err = changed(s, v, message, messages); err != nil {
				return nil, err
			}
		}
		if err = decodes(c, value, message); err == nil {
			return message, nil
		}
	}
	return nil, err
}

// changed returns the changed message, the same one for the same message and verb.
func changed[T any](s *session, v verb[T], message []byte, messages map[string][]byte) ([]byte, error) {
	key := v.name + string(message)
	if m, ok := messages[key]; ok {
		return m, nil
	}
	h := fnv.New64a()
	h.Write(message)
	m, err := v.change(rand.New(rand.NewPCG(s.seed, h.Sum64())), message)
	messages[key] = m
	return m, err
}

// decodes returns an error unless the library decodes the message to the value, into a new and into a used T.
func decodes[T any](c codec[T], value *T, message []byte) error {
	got := new(T)
	for range 2 {
		if err := c.unmarshal(got, message); err != nil {
			return err
		}
		if !equal(reflect.ValueOf(got).Elem(), reflect.ValueOf(value).Elem()) {
			return errWrong
		}
	}
	return nil
}

// loopOf returns the loop of an operation. All libraries have the same loops.
func loopOf[T any](c codec[T], value *T, message []byte, v verb[T]) engine.Loop {
	switch {
	case v.decode && v.fresh:
		return func(n int) error {
			for range n {
				if err := c.unmarshal(new(T), message); err != nil {
					return err
				}
			}
			return nil
		}
	case v.decode:
		target := new(T)
		return func(n int) error {
			for range n {
				if err := c.unmarshal(target, message); err != nil {
					return err
				}
			}
			return nil
		}
	case v.fresh:
		return func(n int) error {
			for range n {
				if _, err := c.marshal(value); err != nil {
					return err
				}
			}
			return nil
		}
	}
	var buf []byte
	return func(n int) (err error) {
		for range n {
			if buf, err = c.append(value, buf[:0]); err != nil {
				return err
			}
		}
		return nil
	}
}
