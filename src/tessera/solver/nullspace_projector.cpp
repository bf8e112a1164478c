// SPDX-FileCopyrightText: The Tessera Authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tessera/solver/nullspace_projector.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <vector>

#include "tessera/kernels/execution/error.hpp"
#include "tessera/kernels/execution/instantiate.hpp"
#include "tessera/kernels/vector/column_scaling.hpp"
#include "tessera/kernels/vector/reductions.hpp"
#include "tessera/kernels/vector/vector_ops.hpp"

namespace tessera {

template <class Scalar, class Space>
NullspaceProjector<Scalar, Space>::NullspaceProjector(
    const Space& exec, const ConstMultiVectorView<Scalar, Space>& vectors)
    : m_vectors(allocate_multivector<Scalar>(exec, "tessera::nullspace::vectors", vectors.extent(0),
                                             vectors.extent(1))) {
  kernels::copy<Scalar, Scalar, Space>(exec, vectors, m_vectors);
  orthonormalise(exec);
}

template <class Scalar, class Space>
NullspaceProjector<Scalar, Space> NullspaceProjector<Scalar, Space>::constant(const Space& exec,
                                                                              Ordinal n) {
  NullspaceProjector projector;
  projector.m_vectors = allocate_multivector<Scalar>(exec, "tessera::nullspace::vectors", n, 1);
  Kokkos::deep_copy(exec, projector.m_vectors, Scalar(1));
  projector.orthonormalise(exec);
  return projector;
}

template <class Scalar, class Space>
void NullspaceProjector<Scalar, Space>::orthonormalise(const Space& exec) {
  using Vectors = MultiVectorView<Scalar, Space>;
  const int count = static_cast<int>(m_vectors.extent(1));
  prepare(exec, 1);
  const auto norm = allocate<double>(exec, "tessera::nullspace::norm", 1);
  const auto report = kernels::allocate_report<double>(exec, "tessera::nullspace::report", 1);
  const auto normalise = [&](const Vectors& v) {
    kernels::squared_norm<Scalar, Space>(exec, m_workspace, v, norm, report);
    kernels::normalise<Scalar, Space>(exec, norm, v, v);
  };
  // What remains of a vector of length 1 that depends on those before is rounding error alone.
  constexpr double rounding = 100 * std::numeric_limits<Scalar>::epsilon();
  for (int t = 0; t < count; ++t) {
    const Vectors v(m_vectors.data() + t * m_vectors.stride(1), m_vectors.extent(0), 1);
    const kernels::Basis<Scalar, Space> before{m_vectors, t, 1, 0};
    normalise(v);
    for (int pass = 0; pass < 2; ++pass) {
      kernels::basis_dot<Scalar, Space>(exec, m_workspace, before, v, m_products);
      kernels::basis_combine<Scalar, Space>(exec, -1, before, m_products, v);
      normalise(v);
      exec.fence("tessera::nullspace::orthonormalise");
      if (report(0) <= rounding * rounding) {
        kernels::scale<Scalar, Space>(exec, Scalar(0), v);
      }
    }
  }
}

template <class Scalar, class Space>
void NullspaceProjector<Scalar, Space>::prepare(const Space& exec, int k) {
  m_components.prepare(exec, k);
  if (m_vectors.extent(1) == 0 || m_products.extent(1) >= static_cast<std::size_t>(k)) {
    return;
  }
  const int count = static_cast<int>(m_vectors.extent(1));
  m_workspace = kernels::ReductionWorkspace<Space>(exec, kernels::basis_dot_items(count, k),
                                                   kernels::basis_dots_at_once);
  m_products = allocate_multivector<double>(exec, "tessera::nullspace::products", count, k);
}

template <class Scalar, class Space>
void NullspaceProjector<Scalar, Space>::apply(const Space& exec,
                                              const MultiVectorView<Scalar, Space>& v) const {
  m_components.apply(exec, v);
  if (m_vectors.extent(1) == 0) {
    return;
  }
  const kernels::Basis<Scalar, Space> all{m_vectors, static_cast<int>(m_vectors.extent(1)), 1, 0};
  kernels::basis_dot<Scalar, Space>(exec, m_workspace, all, v, m_products);
  kernels::basis_combine<Scalar, Space>(exec, -1, all, m_products, v);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_CLASS, NullspaceProjector)

namespace detail {

/// u = v with the signs of a hash of the row.
template <class Scalar, class Space>
struct MixSigns {
  ConstMultiVectorView<Scalar, Space> v;
  MultiVectorView<Scalar, Space> u;

  KOKKOS_FUNCTION void operator()(Ordinal i) const {
    std::uint64_t bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15ULL;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
    const Scalar sign = (bits >> 63) != 0 ? Scalar(-1) : Scalar(1);
    for (int j = 0; j < static_cast<int>(u.extent(1)); ++j)
      u(i, j) = sign * v(i, j);
  }
};

/// Squared norms of the images y and z, column by column, once a power of two that both have is
/// taken out of them: those of an A of any magnitude neither overflow nor vanish.
template <class Scalar, class Space>
void image_norms(const Space& exec, const MultiVector<Scalar, Space>& y,
                 const MultiVector<Scalar, Space>& z,
                 const kernels::ReportView<double, Space>& of_y,
                 const kernels::ReportView<double, Space>& of_z) {
  const std::size_t q = y.extent(1);
  const auto norm = allocate<double>(exec, "tessera::nullspace::norm", q);
  const kernels::ReductionWorkspace<Space> workspace(exec, static_cast<int>(q), 1);
  kernels::column_magnitudes<Scalar, Space>(exec, y, of_y);
  kernels::column_magnitudes<Scalar, Space>(exec, z, of_z);
  exec.fence("tessera::nullspace::magnitudes");
  std::vector<int> exponents(q, 0);
  for (std::size_t t = 0; t < q; ++t) {
    const double largest = std::max(of_y(t), of_z(t));
    if (largest > 0 && std::isfinite(largest)) exponents[t] = -std::ilogb(largest);
  }
  kernels::scale_columns<Scalar, Space>(exec, exponents, y, y);
  kernels::scale_columns<Scalar, Space>(exec, exponents, z, z);
  kernels::squared_norm<Scalar, Space>(exec, workspace, y, norm, of_y);
  kernels::squared_norm<Scalar, Space>(exec, workspace, z, norm, of_z);
  exec.fence("tessera::nullspace::check");
}

}  // namespace detail

template <class Scalar, class Space>
std::vector<double> relative_images(const Space& exec, const LinearOperator<Scalar, Space>& A,
                                    const ConstMultiVectorView<Scalar, Space>& vectors) {
  const std::size_t n = vectors.extent(0), q = vectors.extent(1);
  std::vector<double> result(q, 0);
  if (n == 0 || q == 0) return result;
  const auto u = allocate_multivector<Scalar>(exec, "tessera::nullspace::u", n, q);
  const auto y = allocate_multivector<Scalar>(exec, "tessera::nullspace::y", n, q);
  const auto z = allocate_multivector<Scalar>(exec, "tessera::nullspace::z", n, q);
  const auto report = kernels::allocate_report<double>(exec, "tessera::nullspace::report", 2 * q);
  const kernels::ReportView<double, Space> images(report.data(), q), sizes(report.data() + q, q);
  Kokkos::parallel_for(
      "tessera::nullspace::mix_signs",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<Ordinal>>(exec, 0, static_cast<Ordinal>(n)),
      detail::MixSigns<Scalar, Space>{vectors, u});
  A.apply(exec, Scalar(1), vectors, Scalar(0), y);
  A.apply(exec, Scalar(1), u, Scalar(0), z);
  detail::image_norms<Scalar, Space>(exec, y, z, images, sizes);
  for (std::size_t t = 0; t < q; ++t) {
    const double image = std::sqrt(images(t)), size = std::sqrt(sizes(t));
    if (image > 0 && std::isfinite(image) && std::isfinite(size)) result[t] = image / size;
  }
  return result;
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, relative_images)

void require_small_images(const std::vector<double>& images, double most, const std::string& name) {
  for (std::size_t t = 0; t < images.size(); ++t) {
    if (images[t] <= most) continue;
    std::ostringstream text;
    text << name << ": A does not annihilate "
         << (images.size() == 1 ? std::string("its vector") : "vector " + std::to_string(t))
         << ": ||A v|| is " << images[t] << " times what it is when the signs of v's entries are "
         << "mixed, expected at most " << most
         << "; leave the nullspace out (solver.nullspace=none) or to auto, which looks for one";
    throw Error(ErrorKind::configuration, text.str());
  }
}

template <class Scalar, class Space>
void require_annihilated(const Space& exec, const LinearOperator<Scalar, Space>& A,
                         const ConstMultiVectorView<Scalar, Space>& vectors,
                         const std::string& name) {
  require_small_images(relative_images<Scalar, Space>(exec, A, vectors), annihilated_image<Scalar>,
                       name);
}

TESSERA_FOR_EACH_SCALAR(TESSERA_INSTANTIATE_FUNCTION, require_annihilated)

}  // namespace tessera
