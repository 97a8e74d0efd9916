"""Measures octet-parquet beside pyarrow: speed.py OCTET-PARQUET [BYTES].

It writes NDJSON of that size (default: 1e9), converts it with both, with the same compression,
and prints wall and processor time. The temporary folder needs three times the space. It
requires pyarrow.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

CHILD = """
import sys, pyarrow.json, pyarrow.parquet
table = pyarrow.json.read_json(sys.argv[1])
pyarrow.parquet.write_table(table, sys.argv[2], compression="snappy")
"""


def write(path, size):
    """Writes orders. The first 20,000 lines are random; they repeat with other numbers."""
    r = random.Random(1)
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    tails = []
    for _ in range(20_000):
        order = {
            "user": "user-%d" % r.randrange(100_000),
            "time": "2026-%02d-%02dT12:%02d:00Z" % (r.randrange(1, 13), r.randrange(1, 29), r.randrange(60)),
            "price": round(r.random() * 1000, 2),
            "ok": r.random() < 0.9,
            "tags": r.sample(words, r.randrange(4)),
            "place": {"city": r.choice(words), "lat": r.random() * 90, "lon": r.random() * 180},
            "text": " ".join(r.choice(words) for _ in range(r.randrange(12))),
        }
        tails.append(json.dumps(order, separators=(",", ":"))[1:] + "\n")
    with open(path, "w", encoding="utf-8") as f:
        n = i = 0
        while n < size:
            n += f.write('{"id":%d,%s' % (i, tails[i % len(tails)]))
            i += 1


def measure(name, command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    subprocess.run(command, check=True)
    wall, after = time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{name}: {wall:.2f} s wall, {processor:.2f} s user+sys", flush=True)
    return wall, processor


def main():
    program = sys.argv[1]
    size = float(sys.argv[2]) if len(sys.argv) > 2 else 1e9
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        lines, octet, arrow = (os.path.join(folder, name) for name in ("a.ndjson", "octet.parquet", "arrow.parquet"))
        write(lines, size)
        theirs = measure("pyarrow", [sys.executable, "-c", CHILD, lines, arrow])
        ours = measure("octet-parquet, NDJSON", [program, lines, "-o", octet])
        print(f"{theirs[0] / ours[0]:.2f} times as fast by wall time, {theirs[1] / ours[1]:.2f} by processor time")
        print(f"sizes: pyarrow {os.path.getsize(arrow)}, octet-parquet {os.path.getsize(octet)}")


main()
