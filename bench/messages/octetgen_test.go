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

// generatedTypes are the messages for which octet-gen writes code. The others need Options, or have a tag for which there
// is no generated code.
var generatedTypes = map[string]string{
	"amqp": "amqpPublish", "bgp": "bgpOpen", "can": "canFrame", "elf": "elfHeader", "exif": "exifDirectory", "flv": "flvTag", "gpt": "gptEntry", "ipv4": "ipv4Packet", "itch": "itchAddOrder",
	"kafka": "kafkaBatch", "lldp": "lldpUnit", "modbus": "modbusWrite", "netflow": "netflowPacket", "ntp": "ntpPacket", "osc": "oscMessage", "pcapng": "pcapngPacket",
	"png": "pngChunk", "postgres": "postgresRows", "ptp": "ptpSync", "radius": "radiusPacket", "rtcp": "rtcpSender", "rtp": "rtpPacket",
	"sctp": "sctpPacket", "ssh": "sshKexInit", "stun": "stunMessage", "tcp": "tcpSegment", "tls": "tlsHello", "tzif": "tzifFile", "wav": "wavFile",
	"websocket": "webSocketControl", "zip": "zipEntry",
}

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
		checks += fmt.Sprintf("\tcompare.UsedMessage[%s](t)\n\tfor seed := range uint64(20) {\n\t\tcompare.CheckMessage[%[1]s](t, seed)\n\t}\n", of)
	}
	text := map[string]string{
		"go.mod": fmt.Sprintf("module github.com/octet-go/octet/octetgen/messages\n\ngo 1.26\n\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => %q\n", root),
		"compare_test.go": "package messages\n\nimport (\n\t\"testing\"\n\n\t\"github.com/octet-go/octet/octetgen/internal/compare\"\n)\n\nfunc TestCompare(t *testing.T) {\n" +
			checks + "}\n",
	}
	for _, name := range append(files, "../../go.sum") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text[filepath.Base(name)] = string(b)
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
	run("test", "-count=1", ".")
	if testing.Verbose() {
		fmt.Print(strings.ReplaceAll(run("test", "-count=1", "-v", "-run", "TestTimes", "."), "times ", "generated "))
	}
}
