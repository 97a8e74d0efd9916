import json
import os
import resource
import sys
import time

import numpy as np

way, task, n, path = os.environ["OCTET_BENCH_LARGE"].split("|")
n = int(n)


def cpu():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def write():
    with open(path, "wb") as f:
        if way == "numpy tofile":
            a.tofile(f)
        elif way == "numpy save":
            np.save(f, a)
        elif way == "numpy memmap":
            m = np.lib.format.open_memmap(path, mode="w+", dtype=a.dtype, shape=a.shape)
            m[:] = a
            if task == "write and sync":
                m.flush()
            return
        else:
            a.astype(">u8").tofile(f)
        f.flush()
        if task == "write and sync":
            os.fsync(f.fileno())


def add():
    if way == "numpy load, mmap":
        return int(np.load(path, mmap_mode="r").sum())
    return int(np.load(path).sum())


if task == "sum":
    work = add
else:
    a = np.arange(n, dtype="uint64")
    work = write
print("ready", flush=True)
sys.stdin.readline()
c, t = cpu(), time.perf_counter()
result = work()
t, c = time.perf_counter() - t, cpu() - c
if task == "sum" and result != n * (n - 1) // 2 % 2**64:
    sys.exit("the sum is wrong")
print(json.dumps({"Seconds": t, "CPU": c}), flush=True)
