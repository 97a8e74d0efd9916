"""The Python program that transcode is measured against, with orjson and ormsgpack, and with msgpack on the way back.

    pip install orjson ormsgpack msgpack
    python3 orjson_ormsgpack.py records 200000000 > in.ndjson
    time python3 orjson_ormsgpack.py < in.ndjson > out.msgpack
    time octet convert -q in.ndjson -o out.msgpack
    time python3 orjson_ormsgpack.py back < out.msgpack > back.ndjson
    time octet convert -q out.msgpack -o back.ndjson
"""
import random
import sys

import msgpack
import orjson
import ormsgpack

out = sys.stdout.buffer


def records(size):
    """Writes lines of about 360 bytes, the same ones every time, until size is reached."""
    pick = random.Random(1)
    words = "alpha beta gamma delta error warning request response timeout session café naïve 日本 header miss hit".split()
    text = lambda least, most: " ".join(pick.choice(words) for _ in range(pick.randint(least, most)))
    i = 0
    while size > 0:
        line = orjson.dumps({
            "id": 1000000000 + i,
            "ts": f"2026-{pick.randint(1, 12):02}-{pick.randint(1, 28):02}T08:{pick.randint(0, 59):02}:00.{pick.randint(0, 999):03}Z",
            "level": pick.choice(["info", "warn", "error"]),
            "host": f"node-{pick.randint(1, 400)}.example.com",
            "latency_ms": round(pick.random() * 500, 3),
            "ok": pick.random() < 0.9,
            "status": pick.choice([200, 201, 404, 500]),
            "user": {"id": pick.randint(1, 10**7), "name": text(2, 2), "score": pick.random() * 100, "vip": None},
            "tags": [pick.choice(words) for _ in range(pick.randint(0, 4))],
            "message": text(3, 15) + pick.choice(["", ' "quoted" \n', " 100%"]),
            "bytes": pick.randint(-5, 10**12),
        }) + b"\n"
        out.write(line)
        size -= len(line)
        i += 1


if sys.argv[1:2] == ["records"]:
    records(int(sys.argv[2]))
elif sys.argv[1:2] == ["back"]:
    for value in msgpack.Unpacker(sys.stdin.buffer, max_buffer_size=1 << 30):
        out.write(orjson.dumps(value) + b"\n")
else:
    for line in sys.stdin.buffer:
        out.write(ormsgpack.packb(orjson.loads(line)))
