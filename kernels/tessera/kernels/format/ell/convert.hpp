// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// CSR to ELL, on the device.
#pragma once

#include "tessera/kernels/format/csr.hpp"
#include "tessera/kernels/format/ell.hpp"

namespace tessera::kernels {

/// How many slots per entry `csr_to_ell` takes at most, beyond `ell_free_slots` in all: more is a
/// row so long that the others are nearly all padding.
inline constexpr double max_ell_slots_per_entry = 10;
inline constexpr std::size_t ell_free_slots = std::size_t(1) << 16;

/// `A` with as many slots per row as its longest row has entries, each stored as value / scale
/// rounded to `Storage`; `scale` is a power of two. The entries of a row keep their order. Throws,
/// with the size that it would take, where padding is most of it (see `max_ell_slots_per_entry`).
/// One pass finds the longest row, and waits for it.
template <class Storage, class Scalar, class Space, class Offset>
Ell<Storage, Space> csr_to_ell(const Space& exec, const CsrView<Scalar, Space, Offset>& A,
                               double scale = 1);

}  // namespace tessera::kernels
