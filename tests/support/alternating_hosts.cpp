// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// Two hosts that processes are on in turn, as by `mpirun --map-by node`: for a program on one
/// host, linked before MPI, whose profiling interface has what is replaced.
#include <mpi.h>

extern "C" int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                   MPI_Comm* made) {
  if (type != MPI_COMM_TYPE_SHARED) return PMPI_Comm_split_type(comm, type, key, info, made);
  int launched = 0;  // whatever rank the process has in `comm`, it stays on its host
  PMPI_Comm_rank(MPI_COMM_WORLD, &launched);
  return PMPI_Comm_split(comm, launched % 2, key, made);
}
