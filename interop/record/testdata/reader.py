"""Reads record files as docs/record-format.md describes them. It needs nothing but Python 3.8.

    reader.py FILE             prints each record in hexadecimal, then a line that says how the file ends
    reader.py FILE START END   the same for the blocks whose headers begin in this range of a file that is not joined
    reader.py FILE recover     goes on after damage

Compressed blocks need the package zstandard. Exit code 1 means damage.
"""

import struct
import sys

MAGIC, NAME, VERSION = 0x184D2A5D, b"octet-rec", 1
LIMIT = 64 << 20


def make_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


TABLE = make_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


class Damage(Exception):
    pass


class Torn(Exception):
    pass


class Walk:
    """Goes from header to header."""

    def __init__(self, data, pos=0, marker=None, ordinal=0):
        self.data, self.pos, self.marker, self.ordinal = data, pos, marker, ordinal

    def hides_header(self, start, end):
        inside = self.data[start:end]
        return NAME in inside or self.marker is not None and self.marker in inside

    def cut(self, start, found):
        """The file ends inside the frame at pos, or a length is wrong."""
        if self.hides_header(start, len(self.data)):
            raise Damage(found)
        raise Torn

    def no_frame(self, shortest):
        rest = self.data[self.pos:]
        if len(rest) < shortest or not rest.strip(b"\0"):
            raise Torn
        raise Damage("no frame")

    def next(self):
        """Returns (offset, raw length, number of records, zstd frame) of the next block, or None at the end."""
        while True:
            b = self.data[self.pos:self.pos + 53]
            if self.marker is None:
                known = struct.pack("<I", MAGIC) + b[4:8] + b"\1" + NAME + struct.pack("<H", VERSION)
                if len(b) < 41 and known.startswith(b):
                    raise Torn
                if len(b) < 10 or b[:4] != known[:4] or b[8] != 1:
                    self.no_frame(0)
            if not b:
                return None
            if len(b) < 8:
                raise Torn
            magic, size = struct.unpack_from("<II", b)
            if magic & ~15 != 0x184D2A50:
                self.no_frame(53)
            end = self.pos + 8 + size
            if magic == MAGIC and size > 0 and len(b) > 8 and b[8] == 1:
                self.file_header(b, end)
            elif magic == MAGIC and size > 0 and len(b) > 8 and b[8] == 2:
                return self.block(b)
            else:
                if self.hides_header(self.pos + 8, end):
                    raise Damage("frame with a header inside")
                if end > len(self.data):
                    raise Torn
                self.pos = end

    def file_header(self, b, end):
        if not NAME.startswith(b[9:18]) or end - self.pos > 36 + 65536 + 4:
            raise Damage("file header")
        if end > len(self.data):
            if len(b) < 36:
                raise Torn
            self.marker = b[20:36]
            self.cut(self.pos + 36, "file header")
        frame = self.data[self.pos:end]
        if len(frame) < 41 or frame[9:18] != NAME or struct.unpack("<I", frame[-4:])[0] != crc32c(frame[:-4]):
            raise Damage("file header")
        version = struct.unpack_from("<H", frame, 18)[0]
        if version != VERSION:
            raise Damage("version %d" % version)
        self.marker, self.ordinal, self.pos = frame[20:36], 0, end

    def block(self, b):
        if len(b) < 53:
            raise Torn
        size, = struct.unpack_from("<I", b, 4)
        stored, raw, records, ordinal, crc, header_crc = struct.unpack_from("<IIIQII", b, 25)
        if size != 45 or header_crc != crc32c(b[:49]) or b[9:25] != self.marker:
            raise Damage("block header")
        if self.ordinal is not None and ordinal != self.ordinal:
            raise Damage("ordinal")
        if raw > LIMIT or stored > raw + raw // 2 + 64 or not 0 < records <= raw:
            raise Damage("length")
        start = self.pos + 53
        frame = self.data[start:start + stored]
        if len(frame) < stored:
            self.cut(start, "block header")
        if crc32c(frame) != crc:
            raise Damage("block")
        found = self.pos, raw, records, frame
        self.pos, self.ordinal = start + stored, ordinal + records
        return found

    def search(self, start):
        """Returns the offset of the next header at start or later, or None."""
        hits = [self.data.find(text, start + 9) for text in (self.marker, NAME)]
        return min((h - 9 for h in hits if h >= 0), default=None)


def content(frame, raw):
    descriptor = frame[4]
    pos = 5 + (not descriptor & 32) + (1 if descriptor & 32 and descriptor < 64 else (0, 2, 4, 8)[descriptor >> 6])
    result, start = b"", pos
    while True:
        header = int.from_bytes(frame[pos:pos + 3], "little")
        if header & 6:
            import zstandard
            return zstandard.ZstdDecompressor().decompress(frame, max_output_size=raw)
        size = header >> 3
        result += frame[pos + 3:pos + 3 + size]
        pos += 3 + size
        if header & 1:
            if frame[:4] != b"\x28\xb5\x2f\xfd" or pos + 4 != len(frame) or len(result) != raw or start >= pos:
                raise Damage("zstd frame")
            return result


FIXED = {0xCA: 4, 0xCB: 8, 0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8, 0xD0: 1, 0xD1: 2, 0xD2: 4, 0xD3: 8,
         0xD4: 2, 0xD5: 3, 0xD6: 5, 0xD7: 9, 0xD8: 17}
COUNTED = {0xC4: (1, 0), 0xC5: (2, 0), 0xC6: (4, 0), 0xC7: (1, 1), 0xC8: (2, 1), 0xC9: (4, 1), 0xD9: (1, 0), 0xDA: (2, 0), 0xDB: (4, 0)}
CONTAINERS = {0xDC: (2, 1), 0xDD: (4, 1), 0xDE: (2, 2), 0xDF: (4, 2)}


def value_end(b, pos):
    """Returns where the MessagePack value at pos ends."""
    todo = 1
    while todo:
        todo -= 1
        f = b[pos]
        pos += 1
        if 0xA0 <= f <= 0xBF:
            pos += f & 31
        elif 0x80 <= f <= 0x9F:
            todo += (f & 15) * (2 if f < 0x90 else 1)
        elif f in FIXED:
            pos += FIXED[f]
        elif f in COUNTED:
            width, extra = COUNTED[f]
            pos += width + extra + int.from_bytes(b[pos:pos + width], "big")
        elif f in CONTAINERS:
            width, values = CONTAINERS[f]
            todo += values * int.from_bytes(b[pos:pos + width], "big")
            pos += width
        elif f == 0xC1:
            raise Damage("record")
    return pos


def read(walk, end, recover, out):
    while True:
        try:
            block = walk.next()
            if block is None:
                return "end"
            if block[0] >= end:
                return "end of range"
            records, pos = content(block[3], block[1]), 0
            for _ in range(block[2]):
                start, pos = pos, value_end(records, pos)
                out.write(records[start:pos].hex() + "\n")
        except Torn:
            return "torn at %d" % walk.pos
        except Damage as e:
            start = walk.search(walk.pos + 1) if recover and walk.marker else None
            if start is None:
                return "damage at %d: %s" % (walk.pos, e)
            walk.pos, walk.ordinal = start, None


def main(path, *args):
    with open(path, "rb") as f:
        data = f.read()
    walk, end = Walk(data), len(data) + 1
    if len(args) == 2:
        start, end = map(int, args)
        header = Walk(data)
        header.file_header(data[:53], 8 + struct.unpack_from("<I", data, 4)[0])
        if start > header.pos:
            first = header.search(start)
            walk = Walk(data, len(data) if first is None else first, header.marker, None)
            if first is None or first >= end:
                return print("end of range") or 0
    last = read(walk, end, args == ("recover",), sys.stdout)
    print(last)
    return last.startswith("damage")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
