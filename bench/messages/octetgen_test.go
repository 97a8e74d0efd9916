package messages

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// generatedTypes are the messages for which octet-gen writes code. The others have a tag for which there is no generated
// code.
var generatedTypes = map[string]string{
	"amqp": "amqpPublish", "apns-list": "apnsFrame", "bgp": "bgpOpen", "can": "canFrame", "diameter": "diameterMessage", "dns": "dnsMessage", "elf": "elfHeader", "ethercat": "ethercatFrame", "exif": "exifDirectory", "flv": "flvTag", "gpt": "gptEntry", "http2": "http2Frame", "ipv4": "ipv4Packet", "itch": "itchAddOrder",
	"kafka": "kafkaBatch", "lldp": "lldpUnit", "modbus": "modbusWrite", "mqtt": "mqttPacket", "netflow": "netflowPacket", "ntp": "ntpPacket", "osc": "oscMessage", "ospf": "ospfRouter", "pcapng": "pcapngPacket",
	"png": "pngChunk", "postgres": "postgresRows", "ptp": "ptpSync", "radius": "radiusPacket", "rtcp": "rtcpSender", "rtp": "rtpPacket",
	"sctp": "sctpPacket", "ssh": "sshKexInit", "stun": "stunMessage", "tcp": "tcpSegment", "tls": "tlsHello", "tzif": "tzifFile", "usb": "usbConfiguration", "wasm": "wasmTypes", "wav": "wavFile",
	"websocket": "webSocketControl", "zip": "zipEntry",
}

// compareText is the beginning of a test that compares the code with the oracle, which gets the unions of options.
const compareText = `package messages

import (
	"reflect"
	"testing"

	"github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/octetgen/internal/compare"
)

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

var codecs = compare.NewCodecs(options(false), layout.Config{Unions: map[reflect.Type]layout.Union{
	of[apnsData](): {Variants: map[uint64]reflect.Type{
		1: of[*apnsToken](), 2: of[*apnsPayload](), 3: of[*apnsIdentifier](), 4: of[*apnsExpiration](), 5: of[*apnsPriority](),
	}},
	of[usbBody](): {Variants: map[uint64]reflect.Type{4: of[usbInterface](), 5: of[usbEndpoint](), 11: of[usbAssociation]()}},
	of[dnsData](): {Variants: map[uint64]reflect.Type{1: of[*dnsA](), 2: of[*dnsNS](), 5: of[*dnsCNAME](), 15: of[*dnsMX](), 28: of[*dnsAAAA]()}},
	of[http2Payload](): {Variants: map[uint64]reflect.Type{
		0: of[*http2Data](), 1: of[*http2Headers](), 2: of[*http2Priority](), 3: of[*http2Reset](), 4: of[*http2Settings](), 6: of[*http2Ping](),
		7: of[*http2GoAway](), 8: of[*http2Window](),
	}},
	of[mqttBody](): {Variants: map[uint64]reflect.Type{
		1: of[*mqttConnect](), 3: of[*mqttPublish](), 4: of[*mqttPuback](), 8: of[*mqttSubscribe](), 12: of[*mqttPing](),
	}},
}})

`

// TestGeneratedCode copies this package to another module, where octet-gen writes code for its messages. It checks there
// that the code agrees with that by hand and with the plan. With -v it prints the times of both modules.
func TestGeneratedCode(t *testing.T) {
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		t.Skip("compiles a module for half a minute; set OCTET_LONG=1 to run it")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command:", err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, "_test.go") && name != "times_test.go" })
	checks := ""
	var names []string
	for _, of := range slices.Sorted(maps.Values(generatedTypes)) {
		names = append(names, of)
		checks += fmt.Sprintf("\tcompare.UsedMessage[%s](t, codecs)\n\tfor seed := range uint64(20) {\n\t\tcompare.CheckMessage[%[1]s](t, codecs, seed)\n\t}\n", of)
	}
	text := map[string]string{
		"go.mod":          fmt.Sprintf("module github.com/octet-go/octet/octetgen/messages\n\ngo 1.26\n\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => %q\n", root),
		"compare_test.go": compareText + "func TestCompare(t *testing.T) {\n" + checks + "}\n",
		"codec.go":        "package messages\n\nimport \"github.com/octet-go/octet/layout\"\n\nvar codec, _ = layout.New(options(false))\n",
	}
	for _, name := range append(files, "../../go.sum") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[filepath.Base(name)] = string(b)
		for _, of := range names {
			line := "type " + of + " struct {"
			text[filepath.Base(name)] = strings.Replace(text[filepath.Base(name)], line, "//octet:generate codec\n"+line, 1)
		}
	}
	for name, content := range text {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod -trimpath") // without the path of the directory, the go command finds in its cache what it built before
	run := func(args ...string) string {
		t.Helper()
		c := exec.Command("go", args...)
		c.Dir = dir
		output, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%.4000s", strings.Join(args, " "), err, output)
		}
		return string(output)
	}
	run(append([]string{"run", "github.com/octet-go/octet/cmd/octet-gen"}, names...)...)
	source, err := os.ReadFile(filepath.Join(dir, "octet_gen.go"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the code of %d messages has %d lines", len(names), strings.Count(string(source), "\n"))
	run("test", "-count=1", ".")
	if testing.Verbose() {
		fmt.Print(strings.ReplaceAll(run("test", "-count=1", "-v", "-run", "TestTimes", "."), "times ", "generated "))
	}
}
