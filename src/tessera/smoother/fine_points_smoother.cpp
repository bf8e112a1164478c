// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/fine_points_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"

#include <string>
#include <utility>

namespace tessera {
namespace detail {

/// x += d .* r.
template <class Scalar, class Space>
struct AddWeighted {
  ArrayView<const Scalar, Space> d;
  MultiVectorView<Scalar, Space> r;
  MultiVectorView<Scalar, Space> x;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    for (std::size_t j = 0; j < x.extent(1); ++j)
      x(i, j) += d(i) * r(i, j);
  }
};

}  // namespace detail

template <class Scalar, class Space>
FinePointsSmoother<Scalar, Space>::FinePointsSmoother(
    std::shared_ptr<const Operator> A, std::shared_ptr<const Operator> M, int sweeps,
    const Array<const Scalar, Space>& coarse_weights)
    : m_A(std::move(A)), m_M(std::move(M)), m_sweeps(sweeps), m_coarse_weights(coarse_weights) {
  const auto n = m_A->num_rows();
  const auto weights = static_cast<Ordinal>(coarse_weights.extent(0));
  require(m_A->num_cols() == n && m_M->num_rows() == n && m_M->num_cols() == n &&
              (weights == 0 || weights == n) && sweeps >= 1,
          [&] {
            return "A has " + std::to_string(n) + " rows, M " + std::to_string(m_M->num_rows()) +
                   ", there are " + std::to_string(weights) + " weights and " +
                   std::to_string(sweeps) +
                   " sweeps; expected square matrices of one size, a weight for each row or none, "
                   "and at least one sweep";
          });
}

template <class Scalar, class Space>
void FinePointsSmoother<Scalar, Space>::prepare(const Space& exec, int k) {
  if (m_residual.extent(1) >= static_cast<std::size_t>(k)) return;
  m_residual = {};
  m_residual =
      allocate_multivector<Scalar>(exec, "tessera::fine_points::residual", m_A->num_rows(), k);
}

template <class Scalar, class Space>
auto FinePointsSmoother<Scalar, Space>::residual_of(const Vectors& x) const -> Vectors {
  return Vectors(m_residual.data(), x.extent(0), x.extent(1));
}

template <class Scalar, class Space>
void FinePointsSmoother<Scalar, Space>::relax_fine(const Space& exec, const ConstVectors& b,
                                                   const Vectors& x) const {
  const Vectors r = residual_of(x);
  m_A->residual(exec, b, x, r);
  m_M->apply(exec, 1, r, 1, x);
}

template <class Scalar, class Space>
void FinePointsSmoother<Scalar, Space>::go_on(const Space& exec, const ConstVectors& b,
                                              const Vectors& x) const {
  for (int sweep = 1; sweep < m_sweeps; ++sweep)
    relax_fine(exec, b, x);
  if (m_coarse_weights.extent(0) == 0) return;
  const Vectors r = residual_of(x);
  m_A->residual(exec, b, x, r);
  Kokkos::parallel_for("tessera::fine_points::relax_coarse",
                       Kokkos::RangePolicy<Space>(exec, 0, x.extent(0)),
                       detail::AddWeighted<Scalar, Space>{m_coarse_weights, r, x});
  relax_fine(exec, b, x);
}

template <class Scalar, class Space>
void FinePointsSmoother<Scalar, Space>::apply(const Space& exec, const ConstVectors& b,
                                              const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  m_M->apply(exec, 1, b, 0, x_out);
  go_on(exec, b, x_out);
}

template <class Scalar, class Space>
void FinePointsSmoother<Scalar, Space>::smooth(const Space& exec, const ConstVectors& b,
                                               const ConstVectors& /*x_in*/, const Vectors& x_out) {
  prepare(exec, static_cast<int>(x_out.extent(1)));
  relax_fine(exec, b, x_out);
  go_on(exec, b, x_out);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, FinePointsSmoother)

}  // namespace tessera
