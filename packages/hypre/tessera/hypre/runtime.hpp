// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Kokkos in programs that know nothing of it.
#pragma once

#include <mpi.h>

namespace tessera::hypre {

/// Initialises Kokkos, unless that has been done, and has it finalised at the end of the program
/// then. Where neither OMP_NUM_THREADS nor KOKKOS_NUM_THREADS is set, a process takes its cores
/// divided by the processes on its machine as threads. Collective over `processes`.
/// @throws Error on all of them where one has no Kokkos: it is finalised there, or has no device.
void start_kokkos(MPI_Comm processes);

/// The same for a process by itself, which may be one of several of an MPI program: it takes its
/// cores divided by all of them.
void start_kokkos();

/// What holds arrays of Kokkos's, which have to be gone when Kokkos ends, whoever ends it.
class ArrayHolder {
 public:
  ArrayHolder();
  virtual ~ArrayHolder();
  ArrayHolder(const ArrayHolder&) = delete;
  ArrayHolder& operator=(const ArrayHolder&) = delete;

  /// Gives the arrays back. Called before Kokkos is finalised, too.
  virtual void release() noexcept = 0;
};

}  // namespace tessera::hypre
