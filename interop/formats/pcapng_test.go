package formats

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/octet-go/octet/layout/formats"
)

// captures returns the pcapng files in the module gopacket.
func captures(t *testing.T) map[string][]byte {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gopacket/gopacket").Output()
	if err != nil {
		t.Skipf("cannot find the files of gopacket: %v", err)
	}
	dir := strings.TrimSpace(string(out))
	list := map[string][]byte{}
	err = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".pcapng" {
			return err
		}
		list[strings.TrimPrefix(name, dir)], err = os.ReadFile(name)
		return err
	})
	if err != nil || len(list) == 0 {
		t.Skipf("no files in %s: %v", dir, err)
	}
	return list
}

type packet struct {
	data             []byte
	original, device int
	comments         []string
}

// TestPCAPNG compares packets, interfaces and options with gopacket.
func TestPCAPNG(t *testing.T) {
	list := captures(t)
	blocks, packets, interfaces, options, malformed := 0, 0, 0, 0, 0
	kinds := map[string]int{}
	orders := map[string]int{}
	for name, data := range list {
		var got []packet
		var snap []uint32
		skip := false
		for _, m := range messages(t, name, formats.PCAPNG(), data) {
			blocks++
			kinds[m.Name]++
			block, ok := m.Value.(*formats.PCAPNGBlock)
			if !ok {
				// The packet has more bytes than it says, with which gopacket puts up.
				if !strings.HasSuffix(name, "test102.pcapng") {
					t.Errorf("%s: malformed block at offset %d", name, m.Offset)
				}
				malformed++
				got = append(got, packet{})
				continue
			}
			if _, ok := block.Body.(*formats.PCAPNGSection); !ok && skip {
				continue
			}
			switch b := block.Body.(type) {
			case *formats.PCAPNGSection:
				skip = b.Major != 1 || b.Minor != 0 // which gopacket skips too
				snap = nil
				if m.Data[8] == 0x1a {
					orders["big-endian"]++
				} else {
					orders["little-endian"]++
				}
				options += len(b.Options)
			case *formats.PCAPNGInterface:
				snap = append(snap, b.SnapLen)
				interfaces++
				options += len(b.Options)
			case *formats.PCAPNGPacket:
				got = append(got, packet{b.Data, int(b.Original), int(b.Interface), comments(b.Options)})
				options += len(b.Options)
			case *formats.PCAPNGOldPacket:
				got = append(got, packet{b.Data, int(b.Original), int(b.Interface), comments(b.Options)})
				options += len(b.Options)
			case *formats.PCAPNGSimplePacket:
				n := min(b.Original, uint32(len(b.Data)))
				if len(snap) > 0 && snap[0] != 0 {
					n = min(n, snap[0])
				}
				got = append(got, packet{b.Data[:n], int(b.Original), 0, nil})
			}
		}
		r, err := pcapgo.NewNgReader(bytes.NewReader(data), pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true})
		if err != nil {
			t.Logf("%s: %d packets; gopacket: %v", name, len(got), err)
			continue
		}
		for i := 0; ; i++ {
			data, info, with, err := r.ReadPacketDataWithOptions()
			if err != nil {
				if i != len(got) || err != io.EOF {
					t.Errorf("%s: %d packets, gopacket read %d: %v", name, len(got), i, err)
				}
				break
			}
			if i >= len(got) {
				t.Errorf("%s: %d packets, gopacket has more", name, len(got))
				break
			}
			if g := got[i]; g.data != nil && (!bytes.Equal(g.data, data) || g.original != info.Length || len(g.data) != info.CaptureLength ||
				g.device != info.InterfaceIndex || !slices.Equal(g.comments, with.Comments)) {
				t.Errorf("%s: packet %d: %+v\nwant % x %+v %+v", name, i, g, data, info, with)
			}
			packets++
		}
	}
	t.Logf("%d files (sections: %v), %d blocks encode to the same bytes: %v", len(list), orders, blocks, kinds)
	t.Logf("%d packets agree with gopacket; %d interfaces, %d options, %d malformed blocks", packets-malformed, interfaces, options, malformed)
	if len(list) < 54 || orders["big-endian"] == 0 || orders["little-endian"] == 0 || packets == 0 {
		t.Errorf("%d files, %v, %d packets", len(list), orders, packets)
	}
}

func comments(options []formats.PCAPNGOption) (list []string) {
	for _, o := range options {
		if c, ok := o.Value.(*formats.PCAPNGComment); ok {
			list = append(list, c.Text)
		}
	}
	return list
}
