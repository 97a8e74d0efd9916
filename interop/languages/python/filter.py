"""Reads values with one MessagePack library and writes them again.

Usage: filter.py LIBRARY. Each line of the standard input is a message in
hexadecimal. Each line of the output is a JSON object:

    {"read": description, "write": hexadecimal}

"read_error" or "write_error" replaces a part that the library refused.
The grammar of descriptions is in describe.go.
"""

import datetime
import json
import struct
import sys

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Ext:
    """An ext value of a library that has no type of its own for it."""

    def __init__(self, code, data):
        self.code, self.data = code, bytes(data)


def describe(v):
    if v is None:
        return "n"
    if v is True:
        return "t"
    if v is False:
        return "f"
    if isinstance(v, int):
        return "i%d" % v
    if isinstance(v, float):
        return "d" + struct.pack(">d", v).hex()
    if isinstance(v, str):
        return "s" + v.encode("utf-8", "surrogateescape").hex()
    if isinstance(v, (bytes, bytearray, memoryview)):
        return "b" + bytes(v).hex()
    if isinstance(v, datetime.datetime):
        d = v - EPOCH
        return "T%d.%09d" % (d.days * 86400 + d.seconds, d.microseconds * 1000)
    if hasattr(v, "seconds") and hasattr(v, "nanoseconds"):
        return "T%d.%09d" % (v.seconds, v.nanoseconds)
    if hasattr(v, "code") and hasattr(v, "data"):  # before tuple, which ExtType is
        return "x%d/%s" % (v.code, bytes(v.data).hex())
    if isinstance(v, (list, tuple)):
        return "[" + ",".join(map(describe, v)) + "]"
    if isinstance(v, dict):
        return "{" + ",".join(sorted(describe(k) + "=" + describe(e) for k, e in v.items())) + "}"
    return "?" + type(v).__name__


def use_msgpack(**options):
    import msgpack

    unicode_errors = options.get("unicode_errors", "strict")
    return (
        lambda b: msgpack.unpackb(b, **options),
        lambda v: msgpack.packb(v, unicode_errors=unicode_errors),
    )


def use_ormsgpack(lossless):
    import ormsgpack

    if not lossless:
        return ormsgpack.unpackb, ormsgpack.packb

    def default(v):
        if isinstance(v, Ext):
            return ormsgpack.Ext(v.code, v.data)
        raise TypeError(type(v).__name__)

    option = ormsgpack.OPT_NON_STR_KEYS | ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT
    return (
        lambda b: ormsgpack.unpackb(b, option=option, ext_hook=Ext),
        lambda v: ormsgpack.packb(v, default, option=option),
    )


def use_msgspec():
    import msgspec

    return msgspec.msgpack.decode, msgspec.msgpack.encode


LIBRARIES = {
    "msgpack": lambda: use_msgpack(),
    "msgpack+": lambda: use_msgpack(strict_map_key=False, use_list=False, unicode_errors="surrogateescape"),
    "ormsgpack": lambda: use_ormsgpack(False),
    "ormsgpack+": lambda: use_ormsgpack(True),
    "msgspec": use_msgspec,
}


def answer(message, decode, encode):
    try:
        value = decode(message)
        read = describe(value)
    except Exception as e:
        return {"read_error": "%s: %s" % (type(e).__name__, e)}
    try:
        return {"read": read, "write": encode(value).hex()}
    except Exception as e:
        return {"read": read, "write_error": "%s: %s" % (type(e).__name__, e)}


def main():
    decode, encode = LIBRARIES[sys.argv[1]]()
    sys.setrecursionlimit(20000)
    for line in sys.stdin:
        print(json.dumps(answer(bytes.fromhex(line), decode, encode)), flush=True)


main()
