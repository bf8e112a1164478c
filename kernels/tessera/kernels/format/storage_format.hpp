// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The names of the storage formats in C++. What there is to know of each stands in its trait
/// (kernels/spmv/storage_formats.hpp).
#pragma once

namespace tessera {

/// How a matrix lies in memory. Formats that a program registers have values from 1000 on.
enum class StorageFormat : int { automatic, least_bytes, csr, mbsr, ell, hyb, coo };

namespace kernels {
/// The same enumeration; kernels know the formats by name, neither `automatic` nor `least_bytes`.
using Format = StorageFormat;
}  // namespace kernels

}  // namespace tessera
