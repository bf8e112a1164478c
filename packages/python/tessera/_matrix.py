# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Matrices of scipy.sparse and their like as the C interface takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import TYPE_OF, on_device, stream_of, vector_dtype, wait_for_stream
from ._errors import ArgumentError
from ._library import INT32, INT64, Matrix

_TRUSTED = 1


@dataclass
class Csr:
    """Compressed sparse rows without scipy: the attributes are those of scipy.sparse.csr_array."""

    data: Any
    indices: Any
    indptr: Any
    shape: tuple[int, int]
    format: str = "csr"


@dataclass
class MatrixArgument:
    """A tessera_matrix with what its addresses are of."""

    matrix: Matrix
    dtype: np.dtype
    keep: list[Any]
    stream: int | None


def _address(array: Any) -> int:
    if on_device(array):
        return int(array.__cuda_array_interface__["data"][0])
    return array.ctypes.data


def _integers(array: Any, name: str, allowed: tuple[type, ...]) -> Any:
    """The array with one of the types, converted to the first where it has none of them."""
    if on_device(array):
        found = np.dtype(array.__cuda_array_interface__["typestr"])
        if found not in [np.dtype(t) for t in allowed]:
            raise ArgumentError(f"{name} holds {found}; on the device {allowed[0].__name__} is needed")
        return array
    values = np.asarray(array)
    if values.dtype.kind not in "iu":
        raise ArgumentError(f"{name} holds {values.dtype}; expected integers")
    if values.dtype not in [np.dtype(t) for t in allowed]:
        limits = np.iinfo(allowed[-1])
        if values.size and (values.max() > limits.max or values.min() < limits.min):
            raise ArgumentError(f"{name} holds numbers beyond {np.dtype(allowed[-1])}")
        values = values.astype(allowed[-1])
    return np.ascontiguousarray(values)


def _sparse(A: Any) -> Any:
    """In csr or bsr with square blocks; other formats of scipy are converted."""
    if isinstance(A, (tuple, list)) and len(A) == 3:
        data, indices, indptr = A
        n = len(indptr) - 1
        return Csr(data, indices, indptr, (n, n))
    if isinstance(A, np.ndarray):
        raise ArgumentError("A is a dense array; pass scipy.sparse.csr_array(A)")
    kind = getattr(A, "format", None)
    if kind == "bsr":
        blocks = A.data.shape[1:]
        return A if blocks[0] == blocks[1] and A.shape[0] == A.shape[1] else A.tocsr()
    if kind == "csr":
        return A
    if hasattr(A, "tocsr"):
        return A.tocsr()
    raise ArgumentError(
        f"A is a {type(A).__name__}; expected a matrix of scipy.sparse, tessera.Csr, or "
        "(data, indices, indptr)"
    )


def matrix_argument(A: Any, trusted: bool = False) -> MatrixArgument:
    """The matrix in place; values that are not float32 or float64, and indices of 64 bits, are copied."""
    A = _sparse(A)
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise ArgumentError(f"A is {' x '.join(map(str, A.shape))}; expected a square matrix")
    dtype = vector_dtype(A.data if on_device(A.data) else np.asarray(A.data))
    data = A.data if on_device(A.data) else np.ascontiguousarray(A.data, dtype)
    if on_device(data) and np.dtype(data.__cuda_array_interface__["typestr"]) not in TYPE_OF:
        raise ArgumentError("the values on the device are neither float32 nor float64")
    indices = _integers(A.indices, "A.indices", (np.int32,))
    indptr = _integers(A.indptr, "A.indptr", (np.int32, np.int64))
    block = int(A.data.shape[1]) if A.format == "bsr" else 1
    rows = A.shape[0] // block
    if tuple(indptr.shape) != (rows + 1,):
        raise ArgumentError(f"A.indptr has {indptr.shape[0]} entries; expected {rows + 1}")
    if len(indices.shape) != 1 or data.shape[0] != indices.shape[0]:
        raise ArgumentError(
            f"A.data has {data.shape[0]} entries and A.indices {indices.shape[0]}; expected as many"
        )
    matrix = Matrix()
    matrix.rows = rows
    # scipy's arrays may be longer than what is in use.
    last = indices.shape[0] if on_device(indptr) else int(indptr[-1])
    matrix.entries = last if 0 <= last <= indices.shape[0] else indices.shape[0]
    matrix.offsets, matrix.columns, matrix.values = _address(indptr), _address(indices), _address(data)
    wide = np.dtype(
        indptr.__cuda_array_interface__["typestr"] if on_device(indptr) else indptr.dtype
    ) == np.dtype(np.int64)
    matrix.offset_type = INT64 if wide else INT32
    matrix.value_type = TYPE_OF[dtype]
    matrix.block_size = block
    matrix.flags = _TRUSTED if trusted else 0
    stream = stream_of(data) if on_device(data) else None
    for other in (indices, indptr):
        if on_device(other):
            wait_for_stream(stream_of(other), stream)
    return MatrixArgument(matrix, dtype, [data, indices, indptr], stream)
