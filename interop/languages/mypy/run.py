"""Reads messages with the printed classes, and writes them again.

The lines of standard input have the name of a module, an expression for the value of
message m, its type, and the message. For each, run.py prints what the classes write, and
adds the value to a module for mypy, which checks that it has the type.
"""

import importlib
import sys

import msgpack

sys.path.insert(0, ".")
for number, line in enumerate(sys.stdin):
    name, read, hint, data = line.rstrip("\n").split("\t")
    module = importlib.import_module(name)
    m = msgpack.unpackb(bytes.fromhex(data), timestamp=3, strict_map_key=False)
    value = eval(read, vars(module) | {"m": m})
    write = read.removesuffix("from_message(m)") + "to_message(value)" if read != "m" else "value"
    if read[:1].isupper():  # a class
        write = "value.to_message()"
    again = eval(write, vars(module) | {"value": value})
    print(msgpack.packb(again, datetime=True).hex())
    with open("check_" + name + ".py", "a", encoding="utf-8") as file:
        if file.tell() == 0:
            file.write(
                f"from {name} import *\nimport datetime\n\n\n"
                'nan, inf = float("nan"), float("inf")\n\n\n'
                "def ExtType(code: int, data: bytes) -> tuple[int, bytes]:\n    return (code, data)\n\n\n"
            )
        file.write(f"v{number}: {hint} = {value!r}\n")
