# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compressed rows in Tessera's binary format (docs/formats.md), which is read in milliseconds, and what is made into that."""
import array
import gzip
import lzma
import pathlib
import random
import struct
import zlib

HEADER = struct.Struct("=8sIIBBBBIQQQI5I52s")
MAGIC = b"TESSERA\x1a"
STEP = 64


class Csr:
    """A square matrix: offsets and columns of 32 bits, values in double."""

    def __init__(self, offsets, columns, values):
        self.offsets, self.columns, self.values = offsets, columns, values
        self.rows = len(offsets) - 1

    @classmethod
    def of_entries(cls, num_rows, entries):
        """`entries`: (row, column, value) from 0 on in any order, none twice."""
        rows = [[] for _ in range(num_rows)]
        for row, column, value in entries:
            rows[row].append((column, value))
        offsets, columns, values = array.array("i", [0]), array.array("i"), array.array("d")
        for row in rows:
            row.sort()
            columns.extend(column for column, _ in row)
            values.extend(value for _, value in row)
            offsets.append(len(columns))
        return cls(offsets, columns, values)

    def entries(self):
        for row in range(self.rows):
            for e in range(self.offsets[row], self.offsets[row + 1]):
                yield row, self.columns[e], self.values[e]

    def shuffled(self):
        """Numbered by chance, the same for the same number of rows."""
        number = list(range(self.rows))
        random.Random(1).shuffle(number)
        return Csr.of_entries(self.rows, ((number[i], number[j], value) for i, j, value in self.entries()))


def read_csr(path):
    data = memoryview(pathlib.Path(path).read_bytes())
    magic, version, order, value_bytes, offset_bytes, *_, num_rows, _, num_entries = HEADER.unpack(data[:124])[:11]
    if magic != MAGIC or version != 1 or order != 0x01020304 or value_bytes != 8:
        raise ValueError(f"{path}: expected compressed rows in double of this machine's byte order")
    at, parts = 128, []
    for kind, length in (("i" if offset_bytes == 4 else "q", num_rows + 1), ("i", num_entries), ("d", num_entries)):
        part = array.array(kind)
        part.frombytes(data[at : at + length * part.itemsize])
        parts.append(part)
        at += -(-length * part.itemsize // STEP) * STEP
    if parts[0].typecode == "q":
        parts[0] = array.array("i", parts[0])
    return Csr(*parts)


def write_csr(path, matrix):
    sections = [part.tobytes() for part in (matrix.offsets, matrix.columns, matrix.values)]
    sums = [zlib.crc32(section) for section in sections] + [0, 0]
    sizes = matrix.rows, matrix.rows, len(matrix.columns)
    header = HEADER.pack(MAGIC, 1, 0x01020304, 8, 4, 4, 0, 0, *sizes, 0, *sums, bytes(52))
    with open(path, "wb") as out:
        out.write(header + struct.pack("=I", zlib.crc32(header)))
        for section in sections:
            out.write(section + bytes(-len(section) % STEP))


def read_matrix_market(path):
    """NAME.mtx, packed by xz or gzip or not at all, square and real, of any symmetry."""
    opener = {".xz": lzma.open, ".gz": gzip.open}.get(pathlib.Path(path).suffix, open)
    with opener(path, "rt", encoding="utf-8") as file:
        header = file.readline().lower().split()
        line = next(line for line in file if not line.startswith("%") and line.strip())
        num_rows = int(line.split()[0])

        def entries():
            for text in file:
                words = text.split()
                if not words or words[0].startswith("%"):
                    continue
                i, j, value = int(words[0]) - 1, int(words[1]) - 1, float(words[2]) if len(words) > 2 else 1.0
                yield i, j, value
                if i != j and header[4] != "general":
                    yield j, i, -value if header[4] == "skew-symmetric" else value

        return Csr.of_entries(num_rows, entries())
