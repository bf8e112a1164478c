// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/two_stage_gauss_seidel.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/smoother/gauss_seidel.hpp"

#include <utility>

namespace tessera {

template <class Scalar, class Space, class Offset>
TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::TwoStageGaussSeidelSmoother(
    const Space& exec, std::shared_ptr<const Operator> A,
    const kernels::CsrView<Scalar, Space, Offset>& entries,
    const Array<const Scalar, Space>& inverse_diagonal, const GaussSeidelParameters& parameters,
    int sweeps)
    : m_A(std::move(A)),
      m_inverse_diagonal(inverse_diagonal),
      m_omega(static_cast<Scalar>(parameters.omega)),
      m_inner_sweeps(parameters.inner_sweeps),
      m_symmetric(parameters.symmetric),
      m_sweeps(sweeps) {
  detail::require_relaxable(parameters, sweeps, entries.num_rows, inverse_diagonal.extent(0));
  m_rows = kernels::rank_rows(exec, entries, {}, {});
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::prepare(const Space& exec, int k) {
  if (m_residual.extent(1) >= static_cast<std::size_t>(k)) return;
  const auto room = [&](const char* label) {
    return allocate_multivector<Scalar>(exec, label, m_A->num_rows(), k);
  };
  m_correction = room("tessera::two_stage::correction");
  if (m_inner_sweeps > 1) m_other = room("tessera::two_stage::correction");
  m_residual = room("tessera::two_stage::residual");
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::correct(
    const Space& exec, RowPart triangle, const ConstVectors& r, const Vectors& x, bool adds) const {
  Vectors here(m_correction.data(), x.extent(0), x.extent(1));
  Vectors next(m_other.data(), x.extent(0), x.extent(1));
  kernels::multiply<Scalar, Space>(exec, m_omega, m_inverse_diagonal, r, here);
  for (int step = 1; step < m_inner_sweeps; ++step) {
    kernels::relax_rows(exec, m_rows, triangle, 0, m_rows.num_rows, m_omega, m_inverse_diagonal, r,
                        here, next, false);
    std::swap(here, next);
  }
  kernels::relax_rows(exec, m_rows, triangle, 0, m_rows.num_rows, m_omega, m_inverse_diagonal, r,
                      here, x, adds);
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::sweep(const Space& exec, RowPart triangle,
                                                               const ConstVectors& b,
                                                               const Vectors& x) const {
  const Vectors r(m_residual.data(), x.extent(0), x.extent(1));
  m_A->residual(exec, b, x, r);
  correct(exec, triangle, r, x, true);
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::go_on(const Space& exec,
                                                               const ConstVectors& b,
                                                               const Vectors& x,
                                                               bool is_forward_done) const {
  for (int number = 0; number < m_sweeps; ++number) {
    if (number > 0 || !is_forward_done) sweep(exec, RowPart::lower, b, x);
    if (m_symmetric) sweep(exec, RowPart::upper, b, x);
  }
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::apply(const Space& exec,
                                                               const ConstVectors& b,
                                                               const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  correct(exec, RowPart::lower, b, x_out, false);
  go_on(exec, b, x_out, true);
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::smooth(const Space& exec,
                                                                const ConstVectors& b,
                                                                const ConstVectors& /*x_in*/,
                                                                const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  go_on(exec, b, x_out, false);
}

template <class Scalar, class Space, class Offset>
void TwoStageGaussSeidelSmoother<Scalar, Space, Offset>::smooth_after(const Space& exec,
                                                                      const ConstVectors& b,
                                                                      const ConstVectors& x_in,
                                                                      const Vectors& x_out) {
  if (m_symmetric) {
    smooth(exec, b, x_in, x_out);
    return;
  }
  prepare(exec, static_cast<int>(x_out.extent(1)));
  for (int number = 0; number < m_sweeps; ++number)
    sweep(exec, RowPart::upper, b, x_out);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, TwoStageGaussSeidelSmoother)

}  // namespace tessera
