// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/mpi/comm_by_place.hpp"

#include "tessera/distributed/mpi/check_mpi.hpp"
#include "tessera/distributed/mpi/mpi_communicator.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/surroundings.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace tessera::distributed {
namespace {

/// A communicator that somebody else owns, or one made of it.
class GivenOrSplitComm {
 public:
  explicit GivenOrSplitComm(MPI_Comm given) : m_comm(given) {}
  ~GivenOrSplitComm() {
    int ended = 0;
    MPI_Finalized(&ended);
    if (m_is_own && ended == 0) MPI_Comm_free(&m_comm);
  }
  GivenOrSplitComm(const GivenOrSplitComm&) = delete;
  GivenOrSplitComm& operator=(const GivenOrSplitComm&) = delete;

  /// Gives each process another rank. Collective, once.
  void reorder(int rank) {
    MPI_Comm made = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(m_comm, 0, rank, &made), "MPI_Comm_split");
    m_comm = made;
    m_is_own = true;
  }
  const MPI_Comm& get() const { return m_comm; }

 private:
  MPI_Comm m_comm;
  bool m_is_own = false;
};

}  // namespace

std::shared_ptr<const MPI_Comm> comm_by_place(MPI_Comm communicator, const Places& places) {
  const auto processes = mpi_communicator(communicator);
  std::shared_ptr<GivenOrSplitComm> made;
  std::vector<int> ranks;
  // What may throw comes before the split, for which all processes wait.
  on_all_processes(*processes, [&] {
    const auto size = static_cast<std::size_t>(processes->size());
    require(places.hosts.size() == size && places.devices.size() == size, [&] {
      return "places of " + std::to_string(places.hosts.size()) + " processes; expected " +
             std::to_string(size);
    });
    made = std::make_shared<GivenOrSplitComm>(communicator);
    ranks = ranks_by_place(places);
  });
  if (!std::ranges::is_sorted(ranks))
    made->reorder(ranks[static_cast<std::size_t>(processes->rank())]);
  return {made, &made->get()};
}

template <class Space>
std::shared_ptr<const MPI_Comm> comm_by_place(const Space& exec, MPI_Comm communicator) {
  const auto processes = mpi_communicator(communicator);
  return comm_by_place(communicator, places(exec, *processes));
}

#define TESSERA_INSTANTIATE_COMM_BY_PLACE(Space) \
  template std::shared_ptr<const MPI_Comm> comm_by_place(const Space&, MPI_Comm);
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_COMM_BY_PLACE)
#undef TESSERA_INSTANTIATE_COMM_BY_PLACE

}  // namespace tessera::distributed
