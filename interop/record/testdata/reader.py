"""Reads record files as docs/record-format.md describes them. It needs nothing but Python 3.8.

    reader.py FILE             prints each record in hexadecimal, then a line that says how the file ends
    reader.py FILE START END   the same for the blocks whose headers begin in this range of a file that is not joined
    reader.py FILE recover     goes on after damage

Compressed blocks need the package zstandard. Exit code 1 means damage.
"""

import struct
import sys

MAGIC, NAME, VERSION, SECTOR = 0x184D2A5D, b"octet-rec", 1, 512
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

    def __init__(self, data):
        self.data, self.pos, self.part, self.marker, self.header_crc, self.ordinal = data, 0, 0, None, None, 0

    def lost(self, size):
        """Reports whether a sector that the bytes at pos overlap is zero from pos on."""
        at, end = self.pos, min(-(-(self.pos + size) // SECTOR) * SECTOR, len(self.data))
        while at < end:
            stop = min((at // SECTOR + 1) * SECTOR, end)
            if not self.data[at:stop].strip(b"\0"):
                return True
            at = stop
        return False

    def flipped(self):
        """Reports whether one bit is all that is wrong with a block header or sync mark at pos."""
        for size, kind in ((53, 2), (37, 4)):
            b = bytearray(self.data[self.pos:self.pos + size])
            if len(b) < size or self.marker is None:
                continue
            start = struct.pack("<IIB", MAGIC, size - 8, kind) + self.marker
            if sum(bin(x ^ y).count("1") for x, y in zip(b, start)) > 1:
                continue
            for i in range(8 * size):
                b[i // 8] ^= 1 << i % 8
                if b[:25] == start and crc32c(b[:-4]) == struct.unpack("<I", b[-4:])[0]:
                    return True
                b[i // 8] ^= 1 << i % 8
        return False

    def follows(self, start, limit, any_marker=False):
        """Finds the headers that begin from start to limit. What it yields says whether they prove that pos was synced."""
        magic, at = struct.pack("<I", MAGIC), start - 1
        while True:
            at = self.data.find(magic, at + 1, limit + 3)
            if at < 0:
                return
            b = self.data[at:at + 53]
            kind, own = b[8:9], b[9:25] == self.marker
            if kind == b"\1" and b[9:18] == NAME:
                end = at + 8 + struct.unpack_from("<I", b, 4)[0]
                frame = self.data[at:end]
                if 41 <= len(frame) <= 36 + 65536 + 4 and end <= len(self.data) and struct.unpack("<I", frame[-4:])[0] == crc32c(frame[:-4]):
                    yield True
            elif kind == b"\2" and len(b) == 53 and (own or any_marker) and b[4:8] == b"\x2d\0\0\0" and crc32c(b[:49]) == struct.unpack_from("<I", b, 49)[0]:
                yield any_marker
            elif kind == b"\3" and len(b) >= 21 and struct.unpack_from("<QI", b, 9) == (at - self.part, self.header_crc):
                yield True
            elif kind == b"\4" and own and self.part + (self.mark(b) or 0) > self.pos:
                yield True

    def mark(self, b):
        """Returns the offset in a sync mark, or None."""
        if len(b) >= 37 and b[4:8] == b"\x1d\0\0\0" and crc32c(b[:33]) == struct.unpack_from("<I", b, 33)[0]:
            return struct.unpack_from("<Q", b, 25)[0]
        return None

    def misfit(self, size, whole, found):
        """Decides whether what is at pos, which is not a whole frame, is torn or damaged."""
        b = self.data[self.pos:self.pos + 20]
        start = struct.pack("<I", MAGIC) + b[4:8] + b"\1" + NAME + struct.pack("<H", VERSION)
        is_file = self.marker is None or len(b) == 20 and sum(bin(x ^ y).count("1") for x, y in zip(b, start)) <= 1
        lost, blocks = self.lost(size), whole
        if self.flipped():
            raise Damage(found)
        for proof in self.follows(self.pos + 1, len(self.data), is_file):
            if proof or not lost:
                raise Damage(found)
            blocks = True
        if blocks and not lost:
            raise Damage(found)
        raise Torn

    def next(self):
        """Returns (offset, raw length, number of records, zstd frame) of the next block, or None at the end."""
        while True:
            b = self.data[self.pos:self.pos + 53]
            if self.marker is None:
                known = struct.pack("<I", MAGIC) + b[4:8] + b"\1" + NAME + struct.pack("<H", VERSION)
                if len(b) < 41 and known.startswith(b):
                    raise Torn
                if len(b) < 10 or b[:4] != known[:4] or b[8] != 1:
                    if self.data[self.pos:].strip(b"\0"):
                        raise Damage("no file header")
                    raise Torn
            if not b:
                return None
            if len(b) < 8:
                raise Torn
            magic, size = struct.unpack_from("<II", b)
            if magic & ~15 != 0x184D2A50:
                self.misfit(53, False, "no frame")
            end = self.pos + 8 + size
            if magic == MAGIC and size > 0 and len(b) > 8 and b[8] == 1:
                self.file_header(b, end)
            elif magic == MAGIC and size > 0 and len(b) > 8 and b[8] == 2:
                return self.block(b)
            else:
                if self.flipped():
                    raise Damage("header")
                for _ in self.follows(self.pos + 1, end):
                    self.misfit(53, False, "frame that covers a header")
                if end > len(self.data):
                    raise Torn
                self.pos = end

    def file_header(self, b, end):
        if not NAME.startswith(b[9:18]) or end - self.pos > 36 + 65536 + 4:
            self.misfit(53, len(b) == 53, "file header")
        frame = self.data[self.pos:end]
        if end > len(self.data):
            self.misfit(end - self.pos, False, "file header")
        if len(frame) < 41 or frame[9:18] != NAME or struct.unpack("<I", frame[-4:])[0] != crc32c(frame[:-4]):
            self.misfit(end - self.pos, True, "file header")
        version = struct.unpack_from("<H", frame, 18)[0]
        if version != VERSION:
            raise Damage("version %d" % version)
        self.part, self.marker, self.header_crc = self.pos, frame[20:36], struct.unpack("<I", frame[-4:])[0]
        self.ordinal, self.pos = 0, end

    def block(self, b):
        if len(b) < 53:
            raise Torn
        size, = struct.unpack_from("<I", b, 4)
        stored, raw, records, ordinal, crc, header_crc = struct.unpack_from("<IIIQII", b, 25)
        if size != 45 or header_crc != crc32c(b[:49]):
            self.misfit(53, False, "block header")
        if b[9:25] != self.marker:
            raise Damage("block of another file")
        if self.ordinal is not None and ordinal != self.ordinal:
            raise Damage("ordinal")
        if raw > LIMIT or stored > raw + raw // 2 + 64 or not 0 < records <= raw:
            raise Damage("length")
        start = self.pos + 53
        frame = self.data[start:start + stored]
        if len(frame) < stored:
            self.misfit(53 + stored, False, "block header")
        if crc32c(frame) != crc:
            self.misfit(53 + stored, True, "block")
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
        except (Torn, Damage) as e:
            start = walk.search(walk.pos + 1) if recover and walk.marker else None
            if start is None:
                return "torn at %d" % walk.pos if isinstance(e, Torn) else "damage at %d: %s" % (walk.pos, e)
            walk.pos, walk.ordinal = start, None


def main(path, *args):
    with open(path, "rb") as f:
        data = f.read()
    walk, end = Walk(data), len(data) + 1
    if len(args) == 2:
        start, end = map(int, args)
        walk.file_header(data[:53], 8 + struct.unpack_from("<I", data, 4)[0])
        if start > walk.pos:
            first = walk.search(start)
            walk.pos, walk.ordinal = len(data) if first is None else first, None
            if first is None or first >= end:
                return print("end of range") or 0
    last = read(walk, end, args == ("recover",), sys.stdout)
    print(last)
    return last.startswith("damage")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
