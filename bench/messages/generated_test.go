package messages

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/tiff"
	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/net/http2"
)

// generated returns the vectors of a message that Go's libraries write.
func generated(t *testing.T, name string) []vector {
	t.Helper()
	write := map[string]func(*testing.T) ([]vector, error){
		"dns": dnsVectors, "exif": exifVectors, "gzip": gzipVectors, "http2": http2Vectors, "png": pngVectors, "tar": tarVectors, "tls": tlsVectors,
		"tzif": tzifVectors, "zip": zipVectors,
	}[name]
	if write == nil {
		return nil
	}
	list, err := write(t)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func dnsVectors(*testing.T) ([]vector, error) {
	name, mail := dnsmessage.MustNewName("www.example.com."), dnsmessage.MustNewName("mail.example.com.")
	b := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: 0xbeef, Response: true, RecursionDesired: true, RecursionAvailable: true, RCode: 3, AuthenticData: true})
	head := func(class dnsmessage.Class) dnsmessage.ResourceHeader {
		return dnsmessage.ResourceHeader{Name: name, Class: class, TTL: 300}
	}
	for _, step := range []func() error{
		b.StartQuestions,
		func() error {
			return b.Question(dnsmessage.Question{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET})
		},
		b.StartAnswers,
		func() error { return b.AResource(head(1), dnsmessage.AResource{A: [4]byte{192, 0, 2, 1}}) },
		func() error { return b.AAAAResource(head(1), dnsmessage.AAAAResource{AAAA: [16]byte{0x20, 1, 15: 1}}) },
		func() error { return b.CNAMEResource(head(1), dnsmessage.CNAMEResource{CNAME: mail}) },
		b.StartAuthorities,
		func() error { return b.NSResource(head(1), dnsmessage.NSResource{NS: mail}) },
		b.StartAdditionals,
		func() error { return b.MXResource(head(1), dnsmessage.MXResource{Pref: 10, MX: mail}) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	data, err := b.Finish()
	return []vector{{source: "golang.org/x/net/dns/dnsmessage", data: data, fields: "ID=48879 Response=true RecursionDesired=true Authoritative=false " +
		"Reserved=2 Code=3 QuestionCount=1 AnswerCount=3 AuthorityCount=1 AdditionalCount=1 Questions[0].Name.Labels[0].Text=www Questions[0].Class=1 " +
		"Answers[0].TTL=300 Answers[0].Data.Address=c0000201 Answers[2].Type=5 Answers[2].Data.Target.Labels[1].Text=example " +
		"Additionals[0].Data.Preference=10"}}, err
}

func exifVectors(*testing.T) ([]vector, error) {
	var b bytes.Buffer
	if err := tiff.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 3)), nil); err != nil {
		return nil, err
	}
	data := b.Bytes()
	at := le.Uint32(data[4:])
	end := int(at) + 2 + 12*int(le.Uint16(data[at:])) + 4
	return []vector{{source: "golang.org/x/image/tiff", data: data[at:end],
		fields: "Entries[0].Tag=256 Entries[0].Value=05000000 Entries[1].Tag=257 Entries[1].Count=1 Entries[1].Value=03000000 Next=0"}}, nil
}

// gzipVectors also checks that Go reads a header with a checksum, which it does not write.
func gzipVectors(*testing.T) ([]vector, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Name, w.Comment, w.Extra, w.ModTime, w.OS = "a.txt", "text", []byte{'A', 'B', 2, 0, 7, 8}, time.Unix(1_600_000_000, 0), 3
	if err := w.Close(); err != nil {
		return nil, err
	}
	head := 10 + 2 + 6 + len("a.txt\x00text\x00")
	tail := bytes.Clone(b.Bytes()[head:])
	sum, err := appendGzip(nil, &gzipHeader{HasSum: true, HasName: true, Name: "b.txt", HasExtra: true, Extra: []gzipExtra{{[2]byte{'X', 'Y'}, []byte{1}}}})
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(append(bytes.Clone(sum), tail...)))
	if err != nil {
		return nil, err
	}
	if r.Name != "b.txt" || !bytes.Equal(r.Extra, []byte{'X', 'Y', 1, 0, 1}) {
		return nil, fmt.Errorf("gzip reads %+v", r.Header)
	}
	return []vector{
		{source: "compress/gzip", data: b.Bytes()[:head], fields: "Name=a.txt Comment=text Extra[0].Data=0708 Modified=1600000000 System=3 HasSum=false"},
		{source: "by hand, read by compress/gzip", data: sum, fields: "HasSum=true"},
	}, nil
}

func http2Vectors(*testing.T) ([]vector, error) {
	var list []vector
	var b bytes.Buffer
	f := http2.NewFramer(&b, nil)
	for _, c := range []struct {
		err    error
		fields string
	}{
		{f.WriteDataPadded(3, true, []byte("data"), []byte{0, 0}), "Type=0 Flags=9 Stream=3 Payload.Data=64617461 Payload.PadLength=2"},
		{f.WriteHeaders(http2.HeadersFrameParam{StreamID: 5, BlockFragment: []byte{0x82}, EndHeaders: true, PadLength: 1,
			Priority: http2.PriorityParam{StreamDep: 7, Exclusive: true, Weight: 9}}),
			"Type=1 Payload.PadLength=1 Payload.Priority.Exclusive=true Payload.Priority.DependsOn=7 Payload.Priority.Weight=9 Payload.Fragment=82"},
		{f.WritePriority(5, http2.PriorityParam{StreamDep: 3, Weight: 200}), "Type=2 Payload.DependsOn=3 Payload.Weight=200"},
		{f.WriteRSTStream(9, http2.ErrCodeCancel), "Type=3 Stream=9 Payload.Code=8"},
		{f.WriteSettings(http2.Setting{ID: 4, Val: 65535}), "Type=4 Payload.List[0].ID=4 Payload.List[0].Value=65535"},
		{f.WritePing(true, [8]byte{1, 7: 2}), "Type=6 Flags=1 Payload.Data=0100000000000002"},
		{f.WriteGoAway(11, http2.ErrCodeNo, []byte("bye")), "Type=7 Payload.LastStream=11 Payload.Debug=627965"},
		{f.WriteWindowUpdate(0, 100), "Type=8 Payload.Increment=100"},
	} {
		if c.err != nil {
			return nil, c.err
		}
		list = append(list, vector{source: "golang.org/x/net/http2", fields: c.fields})
	}
	for i, data := 0, b.Bytes(); i < len(list); i++ {
		end := 9 + int(data[0])<<16 + int(data[1])<<8 + int(data[2])
		list[i].data, data = data[:end:end], data[end:]
	}
	return list, nil
}

func pngVectors(*testing.T) ([]vector, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 3))); err != nil {
		return nil, err
	}
	var list []vector
	for data := b.Bytes()[8:]; len(data) > 0; {
		end := 12 + int(be.Uint32(data))
		list = append(list, vector{source: "image/png", data: data[:end:end]})
		data = data[end:]
	}
	list[0].fields = "Length=13 Type=49484452 Data=00000005000000030800000000"
	return list, nil
}

func tarVectors(*testing.T) ([]vector, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	long := strings.Repeat("folder/", 20) + "a.txt"
	for _, h := range []*tar.Header{
		{Name: "a.txt", Mode: 0o640, Uid: 1000, Gid: 100, Size: 0, ModTime: time.Unix(1_600_000_000, 0), Uname: "ada", Gname: "users"},
		{Typeflag: tar.TypeSymlink, Name: long, Linkname: "b.txt", Devmajor: 1, Devminor: 2},
	} {
		h.Format = tar.FormatUSTAR
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
	}
	data := b.Bytes()
	return []vector{
		{source: "archive/tar", data: data[:512], fields: "Name=a.txt Mode=416 UID=1000 GID=100 Modified=1600000000 Type=48 User=ada Group=users"},
		{source: "archive/tar", data: data[512:1024], fields: "Type=50 Link=b.txt Prefix=" + strings.TrimSuffix(strings.Repeat("folder/", 20), "/") + " Name=a.txt"},
	}, nil
}

func tlsVectors(*testing.T) ([]vector, error) {
	client, server := net.Pipe()
	defer server.Close()
	go func() {
		tls.Client(client, &tls.Config{ServerName: "example.com"}).Handshake() // fails when server is closed
		client.Close()
	}()
	data := make([]byte, 5)
	if _, err := io.ReadFull(server, data); err != nil {
		return nil, err
	}
	data = append(data, make([]byte, be.Uint16(data[3:]))...)
	_, err := io.ReadFull(server, data[5:])
	name := fmt.Sprintf("%x", "\x00\x0e\x00\x00\x0bexample.com")
	return []vector{{source: "crypto/tls", data: data, fields: "Version=769 Handshake.Hello.Version=771 Handshake.Hello.Session.len=32 " +
		"Handshake.Hello.Compressions=00 Handshake.Hello.Extensions[0].Type=0 Handshake.Hello.Extensions[0].Data=" + name}}, err
}

// tzifVectors also checks that Go reads a time zone that is encoded by hand.
func tzifVectors(t *testing.T) ([]vector, error) {
	zone := &tzifFile{Version: '2', Second: &tzifSecond{Rule: "EST5EDT,M3.2.0,M11.1.0"}}
	zone.Data32.Types, zone.Data32.Designations = []tzifType{{}}, []byte{0}
	d := &zone.Second.Data64
	d.Types, d.Designations = []tzifType{{-18000, false, 0}, {-14400, true, 4}}, []byte("EST\x00EDT\x00")
	d.Times, d.Indexes = []int64{1_000_000, 2_000_000}, []byte{1, 0}
	own, err := appendTZif(nil, zone)
	if err != nil {
		return nil, err
	}
	l, err := time.LoadLocationFromTZData("test", own)
	if err != nil {
		return nil, err
	}
	if name, offset := time.Unix(1_500_000, 0).In(l).Zone(); name != "EDT" || offset != -14400 {
		return nil, fmt.Errorf("the time zone is %s, %d", name, offset)
	}
	list := []vector{{source: "by hand, read by package time", data: own, fields: "Second.Data64.Transitions=2"}}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	r, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if os.IsNotExist(err) {
		t.Log("the Go installation has no lib/time/zoneinfo.zip")
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for _, f := range r.File {
		if !strings.HasPrefix(f.Name, "A") || f.Mode().IsDir() {
			continue
		}
		file, err := f.Open()
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(file)
		if err != nil {
			return nil, err
		}
		list = append(list, vector{source: "the IANA time zone " + f.Name, data: data})
	}
	return list, nil
}

func zipVectors(*testing.T) ([]vector, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.CreateHeader(&zip.FileHeader{Name: "a.txt", Comment: "text", Method: zip.Store, Modified: time.Unix(1_600_000_000, 0).UTC()})
	if err != nil {
		return nil, err
	}
	if _, err := f.Write([]byte("hello")); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	data := b.Bytes()
	at := bytes.Index(data, []byte("PK\x01\x02"))
	return []vector{{source: "archive/zip", data: data[at : len(data)-22], fields: "Name=a.txt Comment=text Size=5 CRC=907060870 Extra[0].ID=21589"}}, nil
}
