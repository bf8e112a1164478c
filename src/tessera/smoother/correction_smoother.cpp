// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/correction_smoother.hpp"

#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

template <class Scalar, class Space>
CorrectionSmoother<Scalar, Space>::CorrectionSmoother(
    std::shared_ptr<const Operator> A, std::unique_ptr<Preconditioner<Scalar, Space>> M,
    double omega, int sweeps)
    : m_A(std::move(A)), m_M(std::move(M)), m_omega(static_cast<Scalar>(omega)), m_sweeps(sweeps) {}

template <class Scalar, class Space>
void CorrectionSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  m_M->prepare(exec, k);
  if (m_residual.extent(1) >= static_cast<std::size_t>(k)) return;
  m_correction =
      allocate_multivector<Scalar>(exec, "tessera::smoother::correction", m_A->num_rows(), k);
  m_residual =
      allocate_multivector<Scalar>(exec, "tessera::smoother::residual", m_A->num_rows(), k);
}

template <class Scalar, class Space>
void CorrectionSmoother<Scalar, Space>::sweep(const Space& exec, const ConstVectors& b,
                                              const ConstVectors& x_in, const Vectors& x_out) {
  const Vectors r(m_residual.data(), x_out.extent(0), x_out.extent(1));
  const Vectors z(m_correction.data(), x_out.extent(0), x_out.extent(1));
  m_A->residual(exec, b, x_in, r);
  m_M->apply(exec, r, z);
  if (x_in.data() != x_out.data()) kernels::copy(exec, x_in, x_out);
  kernels::axpby<Scalar, Space>(exec, m_omega, z, Scalar(1), x_out);
}

template <class Scalar, class Space>
void CorrectionSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                              const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  m_M->apply(exec, b, x_out);
  if (m_omega != Scalar(1)) kernels::scale<Scalar, Space>(exec, m_omega, x_out);
  for (int i = 1; i < m_sweeps; ++i)
    sweep(exec, b, x_out, x_out);
}

template <class Scalar, class Space>
void CorrectionSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                               const ConstVectors& x_in, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  sweep(exec, b, x_in, x_out);
  for (int i = 1; i < m_sweeps; ++i)
    sweep(exec, b, x_out, x_out);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, CorrectionSmoother)

}  // namespace tessera
