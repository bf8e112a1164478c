# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tessera: sparse linear systems by algebraic multigrid and Krylov methods.

    x = tessera.solve(A, b)                  # scipy.sparse in, numpy out
    solver = tessera.Solver(A, tolerance=1e-10)
    M = solver.as_preconditioner()           # for scipy.sparse.linalg.cg and others

The guide is docs/guide/python.md.
"""

from ._errors import (
    ArgumentError,
    BusyError,
    ConfigurationError,
    DeviceError,
    InputError,
    InternalError,
    NotConverged,
    OutOfMemoryError,
    RuntimeStateError,
    TesseraError,
)
from ._forecast import MemoryForecast, forecast
from ._gallery import Problem, gallery
from ._library import build, initialize, parameter_schema, version
from ._matrix import Csr
from ._results import Result
from ._solver import Solver, solve
from ._table import Table

__version__ = version()

__all__ = [
    "ArgumentError",
    "BusyError",
    "ConfigurationError",
    "Csr",
    "DeviceError",
    "InputError",
    "InternalError",
    "MemoryForecast",
    "NotConverged",
    "OutOfMemoryError",
    "Problem",
    "Result",
    "RuntimeStateError",
    "Solver",
    "Table",
    "TesseraError",
    "build",
    "forecast",
    "gallery",
    "initialize",
    "parameter_schema",
    "solve",
    "version",
]
