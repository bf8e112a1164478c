// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/reduction_coarsening.hpp"

#include "tessera/amg/coarsening/nodes.hpp"
#include "tessera/amg/coarsening/product_work.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/reduction_splitting.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/execution/profiling_region.hpp"

#include <algorithm>
#include <utility>

namespace tessera::distributed {
namespace {

/// The inverse diagonal of own coarse points, 0 for fine ones.
template <class Space>
Array<double, Space> weights_of_coarse_points(const Space& exec,
                                              const Array<double, Space>& inverse_diagonal,
                                              const Array<const Ordinal, Space>& coarse_number) {
  const auto weights =
      allocate<double>(exec, "tessera::distributed::coarse_weights", inverse_diagonal.extent(0));
  Kokkos::parallel_for(
      "tessera::distributed::coarse_weights",
      Kokkos::RangePolicy<Space>(exec, 0, static_cast<Ordinal>(weights.extent(0))),
      KOKKOS_LAMBDA(const Ordinal i) {
        weights(i) = coarse_number(i) >= 0 ? inverse_diagonal(i) : 0.0;
      });
  exec.fence("tessera::distributed::coarse_weights");
  return weights;
}

/// The sum over rows of the entries of `Rt` times those of `A`.
template <class Space>
double products_of_rows(const Space& exec, const LocalRows<Space>& Rt, const LocalRows<Space>& A) {
  const auto of_Rt = Rt.offsets;
  const auto of_A = A.offsets;
  double count = 0;
  Kokkos::parallel_reduce(
      "tessera::distributed::products_of_rows",
      Kokkos::RangePolicy<Space>(exec, 0, std::min(Rt.num_rows, A.num_rows)),
      KOKKOS_LAMBDA(const Ordinal i, double& sum) {
        sum += static_cast<double>(of_Rt(i + 1) - of_Rt(i)) *
               static_cast<double>(of_A(i + 1) - of_A(i));
      },
      count);
  exec.fence("tessera::distributed::products_of_rows");
  return count;
}

}  // namespace

template <class Space>
Ordinal ReductionCoarsening<Space>::choose(const Space& exec, const Communicator& processes,
                                           const LevelRows<Space>& fine, Vectors& vectors,
                                           std::optional<kernels::Box>& box) {
  const kernels::ProfilingRegion region("tessera::distributed::ReductionCoarsening::choose");
  box.reset();
  m_points = level_points(exec, fine, fine.block_size);
  Rows A;
  on_all_processes(processes, [&] { A = rows_by_points(exec, fine, m_points); });
  m_coarse =
      CoarseNumbers<Space>(exec, m_points, split_for_reduction(exec, m_points, A, m_parameters));
  const Ordinal num_coarse = m_coarse.numbers().num_own;
  m_coarse_shares = std::make_shared<const Partition>(processes, num_coarse);
  on_all_processes(processes,
                   [&] { vectors = amg::unit_vectors<double, Space>(exec, {1, num_coarse}); });
  return num_coarse;
}

template <class Space>
bool ReductionCoarsening<Space>::allows_restriction(const Space& exec, const LevelRows<Space>& fine,
                                                    const amg::CoarseningLimits& limits) {
  Rows A;
  on_all_processes(*m_points.processes, [&] { A = rows_by_points(exec, fine, m_points); });
  m_inverse.make(exec, m_points, A, m_coarse, m_parameters.coupling_drop);
  for (int power = 1; power < m_parameters.polynomial_sparsity; ++power) {
    if (!amg::allow_multiplications(limits, m_inverse.multiplications(exec, m_points)))
      return false;
    m_inverse.raise(exec, m_points);
  }
  return amg::allow_multiplications(limits, m_inverse.multiplications(exec, m_points, A));
}

/// Of R A, by columns of R and rows of A: for each entry of R^T in an own row those of A's row.
template <class Space>
bool ReductionCoarsening<Space>::allows_product(const Space& exec, const LevelRows<Space>& fine,
                                                const amg::CoarseningLimits& limits) const {
  double here = 0;
  on_all_processes(*m_points.processes, [&] {
    here = products_of_rows(exec, restriction(), rows_by_points(exec, fine, m_points));
  });
  return amg::allow_multiplications(limits, m_points.processes->sum_of(here));
}

/// The level's rows among those that M has.
template <class Space>
auto ReductionCoarsening<Space>::placed(const Space& exec, const LevelRows<Space>& fine) const
    -> Rows {
  return placed_rows(exec, rows_by_points(exec, fine, m_points), m_points.ghosts,
                     m_inverse.numbers());
}

template <class Space>
auto ReductionCoarsening<Space>::inverted(const Space& exec, const LevelRows<Space>& fine,
                                          const LevelValues<Space>& values,
                                          ColumnNumbers<Space>& columns) -> Rows {
  const kernels::ProfilingRegion region("tessera::distributed::ReductionCoarsening::invert");
  const Communicator& processes = *m_points.processes;
  Rows A;
  on_all_processes(processes, [&] { A = rows_by_points(exec, fine, m_points); });
  m_inverse.fill(exec, m_points, A, values.inverse_diagonal, m_parameters.polynomial_order);
  Rows M;
  on_all_processes(processes, [&] {
    M = m_inverse.own_rows(exec, columns);
    if (m_parameters.relax_coarse)
      m_relaxation.coarse_weights =
          weights_of_coarse_points<Space>(exec, values.inverse_diagonal, m_coarse.of_own());
  });
  return M;
}

template <class Space>
auto ReductionCoarsening<Space>::make_relaxation(const Space& exec, const LevelRows<Space>& fine,
                                                 const LevelValues<Space>& values)
    -> const FineRelaxation<Space>& {
  ColumnNumbers<Space> columns;
  const Rows M = inverted(exec, fine, values, columns);
  m_relaxation.M = matrix_of(exec, m_points.processes, M, m_points.nodes, m_points.nodes, columns);
  m_relaxation.sweeps = m_parameters.fine_sweeps;
  return m_relaxation;
}

template <class Space>
auto ReductionCoarsening<Space>::remake_relaxation(const Space& exec, const LevelRows<Space>& fine,
                                                   const LevelValues<Space>& values)
    -> const FineRelaxation<Space>& {
  ColumnNumbers<Space> columns;
  m_relaxation.M.rows = inverted(exec, fine, values, columns);
  return m_relaxation;
}

template <class Space>
auto ReductionCoarsening<Space>::make_prolongator(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/)
    -> const Rows& {
  on_all_processes(processes, [&] {
    const OrderedNumbers<Space>& points = m_inverse.numbers();
    const OrderedNumbers<Space>& coarse = m_coarse.numbers();
    auto P = amg::one_point_prolongator(exec, placed(exec, fine).view(),
                                        m_coarse.by_point(exec, points), coarse.size());
    m_P = own_columns_first(exec, P, points.num_before, points.num_own, coarse, m_columns);
  });
  return m_P;
}

template <class Space>
auto ReductionCoarsening<Space>::make_restriction(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/)
    -> const Rows& {
  const kernels::ProfilingRegion region("tessera::distributed::ReductionCoarsening::restrict");
  Rows R;
  ColumnNumbers<Space> columns;
  on_all_processes(processes, [&] {
    const OrderedNumbers<Space>& points = m_inverse.numbers();
    const OrderedNumbers<Space>& coarse = m_coarse.numbers();
    m_restriction = amg::ideal_restriction(
        exec, placed(exec, fine).view(), m_coarse.by_point(exec, points), coarse.size(),
        m_inverse.M().view(), {m_parameters.coupling_drop, m_parameters.restriction_drop}, m_all_R);
    R = own_columns_first(exec, m_all_R, coarse.num_before, coarse.num_own, points, columns);
  });
  m_R = matrix_of(exec, m_points.processes, R, m_coarse_shares, m_points.nodes, columns);
  const Matrix<Space>& Rt = m_transposition.make(exec, m_R);
  m_columns_of_R =
      ColumnNumbers<Space>(m_coarse_shares->first(), m_coarse_shares->own(), Rt.ghosts);
  return restriction();
}

template <class Space>
void ReductionCoarsening<Space>::remake_transfers(const Space& exec, const Communicator& processes,
                                                  const LevelRows<Space>& fine,
                                                  const LevelValues<Space>& /*values*/) {
  const kernels::ProfilingRegion region("tessera::distributed::ReductionCoarsening::again");
  on_all_processes(processes, [&] {
    amg::refill_restriction(exec, placed(exec, fine).view(), m_inverse.M().view(), m_restriction,
                            m_all_R);
    exec.fence("tessera::distributed::ReductionCoarsening");
  });
  m_transposition.remake(exec, m_R);
}

/// Patterns stay, for new values.
template <class Space>
void ReductionCoarsening<Space>::release() {
  m_inverse.release();
  m_restriction.minus_A_cf.values = m_restriction.weights.values = {};
  m_relaxation.M.rows.values = {};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, ReductionCoarsening)

}  // namespace tessera::distributed
