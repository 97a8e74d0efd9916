package httpmsgpack

import (
	"net/http"
	"strconv"
	"strings"
)

// MediaType is the media type of MessagePack that is registered with IANA. The older types
// application/msgpack and application/x-msgpack are read too, and written if a client prefers them.
const MediaType = "application/vnd.msgpack"

const (
	mediaOld  = "application/msgpack"
	mediaX    = "application/x-msgpack"
	mediaJSON = "application/json"
)

// A kind is the format of a body.
type kind uint8

const (
	unknownKind kind = iota
	msgpackKind
	jsonKind
)

// IsMsgpack reports whether a Content-Type header names MessagePack.
func IsMsgpack(contentType string) bool {
	kind, _ := parseType(contentType)
	return kind == msgpackKind
}

// parseType returns the kind and the media type that a Content-Type header names. Malformed parameters are
// ignored like all others: if they made the type unknown, Gin would decode the body with its own binding.
func parseType(contentType string) (kind, string) {
	typ, _, _ := strings.Cut(contentType, ";")
	typ = strings.ToLower(strings.TrimSpace(typ))
	return kindOfType(typ), typ
}

func kindOfType(typ string) kind {
	switch typ {
	case MediaType, mediaOld, mediaX:
		return msgpackKind
	case mediaJSON:
		return jsonKind
	}
	return unknownKind
}

// reads reports whether f reads and writes bodies of kind k.
func (f Format) reads(k kind) bool { return k == msgpackKind || k == jsonKind && !f.NoJSON }

// types lists the media types that f reads and writes.
func (f Format) types() []string {
	if f.NoJSON {
		return []string{MediaType, mediaOld, mediaX}
	}
	return []string{MediaType, mediaOld, mediaX, mediaJSON}
}

// Negotiate returns the media type of the response to a request with header h, as [Format.Write]
// chooses it: application/json or one of the types of MessagePack. ok is false if Accept allows none of them.
func (f Format) Negotiate(h http.Header) (contentType string, ok bool) {
	typ, k := f.negotiate(h)
	return typ, k != unknownKind
}

// negotiate returns the media type of the response to a request with header h. The kind is
// unknownKind if Accept allows none.
func (f Format) negotiate(h http.Header) (string, kind) {
	k, typ := parseType(h.Get("Content-Type"))
	if !f.reads(k) {
		typ = mediaJSON
		if f.NoJSON {
			typ = MediaType
		}
	}
	accept := strings.Join(h.Values("Accept"), ",")
	if strings.TrimSpace(accept) == "" {
		return typ, kindOfType(typ)
	}
	best := quality(accept, typ)
	for _, t := range f.types() {
		if q := quality(accept, t); q > best {
			typ, best = t, q
		}
	}
	if best == 0 {
		return "", unknownKind
	}
	return typ, kindOfType(typ)
}

// quality returns the weight that an Accept header gives a media type, from 0 to 1. As RFC 9110, section 12.5.1
// requires, it uses the most specific range that contains the type.
func quality(accept, typ string) float64 {
	weight, specific := 0.0, -1
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		s := specificity(strings.ToLower(strings.TrimSpace(name)), typ)
		if s > specific {
			weight, specific = parseWeight(params), s
		}
	}
	return weight
}

// specificity returns how precisely a media range names a type, or -1 if it does not contain the type.
func specificity(mediaRange, typ string) int {
	switch main, _, _ := strings.Cut(typ, "/"); mediaRange {
	case typ:
		return 2
	case main + "/*":
		return 1
	case "*/*":
		return 0
	}
	return -1
}

// parseWeight returns the parameter q, which is 1 if it is missing and 0 if it is malformed.
func parseWeight(params string) float64 {
	for param := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		q, err := strconv.ParseFloat(value, 64)
		if err != nil || !(q >= 0 && q <= 1) { // NaN too
			return 0
		}
		return q
	}
	return 1
}
