// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/smoother/fsai_smoother.hpp"

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/format/transpose.hpp"
#include "tessera/kernels/graph/hash.hpp"
#include "tessera/kernels/ilu/fsai.hpp"
#include "tessera/kernels/spgemm/spgemm.hpp"
#include "tessera/kernels/vector/ordered_sum.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"
#include "tessera/operator/ritz_values.hpp"

#include <cmath>
#include <string>
#include <utility>

namespace tessera {

template <class Scalar, class Space, class Offset>
void FsaiPreconditioner<Scalar, Space, Offset>::prepare(const Space& exec, int k) {
  if (m_product.extent(1) >= static_cast<std::size_t>(k)) return;
  m_product = {};
  m_product = allocate_multivector<Scalar>(exec, "tessera::fsai::product", m_G.num_rows(), k);
}

template <class Scalar, class Space, class Offset>
void FsaiPreconditioner<Scalar, Space, Offset>::apply(const Space& exec, const ConstVectors& r,
                                                      const Vectors& z) {
  prepare(exec, static_cast<int>(r.extent(1)));
  const Vectors product(m_product.data(), r.extent(0), r.extent(1));
  m_G.apply(exec, 1, r, 0, product);
  m_Gt.apply(exec, 1, product, 0, z);
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_CLASS, FsaiPreconditioner)

/// v_i = a hashed number in (-1, 1).
template <class Scalar, class Space>
void hashed_start(const Space& exec, const MultiVectorView<Scalar, Space>& v) {
  Kokkos::parallel_for(
      "tessera::fsai::start", Kokkos::RangePolicy<Space>(exec, 0, v.extent(0)),
      KOKKOS_LAMBDA(const Ordinal i) {
        const auto bits = static_cast<std::int32_t>(kernels::hash32(static_cast<std::uint32_t>(i)));
        v(i, 0) = static_cast<Scalar>(0x1p-31 * bits);
      });
}

template <class Scalar, class Space>
double dot_product(const Space& exec, const MultiVectorView<Scalar, Space>& v,
                   const NonDeduced<MultiVectorView<Scalar, Space>>& w) {
  return kernels::ordered_sum<double>(
      exec, "tessera::fsai::dot_product", v.extent(0), KOKKOS_LAMBDA(const Ordinal i, double& sum) {
        sum += static_cast<double>(v(i, 0)) * static_cast<double>(w(i, 0));
      });
}

namespace detail {

/// Of G A G^T, by Lanczos from a hashed start; 1 where that is no positive number.
template <class Scalar, class Space, class Offset>
double factored_radius(const Space& exec, const SparseOperator<Scalar, Space>& A,
                       const FsaiPreconditioner<Scalar, Space, Offset>& M) {
  constexpr int num_steps = 10;
  const auto room = [&] {
    return allocate_multivector<Scalar>(exec, "tessera::fsai::lanczos", A.num_rows(), 1);
  };
  auto before = room(), here = room(), next = room();
  const auto product = room();
  hashed_start<Scalar, Space>(exec, here);
  double norm = std::sqrt(dot_product<Scalar, Space>(exec, here, here));
  kernels::scale<Scalar, Space>(exec, static_cast<Scalar>(1 / norm), here);
  Kokkos::deep_copy(exec, before, Scalar(0));
  Tridiagonal matrix;
  for (int step = 0; step < num_steps; ++step) {
    M.Gt().apply(exec, 1, here, 0, next);
    A.apply(exec, 1, next, 0, product);
    M.G().apply(exec, 1, product, 0, next);
    const double alpha = dot_product<Scalar, Space>(exec, here, next);
    if (!std::isfinite(alpha)) return 1;
    matrix.diagonal.push_back(alpha);
    kernels::axpby<Scalar, Space>(exec, static_cast<Scalar>(-alpha), here, Scalar(1), next);
    if (step > 0)
      kernels::axpby<Scalar, Space>(exec, static_cast<Scalar>(-norm), before, Scalar(1), next);
    norm = std::sqrt(dot_product<Scalar, Space>(exec, next, next));
    if (!std::isfinite(norm)) return 1;
    matrix.squares.push_back(norm * norm);
    // The space that the start spans is exhausted.
    if (!(norm > 1e-6 * std::abs(alpha))) break;
    kernels::scale<Scalar, Space>(exec, static_cast<Scalar>(1 / norm), next);
    std::swap(before, here);
    std::swap(here, next);
  }
  const double radius = largest_ritz_value(matrix).value;
  return std::isfinite(radius) && radius > 0 ? radius : 1;
}

inline std::string fsai_note(const kernels::FsaiReport& report) {
  if (report.num_diagonal == 0) return {};
  return "fsai takes the diagonal alone in " + std::to_string(report.num_diagonal) +
         (report.num_diagonal == 1 ? " row" : " rows") + ", the first being " +
         std::to_string(report.first_row) + ": their part of the matrix is not positive definite";
}

}  // namespace detail

template <class Scalar, class Space, class Offset>
std::unique_ptr<CorrectionSmoother<Scalar, Space>> make_fsai_smoother(
    const Space& exec, const std::shared_ptr<const SparseOperator<Scalar, Space>>& A,
    const kernels::CsrView<Scalar, Space, Offset>& entries, const FsaiParameters& p, int sweeps) {
  require(
      p.omega > 0 && p.omega < 2 && (p.pattern_power == 1 || p.pattern_power == 2) && sweeps >= 1,
      [&] {
        return "omega, pattern_power and sweeps are " + std::to_string(p.omega) + ", " +
               std::to_string(p.pattern_power) + " and " + std::to_string(sweeps) +
               "; expected omega between 0 and 2, a power of 1 or 2 and at least one sweep";
      });
  auto couplings = kernels::scaled_couplings(exec, entries, p.drop_tolerance);
  if (p.pattern_power == 2) couplings = kernels::spgemm(exec, couplings.view(), couplings.view());
  const auto G = kernels::fsai_pattern(exec, couplings.view(), p.max_row_entries);
  couplings = {};
  const auto report = kernels::fill_fsai(exec, entries, G);
  using Factor = StoredCsr<Scalar, Space, Offset>;
  auto M = std::make_unique<FsaiPreconditioner<Scalar, Space, Offset>>(
      Factor(exec, G), Factor(exec, kernels::transpose(exec, G.view())));
  const double radius = detail::factored_radius(exec, *A, *M);
  auto smoother = std::make_unique<CorrectionSmoother<Scalar, Space>>(A, std::move(M),
                                                                      p.omega / radius, sweeps);
  smoother->set_note(detail::fsai_note(report));
  return smoother;
}

TESSERA_FOR_EACH_MATRIX(TESSERA_INSTANTIATE_FUNCTION, make_fsai_smoother)

}  // namespace tessera
