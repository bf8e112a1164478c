// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
/// @file
/// The diagonal similarity by which a matrix comes nearest to a symmetric one.
#pragma once

#include "tessera/amg/scaling/detail/scaled_entries.hpp"
#include "tessera/kernels/format/find_entry.hpp"

#include <utility>

namespace tessera::amg::detail {

/// The least-squares problem for x in 2^x_i |a_ij| 2^-x_j = 2^x_j |a_ji| 2^-x_i, i and j coupled in
/// both directions: L x = b, L the Laplacian of that graph.
template <class Scalar, class Space, class Offset>
struct SymmetrizingEquations {
  kernels::CsrView<Scalar, Space, Offset> A;
  kernels::CsrView<Scalar, Space, Offset> At;  ///< its rows sorted
  Array<bool, Space> coupled;  ///< of A's entries
  Array<double, Space> b;
  Array<double, Space> num_coupled;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    double sum = 0;
    double count = 0;
    for_each_entry(A, group, i, [&](Offset e) {
      const Ordinal j = A.columns(e);
      const double there = Kokkos::fabs(static_cast<double>(A.values(e)));
      const double back =
          j == i ? 0 : Kokkos::fabs(static_cast<double>(kernels::value_at(At, i, j)));
      const double ratio = Kokkos::log2(back) - Kokkos::log2(there);
      coupled(e) = there > 0 && back > 0 && Kokkos::isfinite(ratio);
      if (!coupled(e)) return;
      sum += ratio / 2;
      count += 1;
    });
    sum = group.sum(sum);
    count = group.sum(count);
    if (i < 0 || group.lane() != 0) return;
    b(i) = sum;
    num_coupled(i) = count;
  }
};

/// A step of Chebyshev's iteration: p = momentum p + gain D^-1 (b - L x), y = x + p.
template <class Scalar, class Space, class Offset>
struct SymmetrizingStep {
  SymmetrizingEquations<Scalar, Space, Offset> equations;
  double momentum;
  double gain;
  Array<double, Space> x, p, y;

  KOKKOS_FUNCTION void operator()(const kernels::LaneGroup& group, Ordinal i) const {
    const auto& A = equations.A;
    double sum = 0;
    for_each_entry(A, group, i, [&](Offset e) {
      if (equations.coupled(e)) sum += x(i) - x(A.columns(e));
    });
    sum = group.sum(sum);
    if (i < 0 || group.lane() != 0) return;
    const double count = equations.num_coupled(i);
    const double residual = count > 0 ? (equations.b(i) - sum) / count : 0.0;
    p(i) = momentum * p(i) + gain * residual;
    y(i) = x(i) + p(i);
  }
};

/// x, up to what varies slowly over the graph.
template <class Scalar, class Space, class Offset>
Array<double, Space> symmetrizing_exponents(const Space& exec,
                                            const kernels::CsrView<Scalar, Space, Offset>& A,
                                            const kernels::CsrView<Scalar, Space, Offset>& At) {
  // Of D^-1 L, whose spectrum ends at 2, the part above a hundredth of that is reduced by 200: of
  // factors that are 2^50 apart from neighbour to neighbour, a fifth is left.
  constexpr double largest = 2;
  constexpr double smallest = largest / 100;
  constexpr int steps = 30;
  constexpr double middle = (largest + smallest) / 2;
  constexpr double radius = (largest - smallest) / 2;
  const auto vector = [&](const char* label) { return allocate<double>(exec, label, A.num_rows); };
  const SymmetrizingEquations<Scalar, Space, Offset> equations{
      A, At, allocate<bool>(exec, "tessera::amg::coupled", A.columns.extent(0)),
      vector("tessera::amg::ratios"), vector("tessera::amg::num_coupled")};
  for_each_row_of(exec, "tessera::amg::symmetrizing_equations", A, equations);
  auto x = vector("tessera::amg::exponents");
  auto y = vector("tessera::amg::exponents");
  const auto p = vector("tessera::amg::exponents");
  Kokkos::deep_copy(exec, x, 0.0);
  Kokkos::deep_copy(exec, p, 0.0);
  double rho = radius / middle;
  for (int step = 0; step < steps; ++step) {
    double momentum = 0;
    double gain = 1 / middle;
    if (step > 0) {
      const double next = 1 / (2 * middle / radius - rho);
      momentum = next * rho;
      gain = 2 * next / radius;
      rho = next;
    }
    for_each_row_of(exec, "tessera::amg::symmetrizing_step", A,
                    SymmetrizingStep<Scalar, Space, Offset>{equations, momentum, gain, x, p, y});
    std::swap(x, y);
  }
  return x;
}

}  // namespace tessera::amg::detail
