// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tessera/amg/spectral/spectral_radius.hpp"
#include "tessera/amg/spectral/spectral_recurrence.hpp"
#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/host_copy.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
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

/// Where Arnoldi's numbers lie, in one array without a gap, so that one copy fetches them: the
/// squared norms before each step and behind the last, and step by step the m + 1 coefficients of
/// each of step m's two passes of Gram-Schmidt.
struct ArnoldiPlaces {
  int steps;

  int norm_squared(int step) const { return step; }
  int pass(int step, int number) const {
    return steps + 1 + step * (step + 1) + number * (step + 1);
  }
  int length() const { return pass(steps, 0); }
};

/// `numbers`: a host's copy.
template <class Scalar, class HostArray>
Hessenberg arnoldi_matrix(const HostArray& numbers, const ArnoldiPlaces& places) {
  HessenbergColumns columns(static_cast<double>(std::numeric_limits<Scalar>::epsilon()));
  bool extends = true;
  for (int j = 0; j < places.steps && extends; ++j) {
    std::vector<double> entries;
    for (int i = 0; i <= j; ++i)
      entries.push_back(numbers(places.pass(j, 0) + i) + numbers(places.pass(j, 1) + i));
    const double below_squared = numbers(places.norm_squared(j + 1));
    extends = columns.add(std::move(entries), std::sqrt(below_squared), below_squared);
  }
  return columns.matrix();
}

/// The steps by seven kernels each. V: n by steps + 1; column m comes unnormalised into step m,
/// which leaves the next one so. The host reads all numbers at the end.
template <class Scalar, class Space, class Offset>
class FusedArnoldi {
 public:
  FusedArnoldi(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
               const kernels::CsrSpmvPlan<Space>& plan,
               const ArrayView<const Scalar, Space>& inverse_diagonal, int steps,
               std::uint32_t seed)
      : m_exec(exec),
        m_A(A),
        m_plan(plan),
        m_inverse_diagonal(inverse_diagonal),
        m_places{steps},
        m_seed(seed),
        m_V(allocate_multivector<Scalar>(exec, "tessera::arnoldi::basis", A.num_rows, steps + 1)),
        m_t(allocate_multivector<Scalar>(exec, "tessera::arnoldi::t", A.num_rows)),
        m_workspace(exec, kernels::basis_dot_items(steps, 1), kernels::basis_dots_at_once),
        m_numbers(allocate<double>(exec, "tessera::arnoldi::numbers", m_places.length())) {}

  void start() {
    const auto w = detail::column(m_V, 0);
    Kokkos::parallel_for("tessera::arnoldi::start", rows(),
                         ArnoldiStart<Scalar, Space>{m_inverse_diagonal, m_seed, w});
    kernels::squared_norm<Scalar, Space>(m_exec, m_workspace, w, norm_squared(0));
  }
  bool goes_on(int) const { return true; }
  /// With t = |D|^-1/2 v.
  void normalise(int step) {
    Kokkos::parallel_for("tessera::arnoldi::normalise", rows(),
                         ArnoldiNormalise<Scalar, Space>{m_inverse_diagonal, norm_squared(step),
                                                         detail::column(m_V, step), m_t});
  }
  /// w = sign(D) |D|^-1/2 A t.
  void multiply(int step) {
    const auto w = detail::column(m_V, step + 1);
    kernels::spmv(m_exec, m_plan, Scalar(1), m_A, m_t, Scalar(0), w);
    Kokkos::parallel_for("tessera::arnoldi::scale", rows(),
                         ArnoldiScale<Scalar, Space>{m_inverse_diagonal, w});
  }
  void orthogonalise(int step) {
    const auto w = detail::column(m_V, step + 1);
    const kernels::Basis<Scalar, Space> basis{m_V, step + 1};
    const auto first = pass(step, 0);
    const auto second = pass(step, 1);
    kernels::basis_dot<Scalar, Space>(m_exec, m_workspace, basis, w, first);
    kernels::basis_combine<Scalar, Space>(m_exec, -1, basis, first, w);
    kernels::basis_dot<Scalar, Space>(m_exec, m_workspace, basis, w, second);
    kernels::basis_remove<Scalar, Space>(m_exec, m_workspace, basis, first, second, w,
                                         norm_squared(step + 1), {});
  }
  ArnoldiOutcome outcome() const {
    const auto host = kernels::copy_to_host(m_exec, m_numbers);
    return {host(m_places.norm_squared(0)), arnoldi_matrix<Scalar>(host, m_places)};
  }

 private:
  Kokkos::RangePolicy<Space> rows() const { return {m_exec, 0, m_A.num_rows}; }
  ArrayView<double, Space> norm_squared(int step) const {
    return ArrayView<double, Space>(m_numbers.data() + m_places.norm_squared(step), 1);
  }
  MultiVectorView<double, Space> pass(int step, int number) const {
    return MultiVectorView<double, Space>(m_numbers.data() + m_places.pass(step, number), step + 1,
                                          1);
  }

  const Space& m_exec;
  const kernels::CsrView<Scalar, Space, Offset>& m_A;
  const kernels::CsrSpmvPlan<Space>& m_plan;
  ArrayView<const Scalar, Space> m_inverse_diagonal;
  ArnoldiPlaces m_places;
  std::uint32_t m_seed;
  MultiVector<Scalar, Space> m_V;
  MultiVector<Scalar, Space> m_t;
  kernels::ReductionWorkspace<Space> m_workspace;
  Array<double, Space> m_numbers;
};

template <class Scalar, class Space, class Offset>
double spectral_radius_arnoldi(const Space& exec, const kernels::CsrView<Scalar, Space, Offset>& A,
                               const kernels::CsrSpmvPlan<Space>& plan,
                               const NonDeduced<ArrayView<const Scalar, Space>>& inverse_diagonal,
                               int steps, std::uint32_t seed) {
  require(steps >= 1, [&] { return "steps = " + std::to_string(steps) + "; expected >= 1"; });
  if (A.num_rows == 0) return 0;
  steps = std::min(steps, static_cast<int>(A.num_rows));
  return radius_by_arnoldi(
      FusedArnoldi<Scalar, Space, Offset>(exec, A, plan, inverse_diagonal, steps, seed), steps);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, spectral_radius_arnoldi)

}  // namespace tessera::amg
