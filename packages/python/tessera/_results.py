# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a solver knows of its hierarchy and of its last solve."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import byref, c_double, c_int, c_int32, c_int64, c_void_p
from dataclasses import dataclass
from typing import Any

from ._library import call, status_name
from ._table import Table


@dataclass(frozen=True)
class Result:
    """How a solve ended: the worst status and the largest numbers of all right-hand sides."""

    status: str  #: "success", or why it did not converge, such as "max_iterations"
    iterations: int
    relative_residual: float  #: ||b - A x|| / ||b||, of the x returned
    setup_ms: float
    solve_ms: float
    columns: tuple[tuple[str, int, float], ...]  #: status, iterations and residual of each

    @property
    def converged(self) -> bool:
        return self.status == "success"


def result_of(handle: c_void_p, status: int, count: int) -> Result:
    """Of the last solve of that solver, which ended so, for so many right-hand sides."""
    iterations, residual, setup_ms, solve_ms = c_int32(), c_double(), c_double(), c_double()
    call("result", handle, byref(iterations), byref(residual), byref(setup_ms), byref(solve_ms))
    columns = []
    for j in range(count):
        ended, steps, left = c_int(), c_int32(), c_double()
        call("column_result", handle, j, byref(ended), byref(steps), byref(left))
        columns.append((status_name(ended.value), steps.value, left.value))
    return Result(status_name(status), iterations.value, residual.value, setup_ms.value,
                  solve_ms.value, tuple(columns))


def hierarchy_table(report: Mapping[str, Any]) -> Table:
    """The levels of the multigrid hierarchy in the report of a solver."""
    rows = [
        (
            number,
            level["rows"],
            level["entries"],
            level["entries_per_row"],
            level["precision"],
            level["format"],
            level["smoother"],
            level["aggregation"],
        )
        for number, level in enumerate(report["levels"])
    ]
    title = (
        f"operator complexity {report['operator_complexity']:.3f}, "
        f"{report['hierarchy_bytes'] / 1e6:.2f} MB"
        if rows
        else f"no levels: the preconditioner is {report['preconditioner']}"
    )
    return Table(
        ("level", "unknowns", "entries", "per row", "precision", "format", "smoother", "made by"),
        rows,
        title,
    )


def history_table(handle: c_void_p) -> Table:
    """The residuals of the last solve of that solver."""
    count = c_int64()
    call("history", handle, None, 0, byref(count))
    residuals = (c_double * max(count.value, 1))()
    call("history", handle, residuals, count.value, None)
    values = list(residuals)[: count.value]
    rows = [
        (i, value, value / values[i - 1] if i > 0 and values[i - 1] > 0 else None)
        for i, value in enumerate(values)
    ]
    return Table(("iteration", "relative residual", "rate"), rows)
