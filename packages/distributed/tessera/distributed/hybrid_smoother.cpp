// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/distributed/hybrid_smoother.hpp"

#include "tessera/distributed/working_values.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/convert.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/matrix/stored_matrix.hpp"
#include "tessera/smoother/make_smoother.hpp"
#include "tessera/smoother/point_sets_smoother.hpp"

#include <utility>

namespace tessera::distributed {

/// Adds half of |a_ij| over others' columns j to the diagonal of row i, whose sign it has.
template <class Space>
void add_half_of_couplings(const Space& exec,
                           const kernels::CsrView<double, Space, std::int64_t>& rows,
                           const LocalRows<Space>& own) {
  const auto offsets = own.offsets;
  const auto columns = own.columns;
  const auto values = own.values;
  const Ordinal num_own = own.num_cols;
  Kokkos::parallel_for(
      "tessera::distributed::hybrid", Kokkos::RangePolicy<Space>(exec, 0, own.num_rows),
      KOKKOS_LAMBDA(const Ordinal i) {
        double sum = 0;
        for (std::int64_t e = rows.offsets(i); e < rows.offsets(i + 1); ++e)
          if (rows.columns(e) >= num_own) sum += Kokkos::abs(rows.values(e));
        for (std::int64_t e = offsets(i); e < offsets(i + 1); ++e) {
          if (columns(e) != i || values(e) == 0) continue;
          values(e) += values(e) > 0 ? sum / 2 : -sum / 2;
          return;
        }
      });
}

template <class Space>
LocalRows<Space> hybrid_block(const Space& exec, const Matrix<Space>& A) {
  LocalRows<Space> own;
  if (A.has_share()) own = own_block(exec, A);
  if (own.num_cols < A.rows.num_cols) add_half_of_couplings(exec, A.rows.view(), own);
  if (own.offsets.extent(0) > 0) return own;
  const auto zero = allocate<std::int64_t>(exec, "tessera::distributed::hybrid", 1);
  Kokkos::deep_copy(exec, zero, 0);
  own.offsets = zero;
  return own;
}

template <class Scalar, class Space>
HybridSmoother<Scalar, Space>::HybridSmoother(std::shared_ptr<const Operator> A,
                                              std::unique_ptr<Smoother<Scalar, Space>> own,
                                              int sweeps)
    : m_A(std::move(A)), m_own(std::move(own)), m_sweeps(sweeps) {}

template <class Scalar, class Space>
void HybridSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  m_own->prepare(exec, k);
  if (m_residual.extent(1) >= static_cast<std::size_t>(k)) return;
  const auto room = [&](const char* label) {
    return allocate_multivector<Scalar>(exec, label, m_A->num_rows(), k);
  };
  m_correction = room("tessera::distributed::correction");
  if (m_own->relaxes_one_way() && !m_own->works_in_place()) {
    m_zero = room("tessera::distributed::zero");
    Kokkos::deep_copy(exec, m_zero, Scalar(0));
  }
  m_residual = room("tessera::distributed::residual");  // once the others are there
}

template <class Scalar, class Space>
void HybridSmoother<Scalar, Space>::sweep(const Space& exec, const ConstVectors& b,
                                          const Vectors& x, bool after) {
  const std::size_t n = x.extent(0), k = x.extent(1);
  const Vectors r(m_residual.data(), n, k);
  const Vectors z(m_correction.data(), n, k);
  m_A->residual(exec, b, x, r);
  if (!after || !m_own->relaxes_one_way()) {
    m_own->apply(exec, r, z);
  } else if (m_own->works_in_place()) {
    Kokkos::deep_copy(exec, z, Scalar(0));
    m_own->smooth_after(exec, r, z, z);
  } else {
    m_own->smooth_after(exec, r, Vectors(m_zero.data(), n, k), z);
  }
  kernels::axpby<Scalar, Space>(exec, Scalar(1), z, Scalar(1), x);
}

template <class Scalar, class Space>
void HybridSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                          const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  m_own->apply(exec, b, x_out);
  for (int i = 1; i < m_sweeps; ++i)
    sweep(exec, b, x_out, false);
}

template <class Scalar, class Space>
void HybridSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                           const ConstVectors& x_in, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  if (x_in.data() != x_out.data()) kernels::copy(exec, x_in, x_out);
  for (int i = 0; i < m_sweeps; ++i)
    sweep(exec, b, x_out, false);
}

template <class Scalar, class Space>
void HybridSmoother<Scalar, Space>::smooth_after(const Space& exec, const ConstVectors& b,
                                                 const ConstVectors& x_in, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  if (x_in.data() != x_out.data()) kernels::copy(exec, x_in, x_out);
  for (int i = 0; i < m_sweeps; ++i)
    sweep(exec, b, x_out, true);
}

template <class Scalar, class Space>
std::unique_ptr<Smoother<Scalar, Space>> make_hybrid_smoother(
    const Space& exec, const SmootherParameters& parameters,
    const std::shared_ptr<const SparseOperator<Scalar, Space>>& A, const Matrix<Space>& matrix,
    double spectral_radius, int block_size, const Array<const Ordinal, Space>& coarse_number) {
  using Made = HybridSmoother<Scalar, Space>;
  Matrix<Space> block;
  block.rows = hybrid_block(exec, matrix);
  const auto inverse = working_array<Scalar, Space>(exec, inverse_diagonal(exec, block));
  const auto entries = kernels::convert_values<Scalar>(exec, block.rows);
  const auto op = std::make_shared<const StoredCsr<Scalar, Space, std::int64_t>>(exec, entries);
  SmootherParameters once = parameters;
  once.sweeps = 1;
  auto own = parameters.points == RelaxationPoints::all
                 ? make_smoother<Scalar, Space, std::int64_t>(exec, once, op, entries.view(),
                                                              inverse, spectral_radius, block_size)
                 : make_points_smoother<Scalar, Space, std::int64_t>(
                       exec, once, entries.view(), inverse, spectral_radius, coarse_number);
  return std::make_unique<Made>(A, std::move(own), parameters.sweeps);
}

TESSERA_FOR_EACH_SPACE(TESSERA_INSTANTIATE_FUNCTION, hybrid_block)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, HybridSmoother)
TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, make_hybrid_smoother)

}  // namespace tessera::distributed
