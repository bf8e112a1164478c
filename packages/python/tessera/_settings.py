# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of Python's as the library takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ctypes import c_void_p
from typing import Any

import numpy as np

from ._library import call

#: Keywords, and the parameters that they are short for.
SHORT = {
    "tolerance": "solver.tolerance",
    "absolute_tolerance": "solver.absolute_tolerance",
    "max_iterations": "solver.max_iterations",
    "time_limit": "solver.time_limit_s",
    "method": "solver.name",
    "preconditioner": "preconditioner",
    "precision": "precision",
    "max_memory_mb": "max_memory_mb",
}


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python, for JSON."""
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value


def set_parameters(handle: c_void_p, parameters: Mapping[str, Any] | str | None, **short: Any) -> None:
    """Sets them in a solver, and over them those of the keywords of SHORT that are not None."""
    if isinstance(parameters, str):
        call("set", handle, parameters.encode())
    elif parameters is not None:
        call("set_json", handle, json.dumps(_plain(parameters)).encode())
    given = {SHORT[key]: _plain(value) for key, value in short.items() if value is not None}
    if given:
        call("set_json", handle, json.dumps(given).encode())
