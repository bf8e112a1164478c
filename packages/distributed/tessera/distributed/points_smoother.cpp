// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/points_smoother.hpp"

#include "tessera/distributed/hybrid_smoother.hpp"
#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/ordered_rows.hpp"
#include "tessera/distributed/set_operators.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/smoother/point_sets_smoother.hpp"

#include <utility>

namespace tessera::distributed {
namespace {

/// The first numbers, which are those of own rows.
template <class Space>
Array<const Ordinal, Space> of_own_rows(const Array<const Ordinal, Space>& numbers,
                                        const Matrix<Space>& A) {
  return Kokkos::subview(numbers, std::make_pair(Ordinal(0), A.rows.num_rows));
}

}  // namespace

template <class Space>
Array<const Ordinal, Space> coarse_numbers_here(const Space& exec, const Matrix<Space>& A,
                                                const Array<const Ordinal, Space>& own) {
  Array<Ordinal, Space> here;
  NodeHalo<Space> halo;
  on_all_processes(*A.processes, [&] {
    halo = NodeHalo<Space>(A.halo);
    here = allocate<Ordinal>(exec, "tessera::distributed::coarse_numbers",
                             static_cast<std::size_t>(A.rows.num_cols));
    if (A.rows.num_rows > 0)
      Kokkos::deep_copy(exec, Kokkos::subview(here, std::make_pair(Ordinal(0), A.rows.num_rows)),
                        own);
  });
  halo.fill(exec, here);
  exec.fence("tessera::distributed::coarse_numbers");
  return here;
}

template <class Scalar, class Space>
std::unique_ptr<Smoother<Scalar, Space>> make_points_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& op, const Matrix<Space>& A,
    const Array<const Scalar, Space>& inverse_diagonal, double spectral_radius,
    const Array<const Ordinal, Space>& coarse_number, const std::vector<SetHalo<Space>>& halos) {
  check_points(parameters);
  kernels::Csr<Scalar, Space, std::int64_t> entries;
  if (parameters.type == SmootherType::gauss_seidel) {
    const auto own = of_own_rows<Space>(coarse_number, A);
    if (A.processes->size() > 1)
      return make_hybrid_smoother(exec, parameters, op, A, spectral_radius, 1, own);
    entries = kernels::convert_values<Scalar>(exec, A.rows);
    return tessera::make_points_smoother<Scalar, Space, std::int64_t>(
        exec, parameters, entries.view(), inverse_diagonal, spectral_radius, own);
  }
  if (parameters.type == SmootherType::l1_jacobi)
    entries = kernels::convert_values<Scalar>(
        exec, A.processes->is_reproducible() ? in_order_of_all(exec, A) : A.rows);
  const auto sets = make_point_sets<Space>(exec, coarse_number, parameters.points);
  const Array<const Scalar, Space> weights = weights_of_sets<Scalar, Space, std::int64_t>(
      exec, parameters, entries.view(), inverse_diagonal, spectral_radius, sets.set_of);
  const PointSets<Space> own{
      Kokkos::subview(sets.set_of, std::make_pair(Ordinal(0), A.rows.num_rows)), sets.num_relaxed};
  auto relaxation = std::make_unique<SetOperators<Scalar, Space>>(exec, A, weights, own, halos);
  return std::make_unique<PointSetsSmoother<Scalar, Space>>(std::move(relaxation), weights, own,
                                                            parameters.sweeps);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, coarse_numbers_here)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_points_smoother)

}  // namespace tessera::distributed
