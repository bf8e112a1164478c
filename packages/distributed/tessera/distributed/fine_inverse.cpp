// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/fine_inverse.hpp"

#include "tessera/amg/coarsening/fine_inverse.hpp"
#include "tessera/amg/coarsening/gmres_polynomial.hpp"
#include "tessera/amg/coarsening/product_work.hpp"
#include "tessera/distributed/inner_products.hpp"
#include "tessera/distributed/node_halo.hpp"
#include "tessera/distributed/on_all_processes.hpp"
#include "tessera/distributed/rows_product.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace tessera::distributed {
namespace {

template <class Space>
Array<double, Space> ones_for(const Space& exec, const LocalRows<Space>& rows) {
  const auto ones = allocate<double>(exec, "tessera::distributed::ones", rows.num_entries());
  Kokkos::deep_copy(exec, ones, 1.0);
  return ones;
}

/// The pattern of N in own rows, by own points and ghosts.
template <class Space>
LocalRows<Space> couplings_of_fine_points(const Space& exec, const LevelPoints<Space>& points,
                                          const LocalRows<Space>& A,
                                          const CoarseNumbers<Space>& coarse, double drop) {
  const auto here = ordered_numbers(exec, points.nodes->first(), points.num_own(), points.ghosts);
  const auto placed = placed_rows(exec, A, points.ghosts, here);
  const auto N =
      amg::fine_inverse_pattern(exec, placed.view(), coarse.by_point(exec, here), drop).N;
  ColumnNumbers<Space> columns;
  const auto own = own_columns_first(exec, N, here.num_before, here.num_own, here, columns);
  // Back to all ghosts, as A has them.
  const auto number = places_among<Space>(exec, here.others, columns.others(), here.num_own);
  return renumbered_others(exec, own, here.num_own, number, here.size());
}

/// Entries of own points and, from their processes, of all others in `numbers`, in their order.
/// Collective.
template <class Space>
Array<double, Space> by_places(const Space& exec, const Communicator& processes,
                               const Plan<Space>& plan, const OrderedNumbers<Space>& numbers,
                               const Array<double, Space>& own) {
  const auto size = static_cast<std::size_t>(numbers.size());
  NodeHalo<Space> halo;
  Array<double, Space> all, ordered;
  on_all_processes(processes, [&] {
    halo = NodeHalo<Space>(plan);
    all = allocate<double>(exec, "tessera::distributed::by_places", size);
    ordered = allocate<double>(exec, "tessera::distributed::by_places", size);
    Kokkos::deep_copy(exec, Kokkos::subview(all, std::make_pair(std::size_t(0), own.extent(0))),
                      own);
    exec.fence("tessera::distributed::by_places");
  });
  halo.fill(exec, all);
  const PlacesInOrder places(numbers);
  Kokkos::parallel_for(
      "tessera::distributed::by_places", Kokkos::RangePolicy<Space>(exec, 0, numbers.size()),
      KOKKOS_LAMBDA(const Ordinal i) { ordered(i) = all(places.own_first(i)); });
  exec.fence("tessera::distributed::by_places");
  return ordered;
}

/// Numbers that are hashed of the rows' numbers, 0 in empty rows: as amg::gmres_polynomial begins.
template <class Space>
MultiVector<double, Space> hashed_start(const Space& exec, const LocalRows<Space>& N,
                                        Partition::Global first) {
  const auto v = allocate_multivector<double>(exec, "tessera::distributed::powers",
                                              static_cast<std::size_t>(N.num_rows), 1);
  const auto offsets = N.offsets;
  Kokkos::parallel_for(
      "tessera::distributed::hashed_start", Kokkos::RangePolicy<Space>(exec, 0, N.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        const auto number = static_cast<std::uint64_t>(first + i);
        const auto lower = static_cast<std::uint32_t>(number);
        const auto upper = static_cast<std::uint32_t>(number >> 32);
        const auto word = upper == 0 ? lower : lower ^ kernels::hash32(upper);
        v(i, 0) = offsets(i) < offsets(i + 1) ? kernels::hash32(word, 0) * 0x1p-31 - 1 : 0.0;
      });
  return v;
}

}  // namespace

template <class Space>
void FineInverse<Space>::make(const Space& exec, const LevelPoints<Space>& points, const Rows& A,
                              const CoarseNumbers<Space>& coarse, double drop) {
  const ColumnNumbers<Space> columns(points.nodes->first(), points.num_own(), points.ghosts);
  on_all_processes(*points.processes, [&] {
    m_own_N = couplings_of_fine_points(exec, points, A, coarse, drop);
    m_own_N.values = {};
  });
  take_pattern(exec, points, m_own_N, columns);
}

/// M's, in own rows, and by it the order of all points.
template <class Space>
void FineInverse<Space>::take_pattern(const Space& exec, const LevelPoints<Space>& points,
                                      const Rows& M, const ColumnNumbers<Space>& columns) {
  m_M.make(exec, M, columns, points);
  on_all_processes(*points.processes,
                   [&] { m_N = placed_rows(exec, m_own_N, points.ghosts, m_M.numbers()); });
  m_halo = halo_plan(exec, points.processes, *points.nodes, m_M.numbers().others);
}

template <class Space>
void FineInverse<Space>::raise(const Space& exec, const LevelPoints<Space>& points) {
  ColumnNumbers<Space> columns;
  Rows M;
  on_all_processes(*points.processes, [&] {
    auto N = m_N, around = m_M.rows();
    N.values = ones_for(exec, N);
    around.values = ones_for(exec, around);
    const auto product = kernels::spgemm(exec, N.view(), around.view());
    M = own_columns_first(exec, product, m_M.numbers().num_before, points.num_own(), m_M.numbers(),
                          columns);
  });
  take_pattern(exec, points, M, columns);
}

template <class Space>
double FineInverse<Space>::multiplications(const Space& exec,
                                           const LevelPoints<Space>& points) const {
  double here = 0;
  on_all_processes(*points.processes,
                   [&] { here = amg::count_multiplications(exec, m_N.view(), M().view()); });
  return points.processes->sum_of(here);
}

template <class Space>
double FineInverse<Space>::multiplications(const Space& exec, const LevelPoints<Space>& points,
                                           const Rows& A) const {
  double here = 0;
  on_all_processes(*points.processes, [&] {
    const auto placed = placed_rows(exec, A, points.ghosts, numbers());
    here = amg::count_multiplications(exec, placed.view(), M().view());
  });
  return points.processes->sum_of(here);
}

/// The coefficients: products with N, and inner products of all processes.
template <class Space>
std::vector<double> FineInverse<Space>::polynomial(const Space& exec,
                                                   const LevelPoints<Space>& points,
                                                   int order) const {
  Matrix<Space> N;
  N.processes = points.processes;
  N.row_shares = N.column_shares = points.nodes;
  N.halo = points.halo;
  N.ghosts = points.ghosts;
  N.rows = m_own_N;
  const auto count = static_cast<std::size_t>(order) + 2;
  std::unique_ptr<RowsProduct<Space>> product;
  InnerProducts<Space> products;
  std::vector<MultiVector<double, Space>> powers;
  on_all_processes(*points.processes, [&] {
    product = std::make_unique<RowsProduct<Space>>(exec, N, 1);
    products = InnerProducts<Space>(exec, points.processes, 1);
    products.reserve(exec, count * (count + 1) / 2);
    powers.push_back(hashed_start(exec, m_own_N, points.nodes->first()));
    while (powers.size() < count)
      powers.push_back(allocate_multivector<double>(exec, "tessera::distributed::powers",
                                                    static_cast<std::size_t>(points.num_own()), 1));
  });
  for (std::size_t k = 1; k < count; ++k)
    product->apply(exec, powers[k - 1], powers[k]);
  std::vector<typename InnerProducts<Space>::Pair> pairs;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t l = 0; l <= k; ++l)
      pairs.emplace_back(powers[k], powers[l]);
  const auto sums = products(exec, pairs);
  std::vector<double> inner(count * count);
  auto sum = sums.begin();
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t l = 0; l <= k; ++l)
      inner[k * count + l] = inner[l * count + k] = *sum++;
  return amg::polynomial_from_inner_products(inner, order);
}

template <class Space>
void FineInverse<Space>::fill(const Space& exec, const LevelPoints<Space>& points, const Rows& A,
                              const Array<double, Space>& inverse_diagonal, int order) {
  const Communicator& processes = *points.processes;
  const auto inverse = by_places(exec, processes, m_halo, numbers(), inverse_diagonal);
  Array<double, Space> next;
  on_all_processes(processes, [&] {
    m_N.values = allocate<double>(exec, "tessera::distributed::N", m_N.num_entries());
    m_own_N.values = m_N.values;
    amg::fill_couplings<double, Space, std::int64_t>(
        exec, placed_rows(exec, A, points.ghosts, numbers()).view(), inverse, m_N);
    m_M.take(allocate<double>(exec, "tessera::distributed::M", M().num_entries()));
    Kokkos::deep_copy(exec, M().values, 0.0);
    next = allocate<double>(exec, "tessera::distributed::M", M().num_entries());
    exec.fence("tessera::distributed::FineInverse");
  });
  const auto c = polynomial(exec, points, order);
  for (int k = order; k >= 0; --k) {
    amg::horner_step<double, Space, std::int64_t>(exec, m_N.view(), M().view(),
                                                  c[static_cast<std::size_t>(k)], next);
    const auto before = M().values;
    m_M.take(next);
    next = before;
    // The first step makes a multiple of I, of all rows.
    if (k < order) m_M.exchange(exec);
  }
  amg::divide_columns<double, Space, std::int64_t>(exec, M(), inverse);
  exec.fence("tessera::distributed::FineInverse");
  m_N.values = m_own_N.values = {};
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_CLASS, FineInverse)

}  // namespace tessera::distributed
