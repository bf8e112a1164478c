# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Matrix Market files of the matrices and vectors that scripts make."""


def write_matrix(path, num_rows, entries, symmetry="general"):
    """`entries`: (row, column, value) from 0 on, of a symmetric matrix those of the lower triangle."""
    lines = [f"{row + 1} {column + 1} {value!r}\n" for row, column, value in entries]
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"%%MatrixMarket matrix coordinate real {symmetry}\n{num_rows} {num_rows} {len(lines)}\n")
        out.writelines(lines)


def write_vector(path, values):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f"%%MatrixMarket matrix array real general\n{len(values)} 1\n")
        out.writelines(f"{value!r}\n" for value in values)
