// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/ilu_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/smoother/ilu_preconditioner.hpp"

#include <string>

namespace tessera {

template <class Scalar, class Space>
IluSmoother<Scalar, Space>::IluSmoother(std::shared_ptr<const Operator> A,
                                        std::unique_ptr<Preconditioner<Scalar, Space>> factors,
                                        int sweeps)
    : m_A(std::move(A)), m_factors(std::move(factors)), m_sweeps(sweeps) {}

template <class Scalar, class Space>
void IluSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  m_factors->prepare(exec, k);
  if (m_residual.extent(1) >= static_cast<std::size_t>(k)) return;
  m_residual = allocate_multivector<Scalar>(exec, "tessera::ilu::residual", m_A->num_rows(), k);
  m_correction = allocate_multivector<Scalar>(exec, "tessera::ilu::correction", m_A->num_rows(), k);
}

template <class Scalar, class Space>
void IluSmoother<Scalar, Space>::sweep(const Space& exec, const ConstVectors& b,
                                       const ConstVectors& x_in, const Vectors& x_out) {
  const Vectors r(m_residual.data(), x_out.extent(0), x_out.extent(1));
  const Vectors z(m_correction.data(), x_out.extent(0), x_out.extent(1));
  m_A->residual(exec, b, x_in, r);
  m_factors->apply(exec, r, z);
  if (x_in.data() != x_out.data()) kernels::copy(exec, x_in, x_out);
  kernels::axpby<Scalar, Space>(exec, Scalar(1), z, Scalar(1), x_out);
}

template <class Scalar, class Space>
void IluSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                       const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  m_factors->apply(exec, b, x_out);
  for (int i = 1; i < m_sweeps; ++i)
    sweep(exec, b, x_out, x_out);
}

template <class Scalar, class Space>
void IluSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                        const ConstVectors& x_in, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  sweep(exec, b, x_in, x_out);
  for (int i = 1; i < m_sweeps; ++i)
    sweep(exec, b, x_out, x_out);
}

template <class Scalar, class Space, class Offset>
std::unique_ptr<IluSmoother<Scalar, Space>> make_ilu_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, int sweeps) {
  const auto offsets = allocate<Offset>(exec, "tessera::ilu::offsets", entries.num_rows + 1ul);
  const auto columns = allocate<Ordinal>(exec, "tessera::ilu::columns", entries.num_entries);
  Kokkos::deep_copy(exec, offsets, entries.offsets);
  Kokkos::deep_copy(exec, columns, entries.columns);
  auto factors = std::make_unique<IluPreconditioner<Scalar, Space, Offset>>();
  factors->initialize(exec, {entries.num_rows, entries.num_cols, offsets, columns, {}});
  if (!factors->compute(exec, entries)) {
    throw Error(ErrorKind::bad_input, "smoother ilu: the factors have " +
                                          std::to_string(factors->report().num_not_finite) +
                                          " rows that hold no finite numbers, the first is row " +
                                          std::to_string(factors->report().first_row));
  }
  return std::make_unique<IluSmoother<Scalar, Space>>(A, std::move(factors), sweeps);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, IluSmoother)
TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_ilu_smoother)

}  // namespace tessera
