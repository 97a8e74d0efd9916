"""Writes arrays with numpy for the tests of package array, or checks arrays that the tests wrote.

python3 vectors.py write DIR
python3 vectors.py check DIR

The committed files are from: python3 vectors.py write .
"""

import pathlib
import sys

import numpy as np

KINDS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float32", "float64", "complex64", "complex128"]
ORDERS = {"little": "<", "big": ">"}
N = 6


def values(kind, n=N):
    """Returns the elements that both sides expect, in the order of the machine."""
    i = np.arange(n)
    if kind == "bool":
        return i % 3 == 0
    if kind.startswith("complex"):
        return (i * 0.5 - 2j * i).astype(kind)
    if kind.startswith("float"):
        return (i * 0.5 - 1).astype(kind)
    bits = 8 * np.dtype(kind).itemsize
    wrapped = [(k * k * 7919 - 500) % 2**bits for k in range(n)]
    return np.array(wrapped, dtype="uint%d" % bits).view(kind)


def arrays():
    for kind in KINDS:
        for name, order in ORDERS.items():
            yield kind, name, values(kind).astype(np.dtype(kind).newbyteorder(order))


def save(path, a, version):
    with open(path, "wb") as f:
        np.lib.format.write_array(f, a, version=version)


def write(folder):
    for kind, order, a in arrays():
        np.save(folder / f"{kind}_{order}.npy", a)
    save(folder / "version1.npy", values("uint16"), (1, 0))
    save(folder / "version2.npy", values("uint16"), (2, 0))
    save(folder / "version3.npy", values("uint16"), (3, 0))
    np.save(folder / "matrix.npy", values("int32").reshape(2, 3))
    np.save(folder / "fortran.npy", np.asfortranarray(values("int32").reshape(2, 3)))
    np.save(folder / "scalar.npy", np.array(7, dtype="int32"))
    np.save(folder / "empty.npy", np.zeros((0, 4), dtype="float64"))
    np.save(folder / "structured.npy", np.zeros(2, dtype=[("a", "<u4"), ("b", "<f8")]))
    np.savez(folder / "stored.npz", x=values("uint64"), m=values("float32").reshape(3, 2))
    np.savez_compressed(folder / "compressed.npz", x=values("uint64"), m=values("float32").reshape(3, 2))
    values("uint32").tofile(folder / "uint32.raw")


def equal(name, a, want):
    if a.dtype != want.dtype or a.shape != want.shape or not np.array_equal(a, want):
        sys.exit(f"{name}: {a.dtype} {a.shape}\n{a}\nwant {want.dtype} {want.shape}\n{want}")


def check(folder):
    for kind, order, want in arrays():
        path = folder / f"{kind}_{order}.npy"
        equal(path, np.load(path), want)
        equal(path, np.load(path, mmap_mode="r"), want)
        raw = folder / f"{kind}_{order}.raw"
        equal(raw, np.fromfile(raw, dtype=want.dtype), want)
        equal(raw, np.memmap(raw, dtype=want.dtype, mode="r"), want)
        grown = folder / f"{kind}_{order}_grown.npy"
        longer = np.concatenate([want] * 200 + [np.zeros(3, want.dtype)]).astype(want.dtype)
        equal(grown, np.load(grown), longer)
        equal(grown, np.load(grown, mmap_mode="r"), longer)
    matrix = values("int32").reshape(2, 3)
    equal("matrix", np.load(folder / "matrix.npy"), matrix)
    fortran = np.load(folder / "fortran.npy")
    equal("fortran", fortran, matrix)
    if not fortran.flags.f_contiguous or fortran.flags.c_contiguous:
        sys.exit("fortran.npy is not in Fortran order")
    equal("scalar", np.load(folder / "scalar.npy"), np.array(7, dtype="int32"))
    equal("empty", np.load(folder / "empty.npy"), np.zeros((0, 4)))
    with np.load(folder / "arrays.npz") as z:
        if sorted(z.files) != ["m", "x"]:
            sys.exit(f"arrays.npz has {z.files}")
        equal("x", z["x"], values("uint64"))
        equal("m", z["m"], values("float32").reshape(3, 2))
    # numpy grows the array that the tests open afterwards.
    m = np.load(folder / "int32_big.npy", mmap_mode="r+")
    m[0] = 42
    m.flush()


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](pathlib.Path(sys.argv[2]))
