// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/coarsening/galerkin_size.hpp"

#include <limits>

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/row_lanes.hpp"
#include "tessera/kernels/graph/hash.hpp"

namespace tessera::amg {

/// Draws of each aggregate.
inline constexpr Ordinal num_draws = 16;

/// Row-major, `num_draws` to a row.
template <class Space>
using Draws = Array<float, Space>;

template <class Space>
Draws<Space> draw_exponentials(const Space& exec, Ordinal num_aggregates) {
  const std::size_t size = static_cast<std::size_t>(num_aggregates) * num_draws;
  auto draws = allocate<float>(exec, "tessera::galerkin_size::draws", size);
  Kokkos::parallel_for(
      "tessera::galerkin_size::draw", Kokkos::RangePolicy<Space>(exec, 0, size),
      KOKKOS_LAMBDA(const std::size_t at) {
        const auto aggregate = static_cast<std::uint32_t>(at / num_draws);
        const auto draw = static_cast<std::uint32_t>(at % num_draws);
        const double uniform = (kernels::hash32(aggregate, draw) + 0.5) * 0x1p-32;
        draws(at) = static_cast<float>(-Kokkos::log(uniform));
      });
  return draws;
}

/// For each row of M the minima of the draws of its columns, of which `m` share one row of draws.
template <class Scalar, class Space, class Offset>
Draws<Space> column_minima(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& M,
                           const Draws<Space>& of_columns, Ordinal m) {
  const std::size_t size = static_cast<std::size_t>(M.num_rows) * num_draws;
  auto minima = allocate<float>(exec, "tessera::galerkin_size::minima", size);
  Kokkos::parallel_for(
      "tessera::galerkin_size::minima", Kokkos::RangePolicy<Space>(exec, 0, size),
      KOKKOS_LAMBDA(const std::size_t at) {
        const auto row = static_cast<Ordinal>(at / num_draws);
        const auto draw = at % num_draws;
        float least = Kokkos::Experimental::infinity_v<float>;
        for (Offset k = M.offsets(row); k < M.offsets(row + 1); ++k) {
          const auto column = static_cast<std::size_t>(M.columns(k) / m);
          least = Kokkos::min(least, of_columns(column * num_draws + draw));
        }
        minima(at) = least;
      });
  return minima;
}

/// The minima of the draws of the rows in which each column of M has an entry, for every `m`-th
/// column: the same for the transpose, without making it.
template <class Scalar, class Space, class Offset>
Draws<Space> row_minima(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& M,
                        const Draws<Space>& of_rows, Ordinal m) {
  const std::size_t size = static_cast<std::size_t>(M.num_cols / m) * num_draws;
  auto minima = allocate<float>(exec, "tessera::galerkin_size::minima", size);
  Kokkos::deep_copy(exec, minima, std::numeric_limits<float>::infinity());
  const std::size_t work = static_cast<std::size_t>(M.num_rows) * num_draws;
  Kokkos::parallel_for(
      "tessera::galerkin_size::scatter", Kokkos::RangePolicy<Space>(exec, 0, work),
      KOKKOS_LAMBDA(const std::size_t at) {
        const auto row = static_cast<Ordinal>(at / num_draws);
        const auto draw = at % num_draws;
        for (Offset k = M.offsets(row); k < M.offsets(row + 1); k += m) {
          const auto column = static_cast<std::size_t>(M.columns(k) / m);
          Kokkos::atomic_min(&minima(column * num_draws + draw), of_rows(at));
        }
      });
  return minima;
}

template <class Scalar, class Space, class Offset>
double estimate_galerkin_entries(const Space& exec,
                                 const kernels::CsrView<Scalar, Space, Offset>& A,
                                 const kernels::CsrView<Scalar, Space, Offset>& P, int m) {
  const Ordinal num_aggregates = P.num_cols / m;
  const auto draws = draw_exponentials(exec, num_aggregates);
  const auto of_P = column_minima(exec, P, draws, m);
  const auto of_AP = column_minima(exec, A, of_P, 1);
  const auto of_RAP = row_minima(exec, P, of_AP, m);
  const double most = num_aggregates;
  double pairs = 0;
  Kokkos::parallel_reduce(
      "tessera::galerkin_size::estimate", Kokkos::RangePolicy<Space>(exec, 0, num_aggregates),
      KOKKOS_LAMBDA(const Ordinal aggregate, double& total) {
        double sum = 0;
        for (Ordinal draw = 0; draw < num_draws; ++draw)
          sum += of_RAP(static_cast<std::size_t>(aggregate) * num_draws + draw);
        total += Kokkos::min(most, (num_draws - 1) / sum);
      },
      pairs);
  exec.fence("tessera::galerkin_size::estimate");
  return pairs * m * m;
}

/// The most aggregates in a row of P.
template <class Scalar, class Space, class Offset>
Offset max_aggregates(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& P, int m) {
  Offset longest = 0;
  Kokkos::parallel_reduce(
      "tessera::galerkin_size::longest", Kokkos::RangePolicy<Space>(exec, 0, P.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, Offset& most) {
        most = Kokkos::max(most, P.offsets(i + 1) - P.offsets(i));
      },
      Kokkos::Max<Offset>(longest));
  exec.fence("tessera::galerkin_size::longest");
  return longest / m;
}

/// The sum over A's entries (i, j) of P's entries in row i times those in row j, which is exact.
template <class Scalar, class Space, class Offset>
struct CountProducts {
  kernels::CsrView<Scalar, Space, Offset> A, P;
  std::size_t longest_row;

  KOKKOS_FUNCTION void operator()(const Ordinal i, double& total) const {
    add(kernels::LaneGroup(1, 0), i, total);
  }
  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i, double& total) const {
    add(group, i, total);
  }

 private:
  KOKKOS_FUNCTION void add(const kernels::LaneGroup& group, Ordinal i, double& total) const {
    if (i < 0) return;
    const Offset end = A.offsets(i + 1);
    if (static_cast<std::size_t>(end - A.offsets(i)) > longest_row) return;
    double reached = 0;
    for (Offset k = A.offsets(i) + group.lane(); k < end; k += group.size()) {
      const Ordinal j = A.columns(k);
      reached += static_cast<double>(P.offsets(j + 1) - P.offsets(j));
    }
    total += reached * static_cast<double>(P.offsets(i + 1) - P.offsets(i));
  }
};

/// What `galerkin_products` is at the most, from the lengths of rows alone, if no row of P has more
/// than `longest` aggregates.
template <class Scalar, class Space, class Offset>
double max_galerkin_products(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                             const kernels::CsrView<Scalar, Space, Offset>& P, int m,
                             double longest) {
  double sum = 0;
  Kokkos::parallel_reduce(
      "tessera::galerkin_size::max_products", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
      KOKKOS_LAMBDA(const Ordinal i, double& total) {
        total += static_cast<double>(A.offsets(i + 1) - A.offsets(i)) *
                 static_cast<double>(P.offsets(i + 1) - P.offsets(i));
      },
      sum);
  exec.fence("tessera::galerkin_size::max_products");
  return sum / m * longest;
}

/// The sum over A's entries (i, j) of the aggregates in row i of P times those in row j.
template <class Scalar, class Space, class Offset>
double galerkin_products(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                         const kernels::CsrView<Scalar, Space, Offset>& P, int m,
                         std::size_t longest_row) {
  const char* const label = "tessera::galerkin_size::products";
  const CountProducts<Scalar, Space, Offset> count{A, P, longest_row};
  const int lanes = kernels::lanes_per_row(A);
  double products = 0;
  if (lanes > 0) {
    kernels::sum_of_rows<double>(exec, label, A.num_rows, lanes, count, products);
  } else {
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(exec, 0, A.num_rows), count,
                            products);
  }
  exec.fence("tessera::galerkin_size::products");
  return products / (static_cast<double>(m) * m);
}

template <class Scalar, class Space, class Offset>
bool galerkin_product_fits(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                           const kernels::CsrView<Scalar, Space, Offset>& P, int m,
                           std::size_t longest_row, double finest_entries, double max_entries,
                           std::int64_t longest_of_P) {
  const double easy = 64 * finest_entries;
  const double hard = 256 * finest_entries;
  const auto longest =
      static_cast<double>(longest_of_P > 0 ? longest_of_P / m : max_aggregates(exec, P, m));
  if (longest * longest * static_cast<double>(A.num_entries) <= easy) return true;
  if (max_galerkin_products(exec, A, P, m, longest) <= easy) return true;
  const double products = galerkin_products(exec, A, P, m, longest_row);
  if (products <= easy) return true;
  if (products > hard) return false;
  return estimate_galerkin_entries(exec, A, P, m) <= max_entries;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, galerkin_product_fits)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, estimate_galerkin_entries)

}  // namespace tessera::amg
