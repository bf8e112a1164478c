# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of numpy, and those of a GPU, as addresses; without a copy where their types allow."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _library
from ._errors import ArgumentError
from ._library import DOUBLE, FLOAT

TYPE_OF = {np.dtype(np.float32): FLOAT, np.dtype(np.float64): DOUBLE}


def on_device(array: Any) -> bool:
    """Whether the array lies in device memory, and says where."""
    if getattr(array, "__cuda_array_interface__", None) is None:
        return False
    if not _library.has_device():
        raise ArgumentError(
            f"a {type(array).__name__} lies in device memory, and this libtessera_c is for hosts; "
            "copy it to the host, or take a build for the device"
        )
    return True


@dataclass
class Columns:
    """Columns side by side, at an address."""

    address: int
    rows: int
    columns: int
    leading: int
    dtype: np.dtype
    keep: Any  #: lives as long as the address is used
    stream: int | None = None


def vector_dtype(array: Any) -> np.dtype:
    """float32 stays, half becomes float32, all else that is real becomes float64."""
    dtype = np.dtype(array.__cuda_array_interface__["typestr"]) if on_device(array) else array.dtype
    if dtype.kind == "c":
        raise ArgumentError(f"{dtype} is complex; Tessera solves real systems")
    if dtype.kind not in "fiub":
        raise ArgumentError(f"{dtype} is no type of numbers")
    return np.dtype(np.float32 if dtype.kind == "f" and dtype.itemsize <= 4 else np.float64)


def device_columns(array: Any, name: str, dtype: np.dtype | None = None) -> Columns:
    """A vector or columns in device memory, as they lie. They are not converted: see what is said."""
    interface = array.__cuda_array_interface__
    shape = interface["shape"]
    found = np.dtype(interface["typestr"])
    wanted = found if dtype is None else dtype
    if found != wanted or wanted not in TYPE_OF:
        raise ArgumentError(f"{name} holds {found}; expected {wanted} on the device")
    if len(shape) not in (1, 2):
        raise ArgumentError(f"{name} has {len(shape)} dimensions; expected 1 or 2")
    rows, columns = shape[0], (shape[1] if len(shape) == 2 else 1)
    strides = interface.get("strides")
    if strides is None:  # row after row
        strides = (wanted.itemsize * (columns if len(shape) == 2 else 1), wanted.itemsize)[: len(shape)]
    if rows > 1 and strides[0] != wanted.itemsize:
        raise ArgumentError(
            f"{name}: the entries of a column do not lie side by side on the device; "
            "pass columns in Fortran's order"
        )
    leading = strides[1] // wanted.itemsize if len(shape) == 2 and columns > 1 else rows
    return Columns(
        interface["data"][0], rows, columns, leading, wanted, array, stream_of(array)
    )


def host_array(array: Any, name: str) -> np.ndarray:
    """A numpy array of whatever the array is: numpy's own and those of DLPack in host memory without a copy."""
    if isinstance(array, np.ndarray):
        return array
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        try:
            return np.from_dlpack(array)
        except (BufferError, RuntimeError, TypeError, ValueError):
            pass  # such as a torch tensor that wants a gradient; what follows says why
    result = np.asarray(array)
    if result.dtype == object:
        raise ArgumentError(f"{name} is no array of numbers: {type(array).__name__}")
    return result


def host_columns(array: Any, name: str, dtype: np.dtype | None = None) -> Columns:
    """A vector or columns in host memory; copied only where type or order ask for it."""
    values = host_array(array, name)
    if values.ndim not in (1, 2):
        raise ArgumentError(f"{name} has {values.ndim} dimensions; expected 1 or 2")
    wanted = vector_dtype(values) if dtype is None else dtype
    if values.dtype.kind == "c":
        raise ArgumentError(f"{name} is complex; Tessera solves real systems")
    if values.ndim == 1:
        values = np.ascontiguousarray(values, wanted)
        return Columns(values.ctypes.data, values.size, 1, values.size, wanted, values)
    rows, columns = values.shape
    side_by_side = values.dtype == wanted and values.dtype.isnative and (
        rows <= 1 or values.strides[0] == wanted.itemsize
    ) and (columns <= 1 or (values.strides[1] >= rows * wanted.itemsize
                            and values.strides[1] % wanted.itemsize == 0))
    if not side_by_side:
        values = np.asfortranarray(values, wanted)
    leading = values.strides[1] // wanted.itemsize if columns > 1 else rows
    return Columns(values.ctypes.data, rows, columns, leading, wanted, values)


def columns_of(array: Any, name: str, dtype: np.dtype | None = None) -> Columns:
    return device_columns(array, name, dtype) if on_device(array) else host_columns(array, name, dtype)


def guess_like(array: Any, guess: Any = None) -> Any:
    """A new array beside one on the device, of the library that it is of: the guess, or zeros."""
    package = type(array).__module__.split(".")[0]
    module = sys.modules.get("jax.numpy" if package.startswith("jax") else package)
    if module is None or not hasattr(module, "zeros_like"):
        raise ArgumentError(f"no zeros_like for {type(array).__name__}; pass out=")
    if package.startswith("jax"):  # whose arrays are not assigned to
        made = module.zeros_like(array) if guess is None else module.array(guess, array.dtype, copy=True)
        return made.block_until_ready()
    made = module.zeros_like(array)
    if guess is not None:
        made[...] = guess
    return made


def stream_of(array: Any) -> int | None:
    """The stream on which an array on the device is written: the one that it names or, of torch, whose arrays
    name none, the current one. An array of jax, which has streams of its own, is waited for instead."""
    if hasattr(array, "block_until_ready"):
        array.block_until_ready()
        return None
    if type(array).__module__.split(".")[0] == "torch":
        return int(sys.modules["torch"].cuda.current_stream(array.device).cuda_stream)
    named = array.__cuda_array_interface__.get("stream")
    return None if named is None else int(named)


#: Names of the default stream, which a solver's own stream waits for. That per thread, 2, is not one of them.
LEGACY_STREAMS = (None, 0, 1)

#: What both drivers return in a process that has not begun to use them, so that no stream has work.
NOT_INITIALIZED = 3


def wait_for_stream(stream: int | None, ours: int | None = None) -> None:
    """Waits for the work on an array's stream, unless each of the solver's calls starts after it."""
    if stream in LEGACY_STREAMS or stream == ours:
        return
    for library, function in (("libcuda.so.1", "cuStreamSynchronize"), ("libamdhip64.so", "hipStreamSynchronize")):
        try:
            synchronize = getattr(ctypes.CDLL(library), function)
        except (OSError, AttributeError):
            continue
        synchronize.argtypes = [ctypes.c_void_p]
        synchronize.restype = ctypes.c_int
        status = synchronize(stream)
        if status == NOT_INITIALIZED:
            return
        if status != 0:
            raise ArgumentError(f"the stream {stream} of an array cannot be waited for: {function} returned {status}")
        return


def stream_address(stream: Any) -> int:
    """The address of a stream: an int, or that of cupy's or torch's objects."""
    for name in ("ptr", "cuda_stream"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    return int(stream)
