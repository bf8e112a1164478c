// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Small dense work wants one thread of the BLAS.
#pragma once

namespace tessera::amg::detail {

/// While it lives, an OpenBLAS with threads of its own uses one; other BLAS libraries, and an
/// OpenBLAS on OpenMP's threads, are left as they are. OpenBLAS wakes its threads from some 100
/// unknowns on, beside those of Kokkos that still spin after the kernel before: for a matrix of 125
/// unknowns that takes up to a hundred times as long as one thread does. The setting is the
/// process's, and is put back at the end.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;

 private:
  int m_before = 0;  ///< threads to put back; 0: nothing was changed
};

}  // namespace tessera::amg::detail
