// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "tessera/amg/hessenberg.hpp"
#include "tessera/amg/spectral_radius.hpp"
#include "tessera/amg/start_entry.hpp"
#include "tessera/kernels/error.hpp"
#include "tessera/kernels/instantiate.hpp"
#include "tessera/kernels/spmv/products.hpp"
#include "tessera/kernels/vector/basis_ops.hpp"

namespace tessera::amg {
namespace detail {

/// Column `j` as a MultiVector of one column.
template <class Scalar, class... Properties>
auto column(const Kokkos::View<Scalar**, Kokkos::LayoutLeft, Properties...>& vectors, int j) {
  using Space = typename Kokkos::View<Scalar**, Kokkos::LayoutLeft, Properties...>::execution_space;
  return MultiVectorView<Scalar, Space>(vectors.data() + j * vectors.stride(1), vectors.extent(0),
                                        1);
}

}  // namespace detail

/// w = |D|^1/2 u for Lanczos's start vector u = |D|^-1/2 h: the hashed h itself.
template <class Scalar, class Space>
struct ArnoldiStart {
  ArrayView<const Scalar, Space> inverse_diagonal;
  std::uint32_t seed;
  MultiVectorView<Scalar, Space> w;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    w(i, 0) = start_entry(i, inverse_diagonal(i), seed);
  }
};

/// v = w / ||w||, in place, and t = |D|^-1/2 v, what A is applied to. 0 where ||w|| is not
/// positive.
template <class Scalar, class Space>
struct ArnoldiNormalise {
  ArrayView<const Scalar, Space> inverse_diagonal;
  ArrayView<const double, Space> norm_squared;
  MultiVectorView<Scalar, Space> w;
  MultiVectorView<Scalar, Space> t;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const double square = norm_squared(0);
    const double factor = square > 0 ? 1 / Kokkos::sqrt(square) : 0;
    const Scalar v = factor == 0 ? Scalar(0) : static_cast<Scalar>(factor * w(i, 0));
    w(i, 0) = v;
    t(i, 0) = v == Scalar(0) ? Scalar(0) : Kokkos::sqrt(Kokkos::abs(inverse_diagonal(i))) * v;
  }
};

/// w = sign(D) |D|^-1/2 w: the rest of the operator after A. Rows of zero diagonal are left out.
template <class Scalar, class Space>
struct ArnoldiScale {
  ArrayView<const Scalar, Space> inverse_diagonal;
  MultiVectorView<Scalar, Space> w;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    const Scalar inverse = inverse_diagonal(i);
    const Scalar root = Kokkos::sqrt(Kokkos::abs(inverse));
    w(i, 0) = inverse == Scalar(0) ? Scalar(0) : (inverse < Scalar(0) ? -root : root) * w(i, 0);
  }
};

/// Where Arnoldi's numbers lie on the device, in one array, so that one copy fetches them: the
/// coefficients of step m's two passes of Gram-Schmidt in columns 2 m and 2 m + 1, and in the last
/// column the squared norms before each step.
template <class Space>
struct ArnoldiNumbers {
  int steps;
  MultiVector<double, Space> all;

  ArnoldiNumbers(const Space& exec, int num_steps)
      : steps(num_steps),
        all(allocate_multivector<double>(exec, "tessera::arnoldi::numbers", num_steps + 1,
                                         2 * num_steps + 1)) {}

  MultiVectorView<double, Space> pass(int step, int number) const {
    return detail::column(all, 2 * step + number);
  }
  ArrayView<double, Space> norm_squared(int step) const {
    return ArrayView<double, Space>(detail::column(all, 2 * steps).data() + step, 1);
  }
};

/// The Hessenberg matrix, up to where an invariant subspace was found (what comes after that is
/// rounding error). `numbers`: a host's copy of ArnoldiNumbers::all.
template <class Scalar, class HostArray>
Hessenberg arnoldi_matrix(const HostArray& numbers, int steps) {
  const double tolerance = 100 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const auto entry = [&](int i, int j) { return numbers(i, 2 * j) + numbers(i, 2 * j + 1); };
  const auto below = [&](int j) { return std::sqrt(numbers(j + 1, 2 * steps)); };
  int size = 0;
  double largest_column = 0;
  bool extends = true;
  while (size < steps && extends) {
    double square = numbers(size + 1, 2 * steps);
    for (int i = 0; i <= size; ++i)
      square += entry(i, size) * entry(i, size);
    largest_column = std::max(largest_column, std::sqrt(square));
    extends = below(size) > tolerance * largest_column;
    ++size;
  }
  Hessenberg matrix{size, std::vector<double>(static_cast<std::size_t>(size) * size, 0.0),
                    below(size - 1)};
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i <= j; ++i)
      matrix(i, j) = entry(i, j);
    if (j + 1 < size) matrix(j + 1, j) = below(j);
  }
  return matrix;
}

/// One step: w = sign(D) |D|^-1/2 A |D|^-1/2 v, made orthogonal to the basis so far. V: n by
/// steps + 1; column `step` comes unnormalised, and column `step + 1` leaves so.
template <class Scalar, class Space, class Offset>
void arnoldi_step(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                  const kernels::CsrSpmvPlan<Space>& plan,
                  const ArrayView<const Scalar, Space>& inverse_diagonal,
                  const kernels::ReductionWorkspace<Space>& workspace,
                  const ArnoldiNumbers<Space>& numbers, int step,
                  const MultiVector<Scalar, Space>& V, const MultiVector<Scalar, Space>& t) {
  using Vectors = MultiVectorView<Scalar, Space>;
  const Kokkos::RangePolicy<Space> rows(exec, 0, A.num_rows);
  const Vectors v = detail::column(V, step);
  const Vectors w = detail::column(V, step + 1);
  Kokkos::parallel_for(
      "tessera::arnoldi::normalise", rows,
      ArnoldiNormalise<Scalar, Space>{inverse_diagonal, numbers.norm_squared(step), v, t});
  kernels::spmv(exec, plan, Scalar(1), A, t, Scalar(0), w);
  Kokkos::parallel_for("tessera::arnoldi::scale", rows,
                       ArnoldiScale<Scalar, Space>{inverse_diagonal, w});
  const kernels::Basis<Scalar, Space> basis{V, step + 1};
  const auto first = numbers.pass(step, 0);
  const auto second = numbers.pass(step, 1);
  kernels::basis_dot<Scalar, Space>(exec, workspace, basis, w, first);
  kernels::basis_combine<Scalar, Space>(exec, -1, basis, first, w);
  kernels::basis_dot<Scalar, Space>(exec, workspace, basis, w, second);
  kernels::basis_remove<Scalar, Space>(exec, workspace, basis, first, second, w,
                                       numbers.norm_squared(step + 1), {});
}

template <class Scalar, class Space, class Offset>
double spectral_radius_arnoldi(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                               const kernels::CsrSpmvPlan<Space>& plan,
                               const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                               int steps, std::uint32_t seed) {
  require(steps >= 1, [&] { return "steps = " + std::to_string(steps) + "; expected >= 1"; });
  if (A.num_rows == 0) return 0;
  steps = std::min(steps, static_cast<int>(A.num_rows));
  const auto V =
      allocate_multivector<Scalar>(exec, "tessera::arnoldi::basis", A.num_rows, steps + 1);
  const auto t = allocate_multivector<Scalar>(exec, "tessera::arnoldi::t", A.num_rows);
  const kernels::ReductionWorkspace<Space> workspace(exec, kernels::basis_dot_items(steps, 1),
                                                     kernels::basis_dots_at_once);
  const ArnoldiNumbers<Space> numbers(exec, steps);

  const auto start = detail::column(V, 0);
  Kokkos::parallel_for("tessera::arnoldi::start", Kokkos::RangePolicy<Space>(exec, 0, A.num_rows),
                       ArnoldiStart<Scalar, Space>{inverse_diagonal, seed, start});
  kernels::squared_norm<Scalar, Space>(exec, workspace, start, numbers.norm_squared(0));
  for (int step = 0; step < steps; ++step) {
    arnoldi_step<Scalar, Space, Offset>(exec, A, plan, inverse_diagonal, workspace, numbers, step,
                                        V, t);
  }
  const auto host = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, numbers.all);
  Kokkos::deep_copy(exec, host, numbers.all);
  exec.fence("tessera::arnoldi");

  if (host(0, 2 * steps) == 0) return 0;
  const auto matrix = arnoldi_matrix<Scalar>(host, steps);
  const auto finite = [](double entry) { return std::isfinite(entry); };
  if (!finite(host(0, 2 * steps)) || !finite(matrix.next) ||
      !std::all_of(matrix.entries.begin(), matrix.entries.end(), finite)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const detail::RitzValue ritz = largest_ritz_modulus(matrix);
  return ritz.value + ritz.residual / 2;
}

#define TESSERA_INSTANTIATE(SCALAR, SPACE, OFFSET)                                                \
  template double spectral_radius_arnoldi(                                                        \
      const SPACE&, const kernels::CsrView<SCALAR, SPACE, OFFSET>&,                               \
      const kernels::CsrSpmvPlan<SPACE>&, const NonDeduced<ArrayView<const SCALAR, SPACE>>&, int, \
      std::uint32_t);
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE)
#undef TESSERA_INSTANTIATE

}  // namespace tessera::amg
