package messages

import "math/rand/v2"

// sshKexInit is the message SSH_MSG_KEXINIT: RFC 4253, section 7.1.
type sshKexInit struct {
	_                  struct{} `layout:"be"`
	Type               uint8    `layout:"const=20"`
	Cookie             [16]byte
	KeyExchanges       string `layout:"prefix=u32"`
	HostKeys           string `layout:"prefix=u32"`
	CiphersToServer    string `layout:"prefix=u32"`
	CiphersToClient    string `layout:"prefix=u32"`
	MACsToServer       string `layout:"prefix=u32"`
	MACsToClient       string `layout:"prefix=u32"`
	CompressToServer   string `layout:"prefix=u32"`
	CompressToClient   string `layout:"prefix=u32"`
	LanguagesToServer  string `layout:"prefix=u32"`
	LanguagesToClient  string `layout:"prefix=u32"`
	FirstPacketFollows bool
	Reserved           uint32 `layout:"const=0"`
}

// lists returns the ten name lists in the order of the message.
func (m *sshKexInit) lists() [10]*string {
	return [10]*string{
		&m.KeyExchanges, &m.HostKeys, &m.CiphersToServer, &m.CiphersToClient, &m.MACsToServer, &m.MACsToClient, &m.CompressToServer, &m.CompressToClient,
		&m.LanguagesToServer, &m.LanguagesToClient,
	}
}

func appendSSH(dst []byte, m *sshKexInit) ([]byte, error) {
	if m.Type != 0 && m.Type != 20 || m.Reserved != 0 {
		return dst, errConstant
	}
	lists, size := m.lists(), 22
	for _, s := range lists {
		if uint64(len(*s)) > 1<<32-1 {
			return dst, errRange
		}
		size += 4 + len(*s)
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[16]
	b[0] = 20
	copy(b[1:17], m.Cookie[:])
	b = b[17:]
	for _, s := range lists {
		be.PutUint32(b, uint32(len(*s)))
		b = b[4+copy(b[4:], *s):]
	}
	b[0] = bit(m.FirstPacketFollows, 0)
	be.PutUint32(b[1:], 0)
	return dst, nil
}

func decodeSSH(data []byte, m *sshKexInit) error {
	if len(data) < 17 {
		return errShort
	}
	if data[0] != 20 {
		return errConstant
	}
	m.Type, m.Cookie = 20, [16]byte(data[1:])
	data = data[17:]
	for _, s := range m.lists() {
		if len(data) < 4 {
			return errShort
		}
		size := be.Uint32(data)
		data = data[4:]
		if uint64(size) > uint64(len(data)) {
			return errShort
		}
		*s = string(data[:size])
		data = data[size:]
	}
	if len(data) != 5 {
		return sizeError(len(data), 5)
	}
	if data[0] > 1 || be.Uint32(data[1:]) != 0 {
		return errConstant
	}
	m.FirstPacketFollows, m.Reserved = data[0] == 1, 0
	return nil
}

func randomSSH(r *rand.Rand) *sshKexInit {
	list := func(low, high int) string { return randomText(r, low, high) }
	ciphers, macs := list(60, 110), list(100, 210)
	return &sshKexInit{
		Cookie: [16]byte(randomBytes(r, 16)), KeyExchanges: list(100, 300), HostKeys: list(40, 120), CiphersToServer: ciphers, CiphersToClient: ciphers,
		MACsToServer: macs, MACsToClient: macs, CompressToServer: "none,zlib@openssh.com", CompressToClient: "none,zlib@openssh.com",
	}
}
