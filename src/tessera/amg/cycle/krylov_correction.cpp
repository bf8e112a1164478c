// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/amg/cycle/krylov_correction.hpp"

#include "tessera/kernels/execution/instantiate.hpp"

#include <array>
#include <cstddef>

namespace tessera::amg {
namespace detail {

/// The quotient, or 0 where it is not a number: a direction along which nothing is left.
KOKKOS_INLINE_FUNCTION double step_length(double numerator, double denominator) {
  const double quotient = numerator / denominator;
  return Kokkos::isfinite(quotient) ? quotient : 0.0;
}

/// r = b - (alpha_1 / rho_1) v, by column.
template <class Scalar, class Space>
struct LeaveFirstStep {
  Array<double, Space> first;
  ConstMultiVectorView<Scalar, Space> b;
  ConstMultiVectorView<Scalar, Space> v;
  MultiVectorView<Scalar, Space> r;
  int k;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    for (int j = 0; j < k; ++j) {
      r(i, j) = static_cast<Scalar>(b(i, j) - step_length(first(k + j), first(j)) * v(i, j));
    }
  }
};

/// x = (alpha_1 / rho_1 - gamma alpha_2 / (rho_1 rho_2)) c + (alpha_2 / rho_2) d with
/// rho_2 = beta - gamma^2 / rho_1.
template <class Scalar, class Space>
struct CombineSteps {
  Array<double, Space> first;
  Array<double, Space> second;
  ConstMultiVectorView<Scalar, Space> c;
  ConstMultiVectorView<Scalar, Space> d;
  MultiVectorView<Scalar, Space> x;
  int k;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    for (int j = 0; j < k; ++j) {
      const double gamma_over_rho = step_length(second(j), first(j));
      const double rho_2 = second(k + j) - second(j) * gamma_over_rho;
      // Where d adds nothing to c but round-off, rho_2 is that round-off.
      const bool independent = Kokkos::abs(rho_2) > 1e-12 * Kokkos::abs(second(k + j));
      const double on_d = independent ? step_length(second(2 * k + j), rho_2) : 0.0;
      const double on_c = step_length(first(k + j), first(j)) - gamma_over_rho * on_d;
      x(i, j) = static_cast<Scalar>(on_c * c(i, j) + on_d * d(i, j));
    }
  }
};

}  // namespace detail

template <class Scalar, class Space>
void KrylovCorrection<Scalar, Space>::prepare(const Space& exec, int k) {
  if (m_columns == k) return;
  m_columns = 0;
  const std::size_t n = m_A->num_rows();
  m_c = allocate_multivector<Scalar>(exec, "tessera::amg::krylov_c", n, k);
  m_v = allocate_multivector<Scalar>(exec, "tessera::amg::krylov_v", n, k);
  m_r = allocate_multivector<Scalar>(exec, "tessera::amg::krylov_r", n, k);
  m_d = allocate_multivector<Scalar>(exec, "tessera::amg::krylov_d", n, k);
  m_w = allocate_multivector<Scalar>(exec, "tessera::amg::krylov_w", n, k);
  m_first = allocate<double>(exec, "tessera::amg::krylov_first", 2 * k);
  m_second = allocate<double>(exec, "tessera::amg::krylov_second", 3 * k);
  if (m_products != nullptr)
    m_products->prepare(exec, k, 3);
  else
    m_workspace = kernels::ReductionWorkspace<Space>(exec, k, 2);
  m_visit->prepare(exec, k);
  m_columns = k;
}

template <class Scalar, class Space>
void KrylovCorrection<Scalar, Space>::multiply(const Space& exec, const ConstVectors& x,
                                               std::span<const ConstVectors> others,
                                               const Array<double, Space>& result) {
  if (m_products != nullptr) return m_products->multiply(exec, x, others, result);
  const auto two = 2 * x.extent(1);
  kernels::dot_two(exec, m_workspace, x, others[0], others[1],
                   Kokkos::subview(result, std::make_pair(std::size_t(0), two)));
  if (others.size() > 2)
    kernels::dot(exec, m_workspace, x, others[2],
                 Kokkos::subview(result, std::make_pair(two, two + x.extent(1))));
}

template <class Scalar, class Space>
void KrylovCorrection<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                            const Vectors& x) {
  const int k = static_cast<int>(b.extent(1));
  const auto& c = m_c;
  const auto& v = m_v;
  const auto& d = m_d;
  const auto& w = m_w;
  const Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>> rows(exec, 0, m_A->num_rows());

  m_visit->apply(exec, b, c);
  m_A->apply(exec, Scalar(1), c, Scalar(0), v);
  const std::array<ConstVectors, 2> beside_first{v, b};
  multiply(exec, m_symmetric ? c : v, beside_first, m_first);
  Kokkos::parallel_for("tessera::amg::krylov_first_step", rows,
                       detail::LeaveFirstStep<Scalar, Space>{m_first, b, v, m_r, k});

  m_visit->apply(exec, m_r, d);
  m_A->apply(exec, Scalar(1), d, Scalar(0), w);
  const std::array<ConstVectors, 3> beside_second{v, w, m_r};
  multiply(exec, m_symmetric ? d : w, beside_second, m_second);
  Kokkos::parallel_for("tessera::amg::krylov_second_step", rows,
                       detail::CombineSteps<Scalar, Space>{m_first, m_second, c, d, x, k});
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, KrylovCorrection)

}  // namespace tessera::amg
