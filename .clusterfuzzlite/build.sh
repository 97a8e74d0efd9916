#!/bin/bash -eu
# Builds the fuzz targets of the root module and of transcode for ClusterFuzzLite. The list is that of .ci/fuzz.
cd "$SRC/octet"
go run ./tools/fuzz -list -run '^(array|binary|bytebuf|layout|msgpack|record|transcode)[./]' | while read -r target _; do
	package=${target%.*}
	compile_native_go_fuzzer_v2 "github.com/octet-go/octet/$package" "${target##*.}" "$(echo "$target" | tr '/.' '__')"
done
