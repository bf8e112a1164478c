// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/set_halos.hpp"

#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <cstdint>

namespace tessera::distributed {
namespace {

/// By column of others a bit for each set whose rows have an entry in it.
template <class Space>
struct MarkReaders {
  kernels::CsrView<double, Space, std::int64_t> rows;
  ArrayView<const Ordinal, Space> set_of;
  Ordinal num_own;
  ArrayView<std::uint32_t, Space> readers;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    for (std::int64_t e = rows.offsets(i); e < rows.offsets(i + 1); ++e)
      if (rows.columns(e) >= num_own)
        Kokkos::atomic_or(&readers(rows.columns(e) - num_own), std::uint32_t(1) << set_of(i));
  }
};

template <class Space>
Array<std::uint32_t, Space> readers_of_others(const Space& exec, const Matrix<Space>& A,
                                              const PointSets<Space>& sets) {
  const Ordinal own = A.num_own_columns();
  const auto readers = allocate<std::uint32_t>(exec, "tessera::distributed::readers_of_others",
                                               static_cast<std::size_t>(A.rows.num_cols - own));
  Kokkos::deep_copy(exec, readers, std::uint32_t(0));
  Kokkos::parallel_for("tessera::distributed::readers_of_others",
                       Kokkos::RangePolicy<Space>(exec, 0, A.rows.num_rows),
                       MarkReaders<Space>{A.rows.view(), sets.set_of, own, readers});
  exec.fence("tessera::distributed::readers_of_others");
  return readers;
}

/// By column of others 1 where the set reads it, else 0, and its number behind `num_own` ones.
template <class Space>
void number_read(const Space& exec, const Array<std::uint32_t, Space>& readers, std::size_t set,
                 Ordinal num_own, const Array<std::int8_t, Space>& is_read,
                 const Array<Ordinal, Space>& number) {
  Kokkos::parallel_scan(
      "tessera::distributed::halos_of_sets",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(readers.extent(0))),
      KOKKOS_LAMBDA(const Ordinal g, Ordinal& before, const bool is_last) {
        const bool reads = (readers(g) >> set & 1U) != 0;
        if (is_last) {
          is_read(g) = reads ? 1 : 0;
          number(g) = reads ? num_own + before : -1;
        }
        if (reads) ++before;
      });
  exec.fence("tessera::distributed::halos_of_sets");
}

/// The numbers of the columns of others that a set reads.
template <class Space>
GlobalNumbers<Space> ghosts_read(const Space& exec, const GlobalNumbers<Space>& ghosts,
                                 const Array<Ordinal, Space>& number,
                                 const CommunicationPlan<Space>& plan) {
  const auto read =
      allocate<std::int64_t>(exec, "tessera::distributed::halos_of_sets", plan.remotes.extent(0));
  const Ordinal own = plan.num_source;
  Kokkos::parallel_for(
      "tessera::distributed::matrix_of_set",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(ghosts.extent(0))),
      KOKKOS_LAMBDA(const Ordinal g) {
        if (number(g) >= 0) read(number(g) - own) = ghosts(g);
      });
  exec.fence("tessera::distributed::matrix_of_set");
  return read;
}

}  // namespace

template <class Space>
std::vector<SetHalo<Space>> halos_of_sets(
    const Space& exec, const Matrix<Space>& A,
    const NonDeduced<ArrayView<const Ordinal, Space>>& coarse_number, RelaxationPoints points) {
  std::vector<SetHalo<Space>> halos;
  if (A.halo == nullptr) return halos;
  std::vector<Array<std::int8_t, Space>> is_read;
  on_all_processes(*A.processes, [&] {
    const auto sets = make_point_sets<Space>(exec, coarse_number, points);
    const auto readers = readers_of_others(exec, A, sets);
    halos.resize(static_cast<std::size_t>(sets.num_relaxed));
    is_read.resize(halos.size());
    for (std::size_t set = 0; set < halos.size(); ++set) {
      const char* const label = "tessera::distributed::halos_of_sets";
      is_read[set] = allocate<std::int8_t>(exec, label, readers.extent(0));
      halos[set].number_of_others = allocate<Ordinal>(exec, label, readers.extent(0));
      number_read<Space>(exec, readers, set, A.num_own_columns(), is_read[set],
                         halos[set].number_of_others);
    }
  });
  for (std::size_t set = 0; set < halos.size(); ++set)
    halos[set].plan = part_of_halo(exec, *A.halo, is_read[set]);
  return halos;
}

template <class Space>
Matrix<Space> matrix_of_set(const Space& exec, const Matrix<Space>& A, const LocalRows<Space>& rows,
                            const SetHalo<Space>& halo) {
  Matrix<Space> of_set = A;
  of_set.owner = nullptr;
  of_set.parts = nullptr;
  of_set.rows = rows;
  if (halo.plan == nullptr) return of_set;
  of_set.rows = renumbered_others(exec, rows, A.num_own_columns(), halo.number_of_others,
                                  halo.plan->num_target);
  of_set.halo = halo.plan;
  of_set.ghosts = ghosts_read<Space>(exec, A.ghosts, halo.number_of_others, *halo.plan);
  return of_set;
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, halos_of_sets)
TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, matrix_of_set)

}  // namespace tessera::distributed
