# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What goes wrong, as exceptions: the statuses of the C interface and its sentences."""

from __future__ import annotations

from typing import Any


class TesseraError(Exception):
    """The base of all. `status` is that of the C interface, such as "error_input"."""

    def __init__(self, message: str, status: str = "") -> None:
        super().__init__(message)
        self.status = status


class ArgumentError(TesseraError, ValueError):
    """A wrong size or type, or a call before the one that it needs."""


class InputError(TesseraError, ValueError):
    """A matrix or vector with bad contents: columns out of range or twice, NaN."""


class ConfigurationError(TesseraError, ValueError):
    """A parameter that is unknown, out of range, or not possible with this matrix or build."""


class OutOfMemoryError(TesseraError, MemoryError):
    """Memory ran out; the message names the step."""


class DeviceError(TesseraError, RuntimeError):
    """The device's runtime refused a call."""


class BusyError(TesseraError, RuntimeError):
    """Another thread is in a call with this solver; take one for each thread."""


class RuntimeStateError(TesseraError, RuntimeError):
    """What the library runs on cannot be initialised, or has ended; a process that was forked."""


class InternalError(TesseraError, RuntimeError):
    """None of the others: a defect of Tessera."""


class NotConverged(TesseraError, ArithmeticError):
    """A solve that did not converge. `x` is the best iterate, `result` how it ended."""

    def __init__(self, message: str, status: str, x: Any, result: Any) -> None:
        super().__init__(message, status)
        self.x = x
        self.result = result


BY_STATUS: dict[int, type[TesseraError]] = {
    -1: ArgumentError,
    -2: InputError,
    -3: ConfigurationError,
    -4: OutOfMemoryError,
    -5: DeviceError,
    -6: BusyError,
    -7: RuntimeStateError,
    -8: InternalError,
}
