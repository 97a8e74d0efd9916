"""Reads a Parquet file with DuckDB and with pyarrow, and compares its rows with lines of JSON.

read.py FILE EXPECTED: the lines have times as nanoseconds, bytes in hex, and maps as lists of
pairs. It prints the first differences.
"""

import json
import math
import sys

import duckdb
import pyarrow
import pyarrow.parquet


def plain(value):
    """Returns a value in the form that the expected lines have."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
        return str(value)
    if isinstance(value, dict):
        return {name: plain(v) for name, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def with_duckdb(path):
    select = "select * replace (epoch_ns(\"at\") as \"at\", map_entries(counts) as counts) from read_parquet(?)"
    query = duckdb.execute(select, [path])
    names = [column[0] for column in query.description]
    for values in query.fetchall():
        row = dict(zip(names, values))
        row["counts"] = row["counts"] and [[e["key"], e["value"]] for e in row["counts"]]
        yield row


def with_pyarrow(path):
    table = pyarrow.parquet.read_table(path)
    i = table.schema.get_field_index("at")
    assert table.schema.field(i).type == pyarrow.timestamp("ns", "UTC"), table.schema.field(i).type
    return table.set_column(i, "at", table.column(i).cast(pyarrow.int64())).to_pylist()


def compare_filters(path, want):
    """Compares the rows that DuckDB finds by a value, for which it skips row groups by their bounds."""
    for name in "id", "wide", "small", "double", "text":
        values = [row[name] for row in want]
        for value in values[:: len(values) // 20]:
            if isinstance(value, str) and name == "double":
                continue
            query = f'select count(*) from read_parquet(?) where "{name}" = ?'
            (got,) = duckdb.execute(query, [path, value]).fetchone()
            if got != values.count(value):
                print(f"DuckDB finds {got} rows with {name} = {value!r}, want {values.count(value)}")


def main():
    path, expected = sys.argv[1:]
    with open(expected, encoding="utf-8") as f:
        want = [json.loads(line) for line in f]
    for name, read in ("DuckDB", with_duckdb), ("pyarrow", with_pyarrow):
        got = [plain(row) for row in read(path)]
        if len(got) != len(want):
            print(f"{name}: {len(got)} rows, want {len(want)}")
        for i, (g, w) in enumerate(zip(got, want)):
            g["extra"] = g["extra"] and json.loads(g["extra"])
            if g != w:
                print(f"{name}: row {i} is\n{g}, want\n{w}")
                break
    compare_filters(path, want)


main()
