package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/pb"
	"github.com/octet-go/octet/bench/shape"
)

// documentContests are those on the JSON documents that come with Go, as values without a type of their own and
// as the structs of package shape.
func documentContests() ([]contest, error) {
	paths, err := documents()
	var list, typed []contest
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), packed)
		slow := slices.Contains([]string{"citm_catalog", "golang_source", "synthea_fhir"}, name)
		list = append(list, contest{group: "values", shape: "document/" + name, verbs: valueVerbs, slow: slow, open: func() ([]entry, error) {
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
			typed = append(typed, contest{group: "values", shape: "typed/" + name, verbs: valueVerbs, slow: slow, open: func() ([]entry, error) { return open(path) }})
		}
	}
	return append(list, typed...), err
}

// untyped returns all who take any value at all.
func untyped() []competitor[any] {
	list := beside(msgpAny(), absent[any]("msgpackgen", structsAlone), protobufAny(), bound(walkAny, buildAny))
	list = leaveOut(list, "gob", "it has no nil inside of lists and maps")
	return leaveOut(list, "kelindar", "it takes no values of interface types")
}

const (
	shallow = "it decodes no more than 32 levels"
	endless = "a type that contains itself overflows its stack"
)

func canadaCompetitors() []competitor[shape.Canada] {
	type T = shape.Canada
	return beside(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), absent[T]("protobuf", noNestedLists), bound(nil, buildCanada))
}

func catalogCompetitors() []competitor[shape.Catalog] {
	type T = shape.Catalog
	list := beside(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), absent[T]("protobuf", noNestedLists), bound(walkCatalog, buildCatalog))
	return leaveOut(list, "hashicorp", "it decodes the lists of one value of a map into those of another")
}

func sourceCompetitors() []competitor[shape.Source] {
	type T = shape.Source
	list := beside(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), protobuf[T, pb.Source](""), bound(nil, buildSource))
	list = leaveOut(list, "kelindar", endless)
	return leaveOut(list, "cbor", shallow)
}

func twitterCompetitors() []competitor[shape.Twitter] {
	type T = shape.Twitter
	list := beside(msgpLarge((*T).MarshalMsg, (*T).UnmarshalMsg), msgpackgenLibrary[T](), protobuf[T, pb.Twitter](""), bound(walkTwitter, buildTwitter))
	list = leaveOut(list, "kelindar", endless)
	return leaveOut(list, "gob", losesZero)
}

func stringsCompetitors() []competitor[map[string]string] {
	type T = map[string]string
	return beside(msgpStrings(), absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Strings]("map"), bound(walkPlain[string, string], buildPlain[string, string]))
}

// typedDocument returns nil for a document that has no type.
func typedDocument(name string) func(path string) ([]entry, error) {
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

func typed[T any](competitors func() []competitor[T]) func(path string) ([]entry, error) {
	return func(path string) ([]entry, error) {
		var value T
		if err := loadInto(path, &value); err != nil {
			return nil, err
		}
		return enter([]T{value}, competitors())
	}
}
