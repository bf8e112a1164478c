# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""libtessera_c by ctypes: where it is found, what its functions take, and errors as exceptions."""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import pathlib
import re
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_int64, c_uint32, c_void_p

from ._errors import BY_STATUS, TesseraError

FLOAT, DOUBLE, INT32, INT64 = 1, 2, 3, 4
INTERRUPTED = 8


class Matrix(ctypes.Structure):
    """tessera_matrix."""

    _fields_ = [
        ("rows", c_int64),
        ("entries", c_int64),
        ("offsets", c_void_p),
        ("columns", c_void_p),
        ("values", c_void_p),
        ("offset_type", c_int),
        ("value_type", c_int),
        ("block_size", c_int32),
        ("flags", c_uint32),
        ("reserved", c_int64 * 4),
    ]


Progress = ctypes.CFUNCTYPE(c_int, c_void_p, c_int32, c_double, c_double)

_SIGNATURES = {
    "initialize": [c_int32],
    "parameter_schema": [POINTER(c_char_p)],
    "create": [POINTER(c_void_p)],
    "destroy": [c_void_p],
    "set_json": [c_void_p, c_char_p],
    "set": [c_void_p, c_char_p],
    "set_device": [c_void_p, c_char_p],
    "set_stream": [c_void_p, c_void_p],
    "set_block_size": [c_void_p, c_int32],
    "set_near_nullspace": [c_void_p, c_int, c_int64, c_int32, c_void_p, c_int64],
    "set_nullspace": [c_void_p, c_int, c_int64, c_int32, c_void_p, c_int64],
    "set_left_nullspace": [c_void_p, c_int, c_int64, c_int32, c_void_p, c_int64],
    "set_coordinates": [c_void_p, c_int, c_int64, c_int32, c_void_p, c_int64],
    "set_progress": [c_void_p, Progress, c_void_p],
    "setup": [c_void_p, POINTER(Matrix)],
    "forecast": [c_void_p, POINTER(Matrix), POINTER(c_int64), POINTER(c_int64), POINTER(c_int64)],
    "update": [c_void_p, POINTER(Matrix)],
    "solve": [c_void_p, c_int, c_int64, c_int32, c_void_p, c_int64, c_void_p, c_int64],
    "apply": [c_void_p, c_int, c_int64, c_int32, c_void_p, c_int64, c_void_p, c_int64],
    "result": [
        c_void_p,
        POINTER(c_int32),
        POINTER(c_double),
        POINTER(c_double),
        POINTER(c_double),
    ],
    "column_result": [c_void_p, c_int32, POINTER(c_int), POINTER(c_int32), POINTER(c_double)],
    "history": [c_void_p, POINTER(c_double), c_int64, POINTER(c_int64)],
    "report": [c_void_p, POINTER(c_char_p)],
    "problem_create": [POINTER(c_void_p), c_char_p, c_int, c_int],
    "problem_destroy": [c_void_p],
    "problem_matrix": [c_void_p, POINTER(Matrix)],
    "problem_vectors": [c_void_p, c_int, POINTER(c_void_p), POINTER(c_int64), POINTER(c_int32)],
    "problem_about": [c_void_p, POINTER(c_int32), POINTER(c_char_p)],
}


def _candidates() -> list[str]:
    """Where the library may be: named, in the wheel, or wherever the system looks."""
    named = os.environ.get("TESSERA_LIBRARY")
    if named:
        return [named]
    beside = pathlib.Path(__file__).parent / "lib"
    found = sorted(str(path) for path in beside.glob("libtessera_c.*"))
    return [*found, "libtessera_c.so.0", "libtessera_c.so", "libtessera_c.dylib"]


def _load() -> ctypes.CDLL:
    # What a wheel has beside it, dependencies first: loaded once, each is found by its name.
    order = pathlib.Path(__file__).parent / "lib" / "load_order.txt"
    if order.is_file() and not os.environ.get("TESSERA_LIBRARY"):
        for name in order.read_text().split():
            ctypes.CDLL(str(order.parent / name))
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            tried.append(f"{path}: {error}")
    raise ImportError(
        "libtessera_c was not found. Install it, or name its file in TESSERA_LIBRARY. Tried:\n  "
        + "\n  ".join(tried)
    )


_library = _load()
for _name, _arguments in _SIGNATURES.items():
    _function = getattr(_library, "tessera_" + _name)
    _function.argtypes = _arguments
    _function.restype = c_int
for _name in ("version", "build", "last_error", "status_name"):
    getattr(_library, "tessera_" + _name).restype = c_char_p
_library.tessera_status_name.argtypes = [c_int]


#: Names of the C interface in its messages, and what they are here.
_NAMES = {
    "tessera_set_coordinates": "coordinates=",
    "tessera_set_near_nullspace": "near_nullspace=",
    "Solver::set_nullspace": "nullspace=, left_nullspace=",
    "TESSERA_TRUSTED": "trusted=True",
    "tessera_solve first": "solve first",
}


def last_error() -> str:
    """What this thread's last call had to say."""
    text = _library.tessera_last_error().decode(errors="replace")
    text = re.sub(r"^tessera_[a-z_]+: ", "", text)
    for name, here in _NAMES.items():
        text = text.replace(name, here)
    return text


def status_name(status: int) -> str:
    return _library.tessera_status_name(status).decode()


def call(name: str, *arguments: object) -> int:
    """Calls tessera_NAME, without Python's lock. Returns how a solve ended; errors are raised."""
    status = getattr(_library, "tessera_" + name)(*arguments)
    if status < 0:
        raise BY_STATUS.get(status, TesseraError)(last_error(), status_name(status))
    return status


def version() -> str:
    """The version of the library."""
    return _library.tessera_version().decode()


def build() -> str:
    """The build in one line, with its execution spaces."""
    return _library.tessera_build().decode()


def has_device() -> bool:
    """Whether the library was built for a GPU."""
    spaces = build().split("execution spaces: ", 1)[-1]
    return any(name in spaces.split(", ") for name in ("cuda", "hip"))


def initialize(threads: int = 0) -> None:
    """Starts what the library runs on, with a number of host threads (0: its choice). Optional; changes
    nothing once it runs."""
    call("initialize", threads)


def parameter_schema() -> dict:
    """All parameters with meaning, default and range, as a JSON schema."""
    text = c_char_p()
    call("parameter_schema", byref(text))
    return json.loads(text.value or b"{}")
