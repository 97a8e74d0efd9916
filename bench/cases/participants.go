package cases

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

// Participants returns the libraries that take part, with the linked versions, and the libraries that are not
// available.
func Participants() []engine.Library {
	info, _ := debug.ReadBuildInfo()
	return ParticipantsOf(info)
}

// ParticipantsOf returns the libraries with the versions that are linked into another program, or into none if info is
// nil.
func ParticipantsOf(info *debug.BuildInfo) []engine.Library {
	list := []engine.Library{
		{Name: engine.Ours, Path: "github.com/octet-go/octet"},
		{Name: "shamaton", Path: "github.com/shamaton/msgpack/v3"},
		{Name: "vmihailenco", Path: "github.com/vmihailenco/msgpack/v5"},
		{Name: "basekick", Path: "github.com/Basekick-Labs/msgpack/v6"},
		{Name: "ugorji", Path: "github.com/ugorji/go/codec"},
		{Name: "hashicorp", Path: "github.com/hashicorp/go-msgpack/v2/codec"},
		{Name: "cbor", Path: "github.com/fxamacker/cbor/v2"},
		{Name: "json", Path: "encoding/json"},
		{Name: "json/v2", Path: "github.com/go-json-experiment/json"},
		{Name: "gob", Path: "encoding/gob"},
		{Name: "kelindar", Path: "github.com/kelindar/binary"},
		{Name: "msgp", Path: "github.com/tinylib/msgp/msgp"},
		{Name: "msgpackgen", Path: "github.com/shamaton/msgpackgen/msgpack", Note: "v1.1.1 exists, but the module proxy has no later version than this one"},
		{Name: "avro", Path: "github.com/hamba/avro/v2/ocf"},
		{Name: "parquet", Path: "github.com/parquet-go/parquet-go"},
		{Name: "protobuf", Path: "google.golang.org/protobuf/proto"},
		{Name: "encoding/binary", Path: "encoding/binary"},
		{Name: "struc", Path: "github.com/lunixbochs/struc"},
		{Name: "restruct", Path: "github.com/go-restruct/restruct"},
		{Name: "bytes.Buffer", Path: "bytes"},
		{Name: "bytebufferpool", Path: "github.com/valyala/bytebufferpool"},
		{Name: "bufio", Path: "bufio"},
	}
	linked := []*debug.Module{}
	if info != nil {
		linked = info.Deps
	}
	for i := range list {
		l := &list[i]
		if first, _, _ := strings.Cut(l.Path, "/"); !strings.Contains(first, ".") {
			l.Version = runtime.Version()
		}
		for _, m := range linked {
			if l.Path == m.Path || strings.HasPrefix(l.Path, m.Path+"/") {
				l.Version = m.Version
			}
		}
	}
	return list
}
