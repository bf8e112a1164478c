// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Up to how many rows a level is the first process's alone.
#pragma once

namespace tessera::distributed {

/// What `gather_rows` is by default. A level of 9,500 rows with 33 entries each, shared by two
/// processes of a host, took two thirds of the setup and 0.86 of a cycle that it took on one; with
/// 2,000 setups of smaller levels got longer (docs/notebook/muelu.md).
inline constexpr int default_gather_rows = 5000;

}  // namespace tessera::distributed
