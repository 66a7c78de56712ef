#!/usr/bin/python3
"""Write arrays as NumPy does: arrays.py FOLDER. Each line of the output is a path for the reader, a
tab, and the path of a file with what the reader must give: rows and columns as int32, then float32
values. Exits with 77 when NumPy is missing."""
import os
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(77)

TYPES = ["<f2", "<f4", "<f8", "|u1", "<u2", "<u4", "<u8", "|i1", "<i2", "<i4", "<i8"]


def array(rng, dtype, shape):
    if dtype[1] == "f":
        return (rng.standard_normal(shape) * 10.0 ** rng.integers(-4, 4)).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, size=shape, dtype=dtype, endpoint=True)


def expect(folder, name, x):
    path = os.path.join(folder, name + ".want")
    rows = x if x.ndim == 2 else x[:, None]
    with open(path, "wb") as f:
        f.write(np.array(rows.shape, "<i4").tobytes())
        f.write(rows.astype("<f4").tobytes())
    return path


def main(folder):
    rng = np.random.default_rng(7)
    members = {}
    for number in range(132):
        dtype = TYPES[number % len(TYPES)]
        shape = [(int(rng.integers(1, 40)),), tuple(rng.integers(1, 30, 2).tolist())][number // 11 % 2]
        x, name = array(rng, dtype, shape), f"a{number}"
        want = expect(folder, name, x)
        path = os.path.join(folder, name + ".npy")
        with open(path, "wb") as f:
            np.lib.format.write_array(f, x, version=[(1, 0), (2, 0), (3, 0)][number % 3])
        members[name] = x
        print(path, want, sep="\t")
        for archive in ("stored", "deflated"):
            print(os.path.join(folder, f"{archive}.npz:{name}"), want, sep="\t")
    np.savez(os.path.join(folder, "stored.npz"), **members)
    np.savez_compressed(os.path.join(folder, "deflated.npz"), **members)


main(sys.argv[1])
