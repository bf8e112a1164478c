# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a setup and its solves will take, without them."""

from __future__ import annotations

from ctypes import byref, c_int64
from dataclasses import dataclass
from typing import Any

from ._library import call
from ._matrix import MatrixArgument
from ._solver import Solver


@dataclass(frozen=True)
class MemoryForecast:
    """What a setup and its solves are expected to take, in bytes beside A, b and x where the solver works."""

    setup_bytes: int  #: the most at once in setup
    kept_bytes: int  #: what setup leaves
    solve_bytes: int  #: what a solve for one right-hand side adds to that

    @property
    def peak_bytes(self) -> int:
        return max(self.setup_bytes, self.kept_bytes + self.solve_bytes)


class _Forecast(Solver):
    """A solver with a forecast in place of a setup."""

    def _set_up(self, argument: MatrixArgument) -> None:
        parts = [c_int64(), c_int64(), c_int64()]
        call("forecast", self._handle, byref(argument.matrix), *(byref(part) for part in parts))
        self.forecast = MemoryForecast(*(part.value for part in parts))


def forecast(A: Any, **settings: Any) -> MemoryForecast:
    """What Solver(A, **settings) and its solves are expected to take. It costs a setup of a piece of A."""
    solver = _Forecast(A, **settings)
    solver.close()
    return solver.forecast
