// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Packing by gzip.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::detail {

/// The bytes as one gzip member. A file of several members, one behind the other, unpacks to their
/// contents joined (RFC 1952, section 2.2), so that threads pack the pieces of a file side by side.
/// Throws `Error(out_of_memory)`.
std::vector<char> pack_gzip(const void* data, std::size_t size);

}  // namespace tessera::detail
