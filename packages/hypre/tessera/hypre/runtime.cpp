// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/hypre/runtime.hpp"

#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/operator/error.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unordered_set>

namespace tessera::hypre {
namespace {

struct Holders {
  std::mutex mutex;
  std::unordered_set<ArrayHolder*> all;
  bool hooked = false;
};

/// Never destroyed: holders end at any time, in destructors of static objects as well.
Holders& holders() {
  static auto* const one = new Holders;
  return *one;
}

void release_all() {
  Holders& known = holders();
  const std::lock_guard lock(known.mutex);
  for (ArrayHolder* const holder : known.all)
    holder->release();
}

void finalize_kokkos() {
  if (!Kokkos::is_initialized()) return;
  try {
    Kokkos::finalize();
  } catch (...) {  // nobody is left to be told
  }
}

void require_not_finalized() {
  if (Kokkos::is_finalized())
    throw Error(ErrorKind::configuration,
                "Kokkos is finalised, and nothing can be set up or solved after that");
}

/// On the cores of this process divided by `neighbours`, processes on this machine.
void initialize_kokkos(int neighbours) {
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (neighbours > 1 && std::getenv("OMP_NUM_THREADS") == nullptr &&
      std::getenv("KOKKOS_NUM_THREADS") == nullptr) {
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    settings.set_num_threads(std::max(1, cores / neighbours));
  }
  Kokkos::initialize(settings);
  std::atexit(finalize_kokkos);
}

void hook() {
  Holders& known = holders();
  const std::lock_guard lock(known.mutex);
  if (!known.hooked) Kokkos::push_finalize_hook(release_all);
  known.hooked = true;
}

}  // namespace

void start_kokkos(MPI_Comm processes) {
  // Some processes may have a Kokkos already, from a matrix over fewer of them.
  int anyone_lacks = Kokkos::is_initialized() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &anyone_lacks, 1, MPI_INT, MPI_MAX, processes);
  if (anyone_lacks != 0) {
    MPI_Comm machine = MPI_COMM_NULL;
    int neighbours = 1;
    MPI_Comm_split_type(processes, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &neighbours);
    MPI_Comm_free(&machine);
    // One that cannot have it, such as one without the GPU that the build is for, is an error of
    // all: the others would wait for it in the setup.
    distributed::on_all_processes(*distributed::mpi_communicator(processes), [&] {
      require_not_finalized();
      if (!Kokkos::is_initialized()) initialize_kokkos(neighbours);
    });
  }
  hook();
}

void start_kokkos() {
  require_not_finalized();
  if (!Kokkos::is_initialized()) {
    int processes = 1;
    int has_mpi = 0;
    MPI_Initialized(&has_mpi);
    if (has_mpi != 0) MPI_Comm_size(MPI_COMM_WORLD, &processes);
    initialize_kokkos(processes);
  }
  hook();
}

ArrayHolder::ArrayHolder() {
  const std::lock_guard lock(holders().mutex);
  holders().all.insert(this);
}

ArrayHolder::~ArrayHolder() {
  const std::lock_guard lock(holders().mutex);
  holders().all.erase(this);
}

}  // namespace tessera::hypre
