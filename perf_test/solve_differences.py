# SPDX-FileCopyrightText: The Tessera Authors
# SPDX-License-Identifier: BSD-3-Clause
"""What differs between two solves of one system, to the bit."""
import struct

REFUSED = (64, 65, 78)


def bits(text):
    return struct.pack("<d", float(text))


def levels_of(report):
    return [(level.get("rows"), level.get("entries")) for level in report.get("levels", [])]


def history_difference(before, now):
    if repr(before) == repr(now):
        return None
    first = next((at for at, (a, b) in enumerate(zip(before, now)) if repr(a) != repr(b)),
                 min(len(before), len(now)))
    return f"residual history from entry {first} of {len(before)} and {len(now)}"


def x_difference(before, now):
    """None, or what differs between the texts of two arrays."""
    if before == now:
        return None
    if not before or not now:
        return "x is written by one alone"
    (size, *a), (size_now, *b) = before.split("\n"), now.split("\n")
    if size != size_now or len(a) != len(b):
        return f"x has the size {size}, now {size_now}"
    other = [(float(v), float(w)) for v, w in zip(a, b) if bits(v) != bits(w)]
    if not other:
        return None
    largest = max((abs(v) for v in map(float, a)), default=0.0)
    most = max(abs(v - w) for v, w in other)
    return f"x in {len(other)} of {len(a)} numbers, by up to {most:.1e} (largest {largest:.1e})"


def differences(before, now):
    """What differs between two solves, as texts; [] where nothing does."""
    if before.code != now.code:
        return [f"exit code {said(before)}, now {said(now)}"]
    found = []
    for key in ("status", "iterations", "true_relative_residual"):
        values = [solve.report.get(key) for solve in (before, now)]
        if repr(values[0]) != repr(values[1]):
            found.append(f"{key} {values[0]}, now {values[1]}")
    levels = [levels_of(solve.report) for solve in (before, now)]
    if levels[0] != levels[1]:
        first = next((at for at, (a, b) in enumerate(zip(*levels)) if a != b), min(map(len, levels)))
        found.append(f"levels from level {first} of {len(levels[0])} and {len(levels[1])}")
    histories = [solve.report.get("residual_history", []) for solve in (before, now)]
    found += filter(None, [history_difference(*histories), x_difference(before.x, now.x)])
    return found


def said(solve):
    if solve.code is None:
        return "none (stopped)"
    return f"{solve.code} ({solve.message})" if solve.code and not solve.report else str(solve.code)


def is_late(solve):
    return solve.code is None or solve.report.get("status") == "time_limit"


def verdict(before, now, again):
    """(kind, differences); `again` solves once more with the command before."""
    if is_late(before) or is_late(now):
        return "late", []
    if before.code == now.code and before.code in REFUSED:
        return "refused", []
    found = differences(before, now)
    if found and not differences(before, now=again()):
        return "different", found
    return ("unrepeatable" if found else "same"), found
