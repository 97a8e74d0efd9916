package cases

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/pb"
	"github.com/octet-go/octet/bench/shape"
)

// documentContests returns the contests on the JSON documents in Go's source tree, as untyped values and as the
// structs of package shape.
func documentContests() ([]engine.Contest, error) {
	paths, err := documents()
	var list, typed []engine.Contest
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), packed)
		slow := slices.Contains([]string{"citm_catalog", "golang_source", "synthea_fhir"}, name)
		list = append(list, engine.Contest{Group: "values", Shape: "document/" + name, Verbs: valueVerbs, Slow: slow, Open: func() ([]engine.Peer, error) {
			value, err := load(path)
			if err != nil {
				return nil, err
			}
			list := untyped()
			if name == "golang_source" {
				list = leaveOut(list, "cbor", shallow)
			}
			return enter([]any{value}, list)
		}})
		if open := typedDocument(name); open != nil {
			typed = append(typed, engine.Contest{Group: "values", Shape: "typed/" + name, Verbs: valueVerbs, Slow: slow, Open: func() ([]engine.Peer, error) { return open(path) }})
		}
	}
	return append(list, typed...), err
}

// untyped returns all libraries that encode untyped values.
func untyped() []competitor[any] {
	list := withReflective(msgpAny(), absent[any]("msgpackgen", structsAlone), protobufAny(), buildLimit(walkAny, buildAny))
	list = leaveOut(list, "gob", "it does not support nil in lists and maps")
	return leaveOut(list, "kelindar", "it does not support interface types")
}

const (
	shallow = "it decodes at most 32 levels"
	endless = "its stack overflows for a type that contains itself"
)

func canadaCompetitors() []competitor[shape.Canada] {
	type T = shape.Canada
	return withReflective(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), absent[T]("protobuf", noNestedLists), buildLimit(nil, buildCanada))
}

func catalogCompetitors() []competitor[shape.Catalog] {
	type T = shape.Catalog
	list := withReflective(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), absent[T]("protobuf", noNestedLists), buildLimit(walkCatalog, buildCatalog))
	return leaveOut(list, "hashicorp", "it decodes the lists of one map value into those of another")
}

func sourceCompetitors() []competitor[shape.Source] {
	type T = shape.Source
	list := withReflective(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), protobuf[T, pb.Source](""), buildLimit(nil, buildSource))
	list = leaveOut(list, "kelindar", endless)
	return leaveOut(list, "cbor", shallow)
}

func twitterCompetitors() []competitor[shape.Twitter] {
	type T = shape.Twitter
	list := withReflective(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), protobuf[T, pb.Twitter](""), buildLimit(walkTwitter, buildTwitter))
	list = leaveOut(list, "kelindar", endless)
	return leaveOut(list, "gob", losesZero)
}

func stringsCompetitors() []competitor[map[string]string] {
	type T = map[string]string
	return withReflective(msgpStrings(), absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Strings]("map"), buildLimit(walkOneMap[string, string], buildOneMap[string, string]))
}

// typedDocument returns the contest on a typed document, or nil if the document has no type.
func typedDocument(name string) func(path string) ([]engine.Peer, error) {
	switch name {
	case "canada_geometry":
		return typed(canadaCompetitors)
	case "citm_catalog":
		return typed(catalogCompetitors)
	case "golang_source":
		return typed(sourceCompetitors)
	case "twitter_status":
		return typed(twitterCompetitors)
	case "string_escaped", "string_unicode":
		return typed(stringsCompetitors)
	}
	return nil
}

func typed[T any](competitors func() []competitor[T]) func(path string) ([]engine.Peer, error) {
	return func(path string) ([]engine.Peer, error) {
		var value T
		if err := loadInto(path, &value); err != nil {
			return nil, err
		}
		return enter([]T{value}, competitors())
	}
}
