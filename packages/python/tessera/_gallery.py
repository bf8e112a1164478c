# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Model problems: docs/gallery.md."""

from __future__ import annotations

import ctypes
from ctypes import byref, c_char_p, c_int32, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._library import DOUBLE, FLOAT, INT32, INT64, Matrix, call
from ._matrix import Csr


@dataclass(repr=False)
class Problem:
    """A model problem; coordinates are None where it has none."""

    A: Any  #: scipy.sparse.csr_array, or tessera.Csr where there is no scipy
    b: np.ndarray
    near_nullspace: np.ndarray
    coordinates: np.ndarray | None
    block_size: int
    description: str

    def __repr__(self) -> str:
        return f"<tessera.Problem: {self.description}>"


def _copied(address: int | None, count: int, dtype: Any) -> np.ndarray:
    if not address or count == 0:
        return np.empty(0, dtype)
    kind = np.ctypeslib.as_ctypes_type(np.dtype(dtype))
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(kind)), (count,)).copy()


def gallery(
    name: str, *, dtype: Any = np.float64, index_dtype: Any = np.int32, **options: Any
) -> Problem:
    """The problem of that name with its options: `gallery("poisson3d", n=40)`."""
    types = {np.dtype(np.float32): FLOAT, np.dtype(np.float64): DOUBLE}
    offset_types = {np.dtype(np.int32): INT32, np.dtype(np.int64): INT64}
    if np.dtype(dtype) not in types or np.dtype(index_dtype) not in offset_types:
        raise ArgumentError("dtype is float64 or float32, and index_dtype int32 or int64")
    words = " ".join([name, *(f"{key}={value}" for key, value in options.items())])
    handle = c_void_p()
    call("problem_create", byref(handle), words.encode(), types[np.dtype(dtype)],
         offset_types[np.dtype(index_dtype)])
    try:
        matrix = Matrix()
        call("problem_matrix", handle, byref(matrix))
        block_size, text = c_int32(), c_char_p()
        call("problem_about", handle, byref(block_size), byref(text))

        def vectors(part: int) -> np.ndarray:
            data, rows, columns = c_void_p(), c_int64(), c_int32()
            call("problem_vectors", handle, part, byref(data), byref(rows), byref(columns))
            flat = _copied(data.value, rows.value * columns.value, dtype)
            return flat.reshape((rows.value, columns.value), order="F")

        n = matrix.rows
        data = _copied(matrix.values, matrix.entries, dtype)
        indices = _copied(matrix.columns, matrix.entries, np.int32)
        indptr = _copied(matrix.offsets, n + 1, index_dtype)
        try:
            import scipy.sparse

            A: Any = scipy.sparse.csr_array((data, indices, indptr), shape=(n, n))
        except ImportError:
            A = Csr(data, indices, indptr, (n, n))
        coordinates = vectors(2)
        return Problem(
            A,
            vectors(0)[:, 0],
            vectors(1),
            coordinates if coordinates.size else None,
            block_size.value,
            (text.value or b"").decode(),
        )
    finally:
        call("problem_destroy", handle)
