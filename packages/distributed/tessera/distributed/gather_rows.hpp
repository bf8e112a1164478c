// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Up to how many rows a level is the first process's alone.
#pragma once

namespace tessera::distributed {

/// What `gather_rows` is by default. Where two processes of a host share a level of 9,500 rows with
/// 33 entries each, in place of one, the whole setup takes 0.83 of the time and a cycle 0.86; with
/// 2,000 another problem's setup took longer (docs/notebook/muelu.md).
inline constexpr int default_gather_rows = 5000;

}  // namespace tessera::distributed
